import { type Db, inStatement } from '../../../db/database.ts'
import { isDistributed } from '../../../db/distribution.ts'
import { isConnectionLost } from '../../../db/errors.ts'
import { createStoreMany } from './push-many-queries.ts'
import {
  createStoreSnapshot,
  type PushConstants,
  type PushedRow,
  type PushTerms,
  type StoredPush,
} from './push-queries.ts'

/** Of a tenant. Pushes that come while so many statements run are stored together. */
const SIDE_BY_SIDE = 4

const MOST_TOGETHER = 8

/** A statement that takes longer, such as for a lock, holds up no others. */
const HOLDS_UP_MS = 100

type Waiting = {
  push: PushedRow
  terms: PushTerms
  stored: PromiseWithResolvers<StoredPush>
}

type Lane = { running: number; waiting: Waiting[] }

/** Stores a push, under load together with others of its tenant: their rows share a statement, whose
 * setup costs more than a row, and a commit. */
export function createStorePush(constants: PushConstants) {
  const storeSnapshot = createStoreSnapshot(constants)
  const storeMany = createStoreMany(constants)
  const lanesOf = new WeakMap<Db, Map<string, Lane>>()

  const storeAlone = (db: Db, push: PushedRow, terms: PushTerms) =>
    inStatement(db, () => storeSnapshot(db, push, terms))

  async function storeGroup(db: Db, group: readonly Waiting[]): Promise<void> {
    let stored: ReadonlyMap<string, StoredPush> = new Map()
    try {
      stored = await storeFree(db, group)
    } catch (error) {
      // Without a connection each alone would wait as long again; else each has an error of its own.
      if (isConnectionLost(error)) {
        for (const waiting of group) waiting.stored.reject(error)
        return
      }
    }
    await Promise.all(
      group.map(async ({ push, terms, stored: { resolve, reject } }) => {
        const own = stored.get(push.borrowerId)
        if (own) resolve(own)
        else await storeAlone(db, push, terms).then(resolve, reject)
      }),
    )
  }

  /** By borrower; what it returns nothing for is to be stored alone. */
  async function storeFree(
    db: Db,
    group: readonly Waiting[],
  ): Promise<ReadonlyMap<string, StoredPush>> {
    const newest = group.at(-1)
    if (!newest || group.length === 1) return new Map()
    const pushes = group.map(({ push }) => push)
    return await storeMany(db, newest.push.tenantId, pushes, newest.terms)
  }

  async function storeWaiting(db: Db, lane: Lane): Promise<void> {
    lane.running += 1
    for (let group = takeGroup(lane); group.length > 0; group = takeGroup(lane)) {
      await atMost(HOLDS_UP_MS, storeGroup(db, group))
    }
    lane.running -= 1
  }

  return async (db: Db, push: PushedRow, terms: PushTerms): Promise<StoredPush> => {
    if (db.isTransaction || terms.isEvaluated || (await isDistributed(db))) {
      return await storeAlone(db, push, terms)
    }
    const lanes = lanesOf.get(db) ?? new Map<string, Lane>()
    lanesOf.set(db, lanes)
    const lane = lanes.get(push.tenantId) ?? { running: 0, waiting: [] }
    lanes.set(push.tenantId, lane)
    const stored = Promise.withResolvers<StoredPush>()
    lane.waiting.push({ push, terms, stored })
    if (lane.running < SIDE_BY_SIDE) {
      void storeWaiting(db, lane).finally(() => {
        if (lane.running === 0) lanes.delete(push.tenantId)
      })
    }
    return await stored.promise
  }
}

async function atMost(ms: number, running: Promise<void>): Promise<void> {
  const slow = Promise.withResolvers<void>()
  const timer = setTimeout(slow.resolve, ms)
  await Promise.race([running, slow.promise])
  clearTimeout(timer)
}

/** The longest waiting, each borrower once: a statement changes a row once. */
function takeGroup(lane: Lane): Waiting[] {
  const taken = new Map<string, Waiting>()
  const left: Waiting[] = []
  for (const one of lane.waiting) {
    const { borrowerId } = one.push
    if (taken.size < MOST_TOGETHER && !taken.has(borrowerId)) taken.set(borrowerId, one)
    else left.push(one)
  }
  lane.waiting = left
  return [...taken.values()]
}
