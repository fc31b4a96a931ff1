import { formatDecimal, usd } from '../../../core/money.ts'
import { addMs, MINUTE_MS } from '../../../core/time.ts'
import { type Db, inTransaction } from '../../../db/database.ts'
import type { PortfolioSource } from '../../../db/schema/collateral.ts'
import {
  forgetReading,
  getPortfolioSource,
  lockPortfolioSource,
} from '../../collateral/portfolio-source.ts'
import type { PriceFeed } from '../../collateral/prices.ts'
import { appendEvents } from '../../events/append/append.ts'
import { getBorrower } from '../../onboarding/borrowers.ts'
import { findResidencyRule } from '../../onboarding/residency.ts'
import type { InstantFor } from '../../tenants/tenant-clock.ts'
import { clearDeadline } from '../../work/deadlines.ts'
import type { WorkResult } from '../../work/work.ts'
import { type CollateralView, loadCollateral } from '../custody/collateral-of.ts'
import { callAbout } from '../custody/custodian-call.ts'
import { beginReading, takeReading } from '../custody/read-positions.ts'
import type { ReadingPeriods } from '../custody/reading-period.ts'
import { type Facility, getFacility } from '../facilities.ts'
import { updateFacility } from '../ledger/ledger.ts'
import type { LendingContext } from '../lending-context.ts'
import { type LockedFacility, lockFacility } from '../locked-facility.ts'
import type { LendingTermsAt } from '../policy.ts'
import type { CallAnswer, Custodian } from '../ports.ts'
import { selectDeficit } from '../queries.ts'
import { DECIDE_FACILITY } from '../topics.ts'
import {
  decideUnderwriting,
  type UnderwritingDecision,
  type UnderwritingFacts,
} from './decide-underwriting.ts'
import { patienceEndsAt } from './patience.ts'

export type UnderwritingContext = {
  db: Db
  prices: PriceFeed
  custodian: Custodian
  termsAt: LendingTermsAt
  config: ReadingPeriods
  instant: InstantFor
}

const PRICE_RETRY_MS = MINUTE_MS

/** Waiting for a portfolio needs no retry: the next push or the end of the patience comes back. */
export async function underwriteFacility(
  context: UnderwritingContext,
  tenantId: string,
  facilityId: string,
): Promise<WorkResult> {
  const facility = await getFacility(context.db, tenantId, facilityId)
  if (facility.state !== 'PENDING' || facility.heldSince) return { done: true }
  const { now, realNow } = await context.instant(tenantId)
  const { policy } = await context.termsAt(context.db, now)
  const control = policy.requireControl
    ? await confirmControl(context, facility, realNow)
    : undefined
  if (control?.status === 'pending') return { done: false, retryAt: control.askAgainAt }
  const source = await getPortfolioSource(context.db, tenantId)
  const reading = source === 'custodian' ? await takeReading(context, facility) : undefined
  const instant = await context.instant(tenantId)
  const { prices } = context
  const decision = await inTransaction(context.db, async (tx) => {
    const terms = await context.termsAt(tx, instant.now)
    const lending = { tx, tenantId, ...instant, ...terms, prices }
    return await settleUnderwriting(lending, facilityId, { control: toControl(control), source })
  })
  if (decision === 'source_changed') return { done: false, retryAt: realNow }
  if (decision?.decision !== 'wait') return { done: true }
  // A slow reading may be too old when it comes.
  if (reading && (!reading.isTaken || decision.for === 'portfolio'))
    return { done: false, retryAt: reading.againAt }
  if (decision.for !== 'price') return { done: true }
  return { done: false, retryAt: addMs(realNow, PRICE_RETRY_MS) }
}

async function confirmControl(
  { custodian }: UnderwritingContext,
  facility: Facility,
  realNow: Date,
): Promise<CallAnswer<object>> {
  return await custodian.confirmControl(callAbout(facility, 'control', realNow))
}

function toControl(answer: CallAnswer<object> | undefined): UnderwritingFacts['control'] {
  if (!answer) return 'not_required'
  return answer.status === 'done' ? 'confirmed' : 'denied'
}

