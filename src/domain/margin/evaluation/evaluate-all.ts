import { addMs, type Clock, MINUTE_MS } from '../../../core/time.ts'
import type { Db } from '../../../db/database.ts'
import { releaseEvaluation, takeEvaluation } from '../../collateral/price-queries.ts'
import { readLatestPrices, readPriceWindow } from '../../collateral/price-rounds.ts'
import type { Prices } from '../../collateral/prices.ts'
import { centsPerUnit } from '../../collateral/valuation.ts'
import { isNodeAway } from '../../tenants/absent-tenants.ts'
import { readPresent } from '../../tenants/each-tenant.ts'
import type { TermsInForce } from '../policy.ts'
import { saleRatesAt } from '../sale-plan.ts'
import {
  type Candidate,
  countUnwarned,
  type Rates,
  selectCandidates,
  selectWarned,
  type VersionRates,
} from './candidate-queries.ts'
import type { MarginEvaluationContext } from './evaluate-facilities.ts'
import {
  evaluateInIsolation,
  type NotEvaluated,
  throwNotEvaluated,
} from './evaluate-in-isolation.ts'

const BATCH = 500

const LANES = 2

/** A worker that takes longer is stuck, or a second one may help: decisions are made once. */
const EVALUATION_LEASE_MS = MINUTE_MS

export type EvaluateAllContext = MarginEvaluationContext & { db: Db; clock: Clock }

/** False when another worker is evaluating. `stop` begins no further batch; errors are thrown last. */
export async function evaluateAll(
  context: EvaluateAllContext,
  stop: AbortSignal,
): Promise<boolean> {
  const { db, clock } = context
  const until = addMs(clock(), EVALUATION_LEASE_MS)
  if (!(await takeEvaluation(db, clock(), until))) return false
  try {
    const now = clock()
    const candidates = await findCandidates(db, await context.termsAt(db, now), now)
    await evaluateBatches(context, candidates, stop)
  } finally {
    await releaseEvaluation(db, until)
  }
  return true
}

export async function findCandidates(
  db: Db,
  terms: TermsInForce,
  now: Date,
): Promise<readonly Candidate[]> {
  const rates = await readRates(db, terms, now)
  return await readPresent(db, async (tenantId) =>
    // A warning that cannot be evaluated records since when.
    rates ? await selectCandidates(db, tenantId, rates, now) : await selectWarned(db, tenantId),
  )
}

/** 0 without prices. The next evaluation warns these facilities, unless it fails. */
export async function countUnwarnedBreaches(
  db: Db,
  terms: TermsInForce,
  now: Date,
): Promise<number> {
  const rates = await readRates(db, terms, now)
  return rates ? await countUnwarned(db, rates, now) : 0
}

async function readRates(db: Db, terms: TermsInForce, now: Date): Promise<Rates | undefined> {
  const latest = await readLatestPrices(db, now)
  const oldestOf = new Map<number, Prices | undefined>()
  const versions: VersionRates[] = []
  for (const { policy, marginPolicy } of terms.versions) {
    const { confirmMs, longestWindowMs: longestMs, haircuts } = marginPolicy
    if (!oldestOf.has(confirmMs)) {
      const window = await readPriceWindow(db, { now, confirmMs, longestMs })
      oldestOf.set(confirmMs, window?.[0])
    }
    const oldest = oldestOf.get(confirmMs)
    if (!oldest) continue
    // A breach holds at every round: these two leave few other facilities.
    const rounds = [latest, oldest].map((prices) => centsPerUnit(prices, haircuts))
    const saleRates = saleRatesAt(latest, marginPolicy)
    versions.push({ ...marginPolicy, version: policy.termsVersion, rounds, saleRates })
  }
  return versions.length > 0 ? { inForce: terms.policy.termsVersion, versions } : undefined
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
      try {
        failed.push(...(await evaluateInIsolation(db, context, batch, { instantNow, stop })))
      } catch (error) {
        // The tenants of the other nodes are evaluated.
        if (!isNodeAway(error)) throw error
        failed.push({ facilityIds: batch.facilityIds, error })
      }
    }
  }
  const lanes = await Promise.allSettled(Array.from({ length: LANES }, workOff))
  for (const lane of lanes) if (lane.status === 'rejected') throw lane.reason
  throwNotEvaluated(failed)
}

function* toBatches(candidates: readonly Candidate[]) {
  const byTenant = Map.groupBy(candidates, ({ tenantId }) => tenantId)
  for (const [tenantId, ofTenant] of byTenant) {
    for (let at = 0; at < ofTenant.length; at += BATCH) {
      const facilityIds = ofTenant.slice(at, at + BATCH).map(({ facilityId }) => facilityId)
      yield { tenantId, facilityIds }
    }
  }
}
