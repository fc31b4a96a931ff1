import { type ListRequest, listAfter, mapPage, type Page } from '../../core/page.ts'
import { type Db, inTransaction, type Tx, wakeAfterCommit } from '../../db/database.ts'
import { listPresentScopes, listScopes } from '../tenants/each-tenant.ts'
import { STUCK_ATTEMPTS } from './failure.ts'
import { countStuckByTopic, makeFailedDue, makeOutageDue, selectStuck } from './stuck-queries.ts'
import type { Topic } from './topics.ts'

export type StuckFilter = {
  tenantId?: string | undefined
  topic?: Topic | undefined
  subjectId?: string | undefined
}

export type StuckWork = {
  tenantId: string
  topic: Topic
  subjectId: string
  attempts: number
  failingSince: Date
  error: string
}

/** Longest failing first. Refuses `cursor_invalid`. */
export async function listStuckWork(
  db: Db,
  filter: StuckFilter,
  list: Omit<ListRequest, 'context'>,
): Promise<Page<StuckWork>> {
  const { tenantId = '', topic = '', subjectId = '' } = filter
  const page = await listAfter(
    { ...list, context: `operator/stuck/${tenantId}/${topic}/${subjectId}` },
    (stretch) => selectStuck(db, filter, STUCK_ATTEMPTS, stretch),
    (row) => [row.position, row.tenant_id, row.topic, row.subject_id],
  )
  return mapPage(page, toStuckWork)
}

function toStuckWork(row: Awaited<ReturnType<typeof selectStuck>>[number]): StuckWork {
  return {
    tenantId: row.tenant_id,
    topic: row.topic as Topic,
    subjectId: row.subject_id,
    attempts: row.attempts,
    failingSince: row.failing_since ?? row.due_at,
    error: row.last_error ?? '',
  }
}

export async function countStuckWork(db: Db): Promise<Map<string, number>> {
  const rows = await countStuckByTopic(db, STUCK_ATTEMPTS)
  return new Map(rows.map((row) => [row.topic, Number(row.count)]))
}

export async function retryFailedWork(tx: Tx, filter: StuckFilter, realNow: Date): Promise<number> {
  const atLeast = filter.subjectId === undefined ? STUCK_ATTEMPTS : 1
  const scopes = filter.tenantId === undefined ? await listScopes(tx) : [filter.tenantId]
  let made = 0
  for (const tenantId of scopes) {
    made += await makeFailedDue(tx, { ...filter, tenantId }, { atLeast, now: realNow })
  }
  return made
}

/** Makes due now what began to fail during an outage of a provider. What failed before waits on. */
export async function retryAfterOutage(
  db: Db,
  outage: { provider: string; since: Date },
  now: Date,
): Promise<void> {
  for (const tenantId of await listPresentScopes(db)) {
    await inTransaction(db, async (tx) => {
      const made = await makeOutageDue(tx, tenantId, { ...outage, now })
      for (const item of made) wakeAfterCommit(tx, { kind: 'work', ...item })
    })
  }
}