/** Decides a pending facility whose patience is over, unless the custodian still has to answer. */
export async function decideOverdue(lending: LendingContext, facilityId: string): Promise<void> {
  const control = lending.policy.requireControl ? 'not_answered' : 'not_required'
  await settleUnderwriting(lending, facilityId, { control })
}

/** Leaves any other state alone, and a source other than the one that was asked. */
async function settleUnderwriting(
  lending: LendingContext,
  facilityId: string,
  asked: { control: UnderwritingFacts['control']; source?: PortfolioSource },
): Promise<UnderwritingDecision | 'source_changed' | undefined> {
  const { tx, tenantId, policy } = lending
  const locked = await lockFacility(lending, facilityId)
  const { facility, now } = locked
  // The end of a hold asks again.
  if (facility.state !== 'PENDING' || facility.heldSince) return undefined
  // A tenant choosing another source waits for this lock, and then finds the facility approved.
  const source = await lockPortfolioSource(tx, tenantId, now)
  if (asked.source !== undefined && asked.source !== source) return 'source_changed'
  const borrower = await getBorrower(tx, tenantId, facility.borrowerId)
  const residency = { country: borrower.residencyCountry, state: borrower.residencyState }
  const rule = await findResidencyRule(tx, residency, borrower.type)
  const prices = await lending.prices.latest(tx, tenantId, now)
  const collateral = await loadCollateral(lending, borrower.id, prices)
  const knownSince = portfolioKnownSince(collateral, source)
  const decision = decideUnderwriting(
    {
      isBorrowerEligible: borrower.eligible && !borrower.block,
      deficitCents: await selectDeficit(tx, tenantId, borrower.id),
      limitCents: facility.limitCents,
      residencyMaxCents: rule?.maxLimitCents,
      portfolioAgeMs: knownSince && now.getTime() - knownSince.getTime(),
      collateralValueCents: collateral.valuation.valueCents,
      isAllPriced: collateral.valuation.unpriced.length === 0,
      control: asked.control,
      isPatienceOver: (await patienceEndsAt(tx, facility, policy, now)) <= now,
    },
    policy,
  )
  if (decision.decision === 'wait') return decision
  if (decision.decision === 'approved' && source === 'custodian') {
    await beginReading(tx, tenantId, facilityId, lending.realNow)
  }
  await applyDecision(locked, decision)
  return decision
}

/** The older of the two sources must be recent. */
function portfolioKnownSince(
  { receivedAt, readAt }: CollateralView,
  source: PortfolioSource,
): Date | undefined {
  if (source === 'push') return receivedAt
  if (!receivedAt || !readAt) return undefined
  return receivedAt < readAt ? receivedAt : readAt
}

async function applyDecision(
  locked: LockedFacility<LendingContext>,
  decision: Exclude<UnderwritingDecision, { decision: 'wait' }>,
): Promise<void> {
  const { tx, tenantId, facility, now } = locked
  const { id } = facility
  const { termsVersion } = locked.policy
  if (decision.decision === 'declined') await forgetReading(tx, tenantId, facility.borrowerId)
  const reasons = decision.decision === 'declined' ? decision.reasons : []
  const change =
    decision.decision === 'approved'
      ? { state: 'APPROVED' as const, decisioned_at: now, terms_version: termsVersion }
      : { state: 'DECLINED' as const, decisioned_at: now, decline_reasons: reasons }
  await updateFacility(locked, change)
  await clearDeadline(tx, tenantId, DECIDE_FACILITY, id)
  appendEvents(tx, tenantId, [
    {
      type: 'facility.decisioned',
      resource: { type: 'facility', id },
      occurredAt: now,
      data: {
        facility_id: id,
        borrower_id: facility.borrowerId,
        decision: decision.decision,
        limit: usd(facility.limitCents),
        rate: formatDecimal(facility.debt.ratePpm, 6),
        reasons,
      },
    },
  ])
}
