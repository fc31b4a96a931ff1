import pLimit, { type LimitFunction } from 'p-limit'
import { createHold, type Hold } from '../../core/hold.ts'
import { createOverlap, type Overlap } from '../../core/overlap.ts'
import { type Db, findRoot, inTransaction, inTransactionAhead, type Tx } from '../../db/database.ts'
import { isDistributed } from '../../db/distribution.ts'
import { afterCommit } from '../../db/transactions/after-commit.ts'
import { findScopes, sumScopes } from '../tenants/each-tenant.ts'
import type { LoneEvent } from './event-body.ts'
import { numberEvents, numberLone, numberTogether } from './number-events.ts'
import { selectTenantsLeft } from './number-queries.ts'

/** The more share a numbering, the less each costs. So one that has room waits while others of its process
 * are about to commit, but no longer than this after the last has ended. */
const HOLD_MS = 8

/** In a process: a second one only beside one that takes long. */
const SIDE_BY_SIDE = 2
const PATIENCE_MS = 25

/** These may wait for a counter that another transaction has locked. */
const ALONE_SIDE_BY_SIDE = 4

const MOST_TENANTS = 64

/** For so long no transaction numbers its own events: after some were numbered together, when more are
 * likely to come at once, and after one that did was undone. */
const REST_MS = 3
const LONG_REST_MS = 10_000

type Numberer = {
  db: Db
  /** Transactions that have written events and have not ended, counted once for each tenant. */
  writing: number
  /** Their events. */
  written: Map<Tx, LoneEvent[]>
  /** By `performance.now()`. */
  restsUntil: number
  waiting: Map<string, PromiseWithResolvers<void>>
  active: Set<string>
  hold: Hold
  overlap: Overlap
  limitAlone: LimitFunction
}

const numberers = new WeakMap<Db, Numberer>()

function numbererOf(db: Db): Numberer {
  const known = numberers.get(db)
  if (known) return known
  const numberer: Numberer = {
    db,
    writing: 0,
    written: new Map(),
    restsUntil: 0,
    waiting: new Map(),
    active: new Set(),
    hold: createHold(HOLD_MS, {
      isHeld: () => numberer.writing > 0 && numberer.waiting.size < MOST_TENANTS,
      begin: () => begin(numberer),
    }),
    overlap: createOverlap(SIDE_BY_SIDE, PATIENCE_MS),
    limitAlone: pLimit(ALONE_SIDE_BY_SIDE),
  }
  numberers.set(db, numberer)
  return numberer
}

/** Numbers what the transaction has written: within it, where no other of its process writes events and the
 * database is one server, and else once it has committed, together with others. */
export async function numberAtEnd(
  tx: Tx,
  tenantId: string,
  events: readonly Omit<LoneEvent, 'tenantId'>[],
): Promise<void> {
  const name = `events of ${tenantId}`
  const distributed = await isDistributed(tx)
  const numberer = numbererOf(findRoot(tx))
  const written = numberer.written.get(tx) ?? []
  numberer.written.set(tx, written)
  written.push(...events.map((event) => ({ ...event, tenantId })))
  if (tx.preparations.has(name)) return
  let isNumbered = false
  afterCommit(tx, name, async (db) => {
    if (!isNumbered) await numberCommitted(db, tenantId)
  })
  numberer.writing += 1
  tx.preparations.add(name, {
    isWanted: () => !distributed && isAlone(numberer),
    async run() {
      const [event, other] = written
      if (event && !other) {
        numberLone(tx, event, () => {
          isNumbered = true
        })
      } else isNumbered = (await numberTogether(tx, [tenantId])).length === 0
    },
    end(isUndone) {
      numberer.written.delete(tx)
      numberer.writing -= 1
      numberer.hold.hurry()
      if (isUndone) rest(numberer, LONG_REST_MS)
    },
  })
}

/** Events that are written side by side cost less when they are numbered together. */
const isAlone = ({ writing, overlap, waiting, restsUntil }: Numberer) =>
  writing === 1 && overlap.isIdle() && waiting.size === 0 && performance.now() >= restsUntil

function rest(numberer: Numberer, ms: number): void {
  numberer.restsUntil = Math.max(numberer.restsUntil, performance.now() + ms)
}

/** Resolves once all events of the tenant that were committed before the call are numbered. */
export function numberCommitted(db: Db, tenantId: string): Promise<void> {
  const numberer = numbererOf(db)
  const waiting = numberer.waiting.get(tenantId) ?? Promise.withResolvers<void>()
  numberer.waiting.set(tenantId, waiting)
  start(numberer)
  return waiting.promise
}

/** Transactions that commit together are numbered together. */
function start({ hold, overlap }: Numberer): void {
  if (overlap.mayBegin()) hold.start()
}

function begin(numberer: Numberer): void {
  const { waiting, active } = numberer
  // A counter that this process has locked would be left out.
  const free = [...waiting].filter(([tenantId]) => !active.has(tenantId)).slice(0, MOST_TENANTS)
  if (free.length === 0) return
  const taken = new Map(free)
  for (const tenantId of taken.keys()) {
    waiting.delete(tenantId)
    active.add(tenantId)
  }
  const end = (tenantId: string) => {
    active.delete(tenantId)
    if (waiting.has(tenantId)) start(numberer)
  }
  const pass = numberer.overlap.begin(() => {
    if (waiting.size > 0) start(numberer)
  })
  void number(numberer, taken, end).finally(() => {
    rest(numberer, REST_MS)
    numberer.hold.noteEnd()
    pass.end()
  })
}

/** Resolves when those have ended that are numbered together. */
async function number(
  numberer: Numberer,
  taken: ReadonlyMap<string, PromiseWithResolvers<void>>,
  end: (tenantId: string) => void,
): Promise<void> {
  const { db, limitAlone } = numberer
  const left = new Set(await findLeft(db, [...taken.keys()]))
  for (const [tenantId, { resolve, reject }] of taken) {
    const alone = () => inTransaction(db, (tx) => numberEvents(tx, tenantId))
    const numbered = left.has(tenantId) ? limitAlone(alone) : Promise.resolve()
    void numbered.then(() => resolve(), reject).finally(() => end(tenantId))
  }
}

/** Those that must be numbered alone. */
async function findLeft(db: Db, tenantIds: readonly string[]): Promise<readonly string[]> {
  try {
    if (await isDistributed(db)) return tenantIds
    // Changes wait for it that were committed before those which wait for a connection.
    return await inTransactionAhead(db, (tx) => numberTogether(tx, tenantIds))
  } catch {
    return tenantIds
  }
}

/** What a process left when it died between a commit and the numbering. */
export async function numberLeft(db: Db): Promise<number> {
  const find = () => selectTenantsLeft(db)
  const tenantIds = (await isDistributed(db)) ? await findScopes(db, find) : await find()
  return await sumScopes(tenantIds, async (tenantId) => {
    if (tenantId !== undefined) await numberCommitted(db, tenantId)
    return 1
  })
}
