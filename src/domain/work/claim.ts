import { randomUUID } from 'node:crypto'
import { addMs, SECOND_MS } from '../../core/time.ts'
import type { Db } from '../../db/database.ts'
import { type ClaimRow, claimReady, leaseDeadline, leaseItem, markDue } from './claim-queries.ts'
import type { Deadline } from './deadlines.ts'
import { PRIORITIES, type Priority, type Topic, topicRow } from './topics.ts'
import type { WorkItem } from './work.ts'

/** A piece of work that is ours until the lease is over: after that what we settle changes nothing. */
export type Claim = WorkItem & {
  dueAt: Date
  lease: string
  generation: bigint
  /** Failed runs before this one. */
  attempts: number
  traceparent: string | undefined
}

/** A run ends within this time; after it the work is claimed again. */
export const LEASE_MS = 30 * SECOND_MS

/** So much becomes ready in one statement. */
const DUE_BATCH = 1_000

/** How much to claim of one class. */
export type Demand = {
  priority: Priority
  /** The tenant after which the class goes on; tenants take turns. Empty for the first. */
  after: string
  /** So many pieces at most. */
  most: number
  /** So many of one tenant run together: no more tenants are taken than batches have room. */
  batch: number
  /** So many of one tenant, of which `holds` names none. */
  share: number
  /** What may still be claimed of tenants that have some running here. */
  holds: readonly { tenantId: string; share: number }[]
}

export type Claimed = {
  claims: Claim[]
  /** Where each class goes on, by priority; empty where its last tenant was reached. */
  next: ReadonlyMap<Priority, string>
}

const byRank: ReadonlyMap<number, Priority> = new Map(
  Object.entries(PRIORITIES).map(([name, { rank }]) => [rank, name as Priority]),
)

/**
 * Marks what has become due, and what a lost worker's lease has held, as ready to be claimed: work
 * by real time, deadlines by their tenants' clocks. Returns false while there may be more. One
 * process does it at a time, so that of two deadlines the earlier is never ready later.
 */
export async function markWorkDue(
  db: Db,
  topics: readonly Topic[],
  realNow: Date,
): Promise<boolean> {
  return (await markDue(db, topics, { realNow, limit: DUE_BATCH })) < DUE_BATCH
}

/**
 * Claims a batch of what is ready, of all classes asked for at once: from each the tenants in turn,
 * as much of each as is fair, and of a tenant what is due longest first. Deadlines are claimed one
 * at a time a tenant, the earliest first. Costs what it returns, whatever else is due or waits.
 */
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

/** Claims one piece of work if it is due; undefined if it is not, or is running elsewhere. */
export async function claimItem(db: Db, item: WorkItem, realNow: Date): Promise<Claim | undefined> {
  const lease = { token: randomUUID(), until: addMs(realNow, LEASE_MS) }
  const row = await leaseItem(db, item, lease, realNow)
  return row && toClaim(row, lease.token)
}

/** Claims a deadline that still stands at its instant, also where another worker has claimed it before. */
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
