import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db } from '../../../src/db/database.ts'
import { untilAnswering } from '../../support/world/service.ts'
import type { World } from './world.ts'

/** How long we wait for what may never end. */
const PATIENCE_MS = 120_000

type Kind = 'deliveries' | 'work'

/** What a dead process has left behind is anyone's once its lease is over: here 5 s, and 30 s for work. */
const BOUNDS_MS: Record<Kind, number> = { deliveries: 20_000, work: 60_000 }

/**
 * Waits until everything answers and nothing is under way any more. Returns what still is if it never
 * ends, or how long it took where that was too long.
 */
export async function settle(
  { db, origins }: Pick<World, 'db' | 'origins'>,
  say: (line: string) => void,
): Promise<string[]> {
  await Promise.all(origins.map(untilAnswering))
  const since = Date.now()
  const lasted: Record<Kind, number> = { deliveries: 0, work: 0 }
  let backlog: Set<string> | undefined
  for (let quiet = 0; quiet < 3; await pause(250)) {
    const left = await findUnderWay(db)
    // Work that ends later has deliveries of its own.
    backlog ??= new Set(left.map(({ item }) => item))
    quiet = left.length === 0 ? quiet + 1 : 0
    const ms = Date.now() - since
    for (const { kind, item } of left) if (kind === 'work' || backlog.has(item)) lasted[kind] = ms
    if (ms > PATIENCE_MS) return left.map(({ item }) => `has not come to rest: ${item}`)
  }
  const { deliveries, work } = lasted
  say(`at rest: what waited to be delivered after ${deliveries} ms, all after ${work} ms`)
  const late = (['deliveries', 'work'] as const).filter((kind) => lasted[kind] > BOUNDS_MS[kind])
  return late.map((kind) => `${kind} at rest after ${lasted[kind]} ms, not ${BOUNDS_MS[kind]}`)
}

/** What is due, being done, or was tried unsuccessfully. What is planned for later may wait for it. */
async function findUnderWay(db: Db): Promise<{ kind: Kind; item: string }[]> {
  const { rows } = await sql<{ kind: Kind; item: string }>`
    SELECT 'work' AS kind, 'work ' || topic || ' on ' || subject_id || ', ' || attempts || ' attempts'
      || coalesce(', ' || last_error, '') AS item
    FROM work WHERE clock = 'real' AND (due_at <= now() OR lease IS NOT NULL OR attempts > 0)
    UNION ALL
    SELECT 'deliveries', 'delivery of ' || event_id || ' to ' || webhook_id FROM deliveries
    WHERE due_at <= now() OR state = 'pending' AND due_at IS NULL
    UNION ALL
    SELECT 'work', 'deadline ' || topic || ' of ' || subject_id
    FROM work d JOIN tenants t USING (tenant_id)
    -- A goal that a broken request has left waits for its retry, not for a worker.
    WHERE d.clock = 'tenant' AND d.topic <> 'clock-goal'
      AND d.due_at < now() + t.clock_offset_ms * interval '1 millisecond'`.execute(db)
  return rows
}

/** What the run's traffic has brought about, in numbers. */
export async function countHappenings(db: Db): Promise<string> {
  const { rows } = await sql<{ what: string; times: bigint }>`
    SELECT 'borrowers' AS what, count(*) AS times FROM borrowers WHERE eligible
    UNION ALL SELECT 'draws', count(*) FROM draws WHERE status = 'COMPLETED'
    UNION ALL SELECT 'repayments', count(*) FROM repayments WHERE status = 'APPLIED'
    UNION ALL SELECT 'refunds', count(*) FROM refunds
    UNION ALL SELECT 'warnings', count(*) FROM margin_warnings
    UNION ALL SELECT 'calls', count(*) FROM margin_calls
    UNION ALL SELECT 'closed', count(*) FROM facilities WHERE state = 'CLOSED'
    UNION ALL SELECT 'events', count(*) FROM events
    UNION ALL SELECT 'attempts', count(*) FROM delivery_attempts`.execute(db)
  return rows.map(({ what, times }) => `${times} ${what}`).join(', ')
}
