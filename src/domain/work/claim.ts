import { randomUUID } from 'node:crypto'
import { addMs, SECOND_MS } from '../../core/time.ts'
import type { Db } from '../../db/database.ts'
import { type ClaimRow, claimReady, leaseDeadline, leaseItem, markDue } from './claim-queries.ts'
import type { Deadline } from './deadlines.ts'
import { PRIORITIES, type Priority, type Topic, topicRow } from './topics.ts'
import type { WorkItem } from './work.ts'

export type Claim = WorkItem & {
  dueAt: Date
  lease: string
  generation: bigint
  attempts: number
  traceparent: string | undefined
}

/** A run ends within this time; after it the work is claimed again. */
export const LEASE_MS = 30 * SECOND_MS

const DUE_BATCH = 1_000

export type Demand = {
  priority: Priority
  /** Continue after this tenant, so that tenants take turns; empty to begin. */
  after: string
  most: number
  /** At most this many of one tenant; limits the number of tenants. */
  batch: number
  share: number
  holds: readonly { tenantId: string; share: number }[]
}

export type Claimed = {
  claims: Claim[]
  /** Where each class continues; empty after its last tenant. */
  next: ReadonlyMap<Priority, string>
}

const byRank: ReadonlyMap<number, Priority> = new Map(
  Object.entries(PRIORITIES).map(([name, { rank }]) => [rank, name as Priority]),
)

/** Also work whose worker was lost. False while there may be more. One process at a time, so that
 * of two deadlines the earlier is never ready later. */
export async function markWorkDue(
  db: Db,
  topics: readonly Topic[],
  realNow: Date,
): Promise<boolean> {
  return (await markDue(db, topics, { realNow, limit: DUE_BATCH })) < DUE_BATCH
}

/** Tenants in turn, a fair share each, the longest due first; deadlines one at a time a tenant. The
 * cost depends on what is returned, not on what waits. */
export async function claimWork(
  db: Db,
  topics: readonly Topic[],
  demands: readonly Demand[],
  realNow: Date,
): Promise<Claimed> {
  if (demands.length === 0) return { claims: [], next: new Map() }
  const lease = { token: randomUUID(), until: addMs(realNow, LEASE_MS) }
  const rows = await claimReady(
    db,
    topics,
    demands.map(({ priority, holds, ...rest }) => ({
      ...rest,
      rank: PRIORITIES[priority].rank,
      inOrder: priority === 'deadlines',
      holds,
    })),
    { lease, realNow },
  )
  const next = new Map<Priority, string>()
  const claims: Claim[] = []
  for (const { rank, next: after, ...row } of rows) {
    const priority = byRank.get(rank)
    if (priority) next.set(priority, after)
    if (row.topic !== null) claims.push(toClaim(row as ClaimRow, lease.token))
  }
  const rankOf = ({ topic }: Claim) => PRIORITIES[topicRow(topic).priority].rank
  claims.sort((a, b) => rankOf(a) - rankOf(b) || a.dueAt.getTime() - b.dueAt.getTime())
  return { claims, next }
}

export async function claimItem(db: Db, item: WorkItem, realNow: Date): Promise<Claim | undefined> {
  const lease = { token: randomUUID(), until: addMs(realNow, LEASE_MS) }
  const row = await leaseItem(db, item, lease, realNow)
  return row && toClaim(row, lease.token)
}

export async function takeDeadline(
  db: Db,
  deadline: Deadline,
  realNow: Date,
): Promise<Claim | undefined> {
  const lease = { token: randomUUID(), until: addMs(realNow, LEASE_MS) }
  const row = await leaseDeadline(db, deadline, lease)
  return row && toClaim(row, lease.token)
}

function toClaim(row: ClaimRow, lease: string): Claim {
  return {
    tenantId: row.tenant_id,
    topic: row.topic as Topic,
    subjectId: row.subject_id,
    dueAt: row.due_at,
    lease,
    generation: row.generation,
    attempts: row.attempts,
    traceparent: row.traceparent ?? undefined,
  }
}
