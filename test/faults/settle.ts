import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db } from '../../src/db/database.ts'
import { untilAnswering, type World } from './world.ts'

/** What may be left behind by the last fault is anyone's after half a minute. */
const PATIENCE_MS = 120_000

/** Waits until everything answers and nothing is under way any more; says what still is if it never ends. */
export async function settle({ db, origins }: World): Promise<string[]> {
  await Promise.all(origins.map(untilAnswering))
  const until = Date.now() + PATIENCE_MS
  for (let quiet = 0; quiet < 3; await pause(250)) {
    const left = await findUnderWay(db)
    quiet = left.length === 0 ? quiet + 1 : 0
    if (Date.now() > until) return left.map((item) => `has not come to rest: ${item}`)
  }
  return []
}

/** What is due, being done, or was tried in vain. What is planned for later may wait for it. */
async function findUnderWay(db: Db): Promise<string[]> {
  const { rows } = await sql<{ item: string }>`
    SELECT 'work ' || topic || ' on ' || subject_id || ', ' || attempts || ' attempts'
      || coalesce(', ' || last_error, '') AS item
    FROM outbox WHERE due_at <= now() OR lease IS NOT NULL OR attempts > 0
    UNION ALL
    SELECT 'delivery of ' || event_id || ' to ' || webhook_id FROM deliveries
    -- A lease on what is not due any more is that of a webhook that has ended.
    WHERE due_at <= now() OR (lease IS NOT NULL AND due_at IS NOT NULL)
    UNION ALL
    SELECT 'deadline ' || topic || ' of ' || subject_id
    FROM deadlines d JOIN tenants t USING (tenant_id)
    -- A goal that a broken request has left waits for its retry, not for a worker.
    WHERE d.topic <> 'clock-goal'
      AND d.due_at < now() + t.clock_offset_ms * interval '1 millisecond'
    LIMIT 20`.execute(db)
  return rows.map(({ item }) => item)
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

/** Sessions that hold a transaction open and do nothing, now that all is at rest. */
export async function findIdleTransactions(db: Db): Promise<string[]> {
  const { rows } = await sql<{ query: string }>`
    SELECT query FROM pg_stat_activity WHERE datname = current_database()
      AND state LIKE 'idle in transaction%' AND state_change < now() - interval '2 seconds'
  `.execute(db)
  return rows.map(({ query }) => `a session is idle in a transaction after: ${query}`)
}
