import { isId } from '../../../core/ids.ts'
import type { Clock } from '../../../core/time.ts'
import { type Db, inTransaction } from '../../../db/database.ts'
import {
  digestOf,
  findOutcome,
  type PushOutcome,
  type Snapshot,
} from '../../collateral/portfolios.ts'
import { type BorrowerKey, unknownBorrower } from '../../onboarding/borrowers.ts'
import type { ClockFor } from '../../tenants/tenant-clock.ts'
import { changeFacility } from '../change-facility.ts'
import { bindTerms } from '../policy.ts'
import type { MarginEvaluationContext } from './evaluate-facilities.ts'
import { storePush } from './store-pushes.ts'

export type PushContext = MarginEvaluationContext & {
  clock: Clock
  clockFor: ClockFor
  futureToleranceMs: number
}

const TRIES = 5

/** Stores a newer snapshot and requests the work it causes; a passed deadline is settled first. An
 * older one changes nothing; the stored one counts as applied. Refuses `not_found`,
 * `as_of_conflict`, `as_of_in_future`. Applied means committed. */
export async function pushPortfolio(
  db: Db,
  context: PushContext,
  { tenantId, borrowerId }: BorrowerKey,
  snapshot: Snapshot,
): Promise<PushOutcome> {
  const { clock, clockFor, futureToleranceMs } = context
  if (!isId('bor', borrowerId)) throw unknownBorrower()
  let isEvaluated = false
  for (let tries = 0; tries < TRIES; tries += 1) {
    const realNow = clock()
    const push = toPush({ tenantId, borrowerId }, snapshot)
    const stored = await storePush(db, { ...push, realNow, futureToleranceMs, isEvaluated })
    if (stored.applied) return { applied: true, asOfMicros: snapshot.asOfMicros }
    const now = await clockFor(db, tenantId)
    const overdue = stored.overdueFacilityId
    if (overdue !== undefined) {
      await inTransaction(db, async (tx) => {
        const margin = await bindTerms(context, { tx, tenantId, now, realNow })
        await changeFacility(margin, overdue)
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

/** Without its terms. */
export function toPush({ tenantId, borrowerId }: BorrowerKey, { asOfMicros, positions }: Snapshot) {
  return {
    tenantId,
    borrowerId,
    asOfMicros,
    digest: digestOf(positions),
    positions: Object.fromEntries(positions.map(({ asset, units }) => [asset, String(units)])),
  }
}
