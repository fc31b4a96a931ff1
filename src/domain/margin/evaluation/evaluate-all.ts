import { addMs, type Clock, MINUTE_MS } from '../../../core/time.ts'
import type { Db } from '../../../db/database.ts'
import { releaseEvaluation, takeEvaluation } from '../../collateral/price-queries.ts'
import { readLatestPrices, readPriceWindow } from '../../collateral/price-rounds.ts'
import { centsPerUnit, HAIRCUTS_PPM } from '../../collateral/valuation.ts'
import type { MarginPolicy } from '../policy.ts'
import {
  type Candidate,
  countUnwarned,
  selectCandidates,
  selectWarned,
} from './candidate-queries.ts'
import type { MarginEvaluationContext } from './evaluate-facilities.ts'
import {
  evaluateInIsolation,
  type NotEvaluated,
  throwNotEvaluated,
} from './evaluate-in-isolation.ts'

/** So many facilities are locked, judged and written in one transaction. */
const BATCH = 500

/** While one batch waits for the database, this process prepares the next. */
const LANES = 2

/**
 * A worker that judges for longer has died or lost its database, or another may as well help: what is
 * judged twice is decided once.
 */
const EVALUATION_LEASE_MS = MINUTE_MS

export type EvaluateAllContext = MarginEvaluationContext & { db: Db; clock: Clock }

/**
 * Judges all facilities of all tenants after a price round, on a stack whose clocks are the wall
 * clock (interface, What the service does: margin warning ladder transitions). One pass over the
 * database finds those that the ladder could do something with, and only they are locked and judged.
 * False when another worker is still judging. Once `stop` is aborted no further batch is begun. What
 * fails is left to the next round; the errors are thrown together once the others are done.
 */
export async function evaluateAll(
  context: EvaluateAllContext,
  stop: AbortSignal,
): Promise<boolean> {
  const { db, clock } = context
  const until = addMs(clock(), EVALUATION_LEASE_MS)
  if (!(await takeEvaluation(db, clock(), until))) return false
  try {
    const candidates = await findCandidates(db, context.marginPolicy, clock())
    await evaluateBatches(context, candidates, stop)
  } finally {
    await releaseEvaluation(db, until)
  }
  return true
}

/** A superset of the facilities that the ladder decides something about at `now`. */
export async function findCandidates(
  db: Db,
  policy: MarginPolicy,
  now: Date,
): Promise<Candidate[]> {
  const counted = await readCounted(db, policy, now)
  // Of a warning that cannot be judged it is noted since when.
  return counted
    ? await selectCandidates(db, counted, policy.floorLtvPpm, now)
    : await selectWarned(db)
}

/**
 * How many facilities are in breach and have neither a warning nor a call: more than those that the
 * coming judgement will warn only where judging fails. 0 while nothing can be judged. One pass over
 * the facilities, like that of a judgement.
 */
export async function countUnwarnedBreaches(
  db: Db,
  policy: MarginPolicy,
  now: Date,
): Promise<number> {
  const counted = await readCounted(db, policy, now)
  return counted ? await countUnwarned(db, counted, policy, now) : 0
}

/** What assets count as at the latest prices and at the oldest of the window, if it has one. */
async function readCounted(db: Db, policy: MarginPolicy, now: Date) {
  const { confirmMs, longestWindowMs: longestMs } = policy
  const window = await readPriceWindow(db, { now, confirmMs, longestMs })
  const oldest = window?.[0]
  // Without a round old enough nothing is judged.
  if (!oldest) return undefined
  // A facility is in breach only if it is at every round: these two leave few that are not.
  const rounds = [await readLatestPrices(db, now), oldest]
  return rounds.map((prices) => centsPerUnit(prices, HAIRCUTS_PPM))
}

async function evaluateBatches(
  context: EvaluateAllContext,
  candidates: readonly Candidate[],
  stop: AbortSignal,
): Promise<void> {
  const { db, clock } = context
  const failed: NotEvaluated[] = []
  const batches = toBatches(candidates)
  const instantNow = () => {
    const now = clock()
    return { now, realNow: now }
  }
  const workOff = async () => {
    for (const batch of batches) {
      if (stop.aborted) return
      const left = await evaluateInIsolation(db, context, batch, { instantNow, stop })
      failed.push(...left)
    }
  }
  const lanes = await Promise.allSettled(Array.from({ length: LANES }, workOff))
  for (const lane of lanes) if (lane.status === 'rejected') throw lane.reason
  throwNotEvaluated(failed)
}

/** Batches of one tenant each. */
function* toBatches(candidates: readonly Candidate[]) {
  const byTenant = Map.groupBy(candidates, ({ tenantId }) => tenantId)
  for (const [tenantId, ofTenant] of byTenant) {
    for (let at = 0; at < ofTenant.length; at += BATCH) {
      const facilityIds = ofTenant.slice(at, at + BATCH).map(({ facilityId }) => facilityId)
      yield { tenantId, facilityIds }
    }
  }
}
