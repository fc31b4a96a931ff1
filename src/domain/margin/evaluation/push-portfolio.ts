import { isId } from '../../../core/ids.ts'
import type { Clock } from '../../../core/time.ts'
import { currentTrace, type Db, inTransaction, wakeAfterStatement } from '../../../db/database.ts'
import {
  digestOf,
  findOutcome,
  type PushOutcome,
  type Snapshot,
} from '../../collateral/portfolios.ts'
import { HAIRCUTS_PPM } from '../../collateral/valuation.ts'
import { AFTER_PUSH } from '../../facilities/topics.ts'
import { type BorrowerKey, unknownBorrower } from '../../onboarding/borrowers.ts'
import type { ClockFor } from '../../tenants/tenant-clock.ts'
import { rankOf } from '../../work/topics.ts'
import { bindTerms } from '../policy.ts'
import { settlePastDeadline } from './evaluate.ts'
import type { MarginEvaluationContext } from './evaluate-facilities.ts'
import { createStorePush } from './store-pushes.ts'

export type PushContext = MarginEvaluationContext & {
  clock: Clock
  clockFor: ClockFor
  futureToleranceMs: number
}

const storePush = createStorePush({
  assets: [...HAIRCUTS_PPM.keys()],
  topics: {
    PENDING: { topic: AFTER_PUSH.PENDING, rank: rankOf(AFTER_PUSH.PENDING) },
    APPROVED: { topic: AFTER_PUSH.APPROVED, rank: rankOf(AFTER_PUSH.APPROVED) },
  },
})

const TRIES = 5

/** Stores a newer snapshot and requests the work it causes; a passed deadline is settled first. An
 * older one changes nothing; the stored one counts as applied. Refuses `not_found`,
 * `as_of_conflict`, `as_of_in_future`. Applied means committed, unless `db` is an open
 * transaction. */
export async function pushPortfolio(
  db: Db,
  context: PushContext,
  { tenantId, borrowerId }: BorrowerKey,
  snapshot: Snapshot,
): Promise<PushOutcome> {
  const { clock, clockFor, futureToleranceMs } = context
  if (!isId('bor', borrowerId)) throw unknownBorrower()
  const { asOfMicros, positions } = snapshot
  const row = {
    tenantId,
    borrowerId,
    asOfMicros,
    digest: digestOf(positions),
    positions: Object.fromEntries(positions.map(({ asset, units }) => [asset, String(units)])),
    trace: currentTrace(db),
  }
  let isEvaluated = false
  for (let tries = 0; tries < TRIES; tries += 1) {
    const realNow = clock()
    const terms = { realNow, futureToleranceMs, isEvaluated }
    const stored = await storePush(db, row, terms)
    if (stored.topic !== null) wakeAfterStatement(db, { kind: 'work', topic: stored.topic })
    if (stored.applied) return { applied: true, asOfMicros }
    const now = await clockFor(db, tenantId)
    if (stored.overdue_facility_id !== null) {
      const overdue = stored.overdue_facility_id
      await inTransaction(db, async (tx) => {
        const margin = await bindTerms(context, { tx, tenantId, now, realNow })
        await settlePastDeadline(margin, overdue)
      })
      // The warning may still be open: an escalation waits for the custodian.
      isEvaluated = true
      continue
    }
    const borrower = { tenantId, borrowerId }
    const known = await findOutcome(db, borrower, snapshot, { now, futureToleranceMs })
    if (known) return known
  }
  throw new Error('a push neither stored a snapshot nor found another')
}
