import { randomUUID } from 'node:crypto'
import { addMs, SECOND_MS } from '../../core/time.ts'
import { type Db, inTransaction } from '../../db/database.ts'
import { isDistributed } from '../../db/distribution.ts'
import { findScopes, inScopes, readPresent, sumScopes } from '../tenants/each-tenant.ts'
import {
  type ClaimRow,
  claimReady,
  leaseDeadline,
  leaseItem,
  markDue,
  type Portion,
  type ReadyLane,
  selectAllReadyLanes,
  selectReadyLanes,
  selectTenantsWithDue,
  tryLockMarking,
} from './claim-queries.ts'
import type { Deadline } from './deadlines.ts'
import { type ClassDemand, dividePortions, lanesWanted } from './portions.ts'
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

/** What a class may have left that is ready: of tenants that got all they may have now, or have it. */
export type Rest = 'none' | 'claim again' | 'when a run ends'

export type Claimed = {
  claims: Claim[]
  /** Where each class continues, empty after its last tenant, and of the tenants before that the rest. */
  next: ReadonlyMap<Priority, { after: string; rest: Rest }>
  /** Of tenants that could not be asked; the others' claims are here all the same. */
  failures: readonly unknown[]
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
  const scopes = await findScopes(db, () => selectTenantsWithDue(db, topics, realNow))
  let mayHaveMore = false
  await sumScopes(scopes, async (tenantId) => {
    const page = { tenantId, realNow, limit: DUE_BATCH }
    const marked =
      tenantId === undefined
        ? await markDue(db, topics, page)
        : await inTransaction(db, async (tx) =>
            (await tryLockMarking(tx)) ? await markDue(tx, topics, page) : 0,
          )
    mayHaveMore ||= marked === DUE_BATCH
    return marked
  })
  return !mayHaveMore
}

/** Tenants in turn, a fair share each, the longest due first; deadlines one at a time a tenant. The
 * cost depends on what is returned, not on what waits. */
export async function claimWork(
  db: Db,
  topics: readonly Topic[],
  demands: readonly Demand[],
  realNow: Date,
): Promise<Claimed> {
  const classes = demands.map(({ priority, ...rest }) => ({
    ...rest,
    rank: PRIORITIES[priority].rank,
    inOrder: priority === 'deadlines',
  }))
  if (classes.length === 0) return { claims: [], next: new Map(), failures: [] }
  const { portions, next } = dividePortions(classes, await findLanes(db, classes))
  const lease = { token: randomUUID(), until: addMs(realNow, LEASE_MS) }
  const wanted = portions.filter(({ share }) => share > 0)
  const scopes = wanted.length === 0 ? [] : await inScopes(db, wanted)
  const claimed = await Promise.allSettled(
    scopes.map((some) =>
      inTransaction(db, async (tx) => claimReady(tx, topics, some, { lease, realNow })),
    ),
  )
  const failures = claimed.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
  const claims = claimed
    .flatMap((one) => (one.status === 'fulfilled' ? one.value.rows : []))
    .map((row) => toClaim(row, lease.token))
  const rankOf = ({ topic }: Claim) => PRIORITIES[topicRow(topic).priority].rank
  claims.sort((a, b) => rankOf(a) - rankOf(b) || a.dueAt.getTime() - b.dueAt.getTime())
  const restOf = (rank: number) =>
    findRest(
      portions.filter((portion) => portion.rank === rank),
      claims.filter((claim) => rankOf(claim) === rank),
    )
  return { claims, next: byPriority(next, restOf), failures }
}

function findRest(portions: readonly Portion[], claims: readonly Claim[]): Rest {
  const isFull = ({ tenantId, share }: Portion) =>
    share > 0 && claims.filter((claim) => claim.tenantId === tenantId).length >= share
  if (portions.some((portion) => !portion.inOrder && isFull(portion))) return 'claim again'
  return portions.some(({ share, inOrder }) => inOrder || share === 0) ? 'when a run ends' : 'none'
}

async function findLanes(db: Db, classes: readonly ClassDemand[]): Promise<readonly ReadyLane[]> {
  if (!(await isDistributed(db))) {
    const first = classes.map((demand) => ({ ...demand, most: lanesWanted(demand) }))
    return (await inTransaction(db, async (tx) => selectReadyLanes(tx, first))).rows
  }
  const ranks = classes.map(({ rank }) => rank)
  return await readPresent(db, async (tenantId) =>
    tenantId === undefined
      ? await selectAllReadyLanes(db, ranks)
      : ranks.map((rank) => ({ rank, tenantId })),
  )
}

function byPriority(
  next: ReadonlyMap<number, string>,
  restOf: (rank: number) => Rest,
): Claimed['next'] {
  return new Map(
    [...next].flatMap(([rank, after]) => {
      const priority = byRank.get(rank)
      return priority ? [[priority, { after, rest: restOf(rank) }] as const] : []
    }),
  )
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
