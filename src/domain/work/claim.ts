import { randomUUID } from 'node:crypto'
import { addMs, type Clock, SECOND_MS } from '../../core/time.ts'
import { isDistributed } from '../../db/cluster/distribution.ts'
import { type Db, inTransaction } from '../../db/database.ts'
import type { TenantScope } from '../../db/tenant-scope.ts'
import { findScopes, readPresent, sumScopes } from '../tenants/each-tenant.ts'
import {
  type ClaimRow,
  claimEarliest,
  claimOfLane,
  freeItems,
  type LaneRow,
  leaseDeadline,
  leaseItem,
  markDue,
  selectAllWaitingLanes,
  selectTenantsWithDue,
  selectWaitingLanes,
} from './claim-queries.ts'
import type { Deadline } from './deadlines.ts'
import { isTopic, type TopicLane, toLane, type WorkLane } from './lanes.ts'
import { PRIORITIES, rankOf, type Topic } from './topics.ts'
import type { WorkItem } from './work.ts'

export type Claim = WorkItem & {
  dueAt: Date
  lease: string
  leasedUntil: Date
  generation: bigint
  attempts: number
  traceparent: string | undefined
}

/** After it work is claimed again. */
export const LEASE_MS = 30 * SECOND_MS

/** A job ends within this time. */
const LONGEST_RUN_MS = 25 * SECOND_MS

const DUE_BATCH = 1_000

export type Marked = {
  lanes: WorkLane[]
  mayHaveMore: boolean
  /** Some tenants could not be served: the first one's error. */
  failed: { error: unknown } | undefined
}

/** Marks what has become due, also work whose worker was lost, and returns its lanes. */
export async function markWorkDue(
  db: Db,
  topics: readonly Topic[],
  realNow: Date,
): Promise<Marked> {
  const scopes = await findScopes(db, () => selectTenantsWithDue(db, topics, realNow))
  const lanes: LaneRow[] = []
  let mayHaveMore = false
  const serve = async (tenantId: TenantScope) => {
    const page = { tenantId, realNow, limit: DUE_BATCH }
    const found = await markDue(db, topics, page)
    mayHaveMore ||= found.marked >= DUE_BATCH
    lanes.push(...found.lanes)
    return 0
  }
  const failed = await sumScopes(scopes, serve).then(
    () => undefined,
    (error: unknown) => ({ error }),
  )
  return { lanes: lanes.flatMap(toKnownLane), mayHaveMore, failed }
}

function toKnownLane({ tenant_id: tenantId, topic, part }: LaneRow): WorkLane[] {
  return isTopic(topic) ? [toLane({ tenantId, topic, part })] : []
}

export type Waiting = { lane: WorkLane; waitedMs: number }

/** Finds lanes with work that is ready, a part of them at each call: of every class at most so many,
 * then those that follow, then from the first again. */
export function createWaitingFinder(
  db: Db,
  topics: readonly Topic[],
): (now: Date, most: number) => Promise<Waiting[]> {
  const ranks = [...new Set(topics.map(rankOf))]
  let after = ranks.map(firstLane)
  return async (now, most) => {
    const found = await readPresent(db, async (tenantId) =>
      (await isDistributed(db))
        ? await selectAllWaitingLanes(db, ranks, { tenantId, now })
        : (await inTransaction(db, async (tx) => selectWaitingLanes(tx, after, { most, now })))
            .rows,
    )
    const byRank = Map.groupBy(found, ({ rank }) => rank)
    after = ranks.map((rank) => {
      const ofRank = byRank.get(rank) ?? []
      return ofRank.length < most ? firstLane(rank) : (ofRank.at(-1) ?? firstLane(rank))
    })
    return found.flatMap((row) =>
      toKnownLane(row).map((lane) => ({ lane, waitedMs: row.waited_ms })),
    )
  }
}

const firstLane = (rank: number) => ({ rank, tenant_id: '', topic: '', part: 0 })

/** The longest due of a lane, at most so many. */
export async function claimLane(
  db: Db,
  lane: TopicLane,
  most: number,
  clock: Clock,
): Promise<Claim[]> {
  const { tenantId, topic, part, queue } = lane
  const { sent, lease } = await inTransaction(db, async (tx) => {
    // After the wait for a connection.
    const lease = newLease(clock())
    const terms = { tenantId, topic, part, rank: PRIORITIES[queue].rank, most }
    return { sent: claimOfLane(tx, { ...terms, lease: lease.token, until: lease.until }), lease }
  })
  return sent.rows
    .map((row) => toClaim(row, lease))
    .sort((a, b) => a.dueAt.getTime() - b.dueAt.getTime())
}

/** The tenant's earliest deadline that is ready; undefined while another one runs. */
export async function claimDeadline(
  db: Db,
  tenantId: string,
  topics: readonly Topic[],
  clock: Clock,
): Promise<Claim | undefined> {
  const { sent, lease } = await inTransaction(db, async (tx) => {
    const realNow = clock()
    const lease = newLease(realNow)
    const terms = { tenantId, topics, realNow, lease: lease.token, until: lease.until }
    return { sent: claimEarliest(tx, terms), lease }
  })
  return sent.rows[0] && toClaim(sent.rows[0], lease)
}

/** A later beginning could outlast the lease. */
export function mayBegin({ leasedUntil }: Claim, realNow: Date): boolean {
  return realNow <= addMs(leasedUntil, -LONGEST_RUN_MS)
}

/** Frees what one claim has brought and no one begins. */
export async function giveBack(db: Db, claims: readonly Claim[], now: Date): Promise<void> {
  const [first] = claims
  if (!first) return
  const { tenantId, topic, lease } = first
  const subjectIds = claims.map(({ subjectId }) => subjectId)
  await inTransaction(db, async (tx) => {
    tx.send(freeItems({ tenantId, topic, subjectIds, lease, now }))
  })
}

const newLease = (realNow: Date) => ({ token: randomUUID(), until: addMs(realNow, LEASE_MS) })

export async function claimItem(db: Db, item: WorkItem, realNow: Date): Promise<Claim | undefined> {
  const lease = newLease(realNow)
  const row = await leaseItem(db, item, lease, realNow)
  return row && toClaim(row, lease)
}

export async function takeDeadline(
  db: Db,
  deadline: Deadline,
  realNow: Date,
): Promise<Claim | undefined> {
  const lease = newLease(realNow)
  const row = await leaseDeadline(db, deadline, lease)
  return row && toClaim(row, lease)
}

function toClaim(row: ClaimRow, { token, until }: ReturnType<typeof newLease>): Claim {
  return {
    tenantId: row.tenant_id,
    topic: row.topic as Topic,
    subjectId: row.subject_id,
    dueAt: row.due_at,
    lease: token,
    leasedUntil: until,
    generation: row.generation,
    attempts: row.attempts,
    traceparent: row.traceparent ?? undefined,
  }
}
