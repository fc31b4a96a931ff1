import { Refusal } from '../../core/errors.ts'
import { newId } from '../../core/ids.ts'
import { formatDecimal, formatUsd } from '../../core/money.ts'
import { execute } from '../../db/transactions/execute.ts'
import { appendEvents } from '../events/append/append.ts'
import { beginClosing, closeFacility } from '../facilities/closing/close.ts'
import { correctRate, refuse, undo, waive } from '../facilities/corrections/correct-debt.ts'
import {
  hasSuspense,
  insertCorrection,
  insertForbearance,
} from '../facilities/corrections/correction-queries.ts'
import type { BookedCorrection, Correction } from '../facilities/corrections/corrections.ts'
import { findWriteOffReading } from '../facilities/corrections/write-off-reading.ts'
import { type Facility, getFacility } from '../facilities/facilities.ts'
import { totalDebtCents } from '../facilities/ledger/debt.ts'
import { updateFacility } from '../facilities/ledger/ledger.ts'
import type { LendingContext } from '../facilities/lending-context.ts'
import { type LockedFacility, lockFacility } from '../facilities/locked-facility.ts'
import { notApproved } from '../facilities/not-approved.ts'
import { selectMarginState } from '../facilities/queries.ts'
import { requestEvaluation } from '../facilities/topics.ts'
import { hasMoneyUnderWay } from '../facilities/under-way-queries.ts'
import { toChargedOff } from '../repayments/returns/return-receipt.ts'
import { selectLiveCalls } from './call-queries.ts'
import { changeEvaluatedFacility } from './change-facility.ts'
import type { MarginContext } from './evaluation/evaluate-facilities.ts'
import { loadCase } from './load-cases.ts'
import { hasSellable } from './sale-plan.ts'

export type CorrectingContext = LendingContext & MarginContext

/** By what a write-off is sure that nothing can be sold: the custodian's new answer, which a proposal may
 * have yet to wait for, or in a sandbox what counts. */
export type Proof = 'answer' | 'answer if there' | 'what counts'

export type Corrected = { correctionId: string; facility: Facility }

type Named = Correction & { id: string }

/** Books a correction, now. Refuses `not_found`, `validation_failed` for an amount, rate or instant that
 * cannot be, `facility_not_approved`, and `outstanding_balance` and `facility_on_hold` as a closing does. */
export async function correctFacility(
  context: CorrectingContext,
  facilityId: string,
  given: Correction,
  proof: Proof,
): Promise<Corrected> {
  const correction: Named = { id: newId('cor'), ...given }
  if (correction.kind === 'close') {
    const change = await changeEvaluatedFacility(context, facilityId)
    await store(change, correction)
    await closeFacility(change)
    return await finish(change, { correction })
  }
  const locked = await lockFacility(context, facilityId)
  if (correction.kind === 'undo') {
    const { undone } = await undo(locked, correction, context.prices)
    return await finish(locked, { correction, undone })
  }
  await store(locked, correction)
  switch (correction.kind) {
    case 'waive_interest':
    case 'credit':
      await waive(locked, correction, context.prices)
      break
    case 'rate':
      await correctRate(locked, correction, context.prices)
      break
    case 'write_off':
      await writeOffDebt(locked, context, proof)
      break
    case 'forbearance':
      await forbear(locked, correction)
      break
    default: {
      const unreachable: never = correction
      return unreachable
    }
  }
  return await finish(locked, { correction })
}

async function store(
  { tx, tenantId, facility, now }: LockedFacility,
  correction: Exclude<Named, { kind: 'undo' }>,
): Promise<void> {
  const { id, kind } = correction
  await insertCorrection(tx, {
    ...{ tenant_id: tenantId, facility_id: facility.id, correction_id: id, kind },
    amount_cents: 'cents' in correction ? correction.cents : null,
    rate_ppm: 'ratePpm' in correction ? Number(correction.ratePpm) : null,
    from_at: 'from' in correction ? correction.from : null,
    until_at: 'until' in correction ? correction.until : null,
    corrected_at: now,
  })
}

/** Refuses `facility_not_approved`, `validation_failed` where nothing is owed, and `outstanding_balance`
 * while money or margin is under way, or while something can be sold. */
async function writeOffDebt(
  locked: LockedFacility,
  context: CorrectingContext,
  proof: Proof,
): Promise<void> {
  const { tx, tenantId, facility, now } = locked
  const { id, state, debt } = facility
  if (state !== 'APPROVED') throw notApproved(state)
  if (totalDebtCents(debt, now) === 0n) {
    throw new Refusal('validation_failed', 'Nothing is owed: close the facility.')
  }
  const { openWarning } = await selectMarginState(tx, tenantId, id)
  if (openWarning !== undefined) throw inTheWay(`Margin warning ${openWarning} is open.`)
  // A live call is money under way.
  if (await hasMoneyUnderWay(tx, tenantId, id)) {
    throw inTheWay('A draw, a repayment or a margin call is still under way.')
  }
  if (await hasSuspense(tx, tenantId, id)) throw inTheWay('Money is in suspense.')
  await assertNothingSellable(locked, context, proof)
  await beginClosing(locked, 'charged_off')
}

/** By the newest answer of the custodian that is at most 15 minutes old. */
async function assertNothingSellable(
  { tx, tenantId, facility, now }: LockedFacility,
  context: CorrectingContext,
  proof: Proof,
): Promise<void> {
  const reading = { ...context, db: tx, tenantId, now }
  const answer = await findWriteOffReading({ tx, tenantId, now }, facility.id)
  if (!answer && proof === 'answer if there') return
  if (!answer && proof === 'answer') {
    throw inTheWay('The custodian is being asked what it holds: try again in a minute.')
  }
  const { held } = await loadCase(reading, facility)
  const isNewer = answer && held && held.readAt > answer.readAt
  const positions = isNewer ? held.positions : answer?.positions
  const { collateral, policy } = await loadCase(reading, facility, positions)
  if (hasSellable(collateral.latest.positions, policy)) {
    throw inTheWay('The custodian holds collateral that can be sold.')
  }
}

function inTheWay(detail: string): Refusal {
  return new Refusal('outstanding_balance', detail)
}

/** Refuses `facility_not_approved`, and `validation_failed` during a margin call, and for an end that is
 * past, earlier than the one that is granted, or more than 12 months ahead. */
async function forbear(
  locked: LockedFacility,
  { until }: Extract<Correction, { kind: 'forbearance' }>,
): Promise<void> {
  const { tx, tenantId, facility, now } = locked
  const { id, state, forbearanceUntil } = facility
  if (state !== 'APPROVED') throw notApproved(state)
  if ((await execute(tx, selectLiveCalls({ tenantId, ids: [id] }))).length > 0) {
    throw new Refusal('validation_failed', 'No forbearance is granted during a margin call.')
  }
  if (until <= now) throw refuse('/until', 'out_of_range', 'Expected an instant that lies ahead.')
  if (until > inMonths(now, 12)) {
    throw refuse('/until', 'out_of_range', 'Expected an instant at most 12 months ahead.')
  }
  if (forbearanceUntil && forbearanceUntil > now && until < forbearanceUntil) {
    const granted = forbearanceUntil.toISOString()
    throw refuse('/until', 'out_of_range', `A forbearance until ${granted} is never shortened.`)
  }
  await insertForbearance(tx, tenantId, id, { id: newId('pau'), from: now, until })
  await updateFacility(locked, { forbearance_until: until })
  await requestEvaluation(locked, id, 'price')
}

function inMonths(from: Date, months: number): Date {
  const at = new Date(from)
  at.setUTCMonth(at.getUTCMonth() + months)
  return at
}

/** Counts it and reports it: an undo under the id of what it undoes. */
async function finish(
  { tx, tenantId, now, facility: before }: LockedFacility,
  { correction, undone }: { correction: Named; undone?: BookedCorrection },
): Promise<Corrected> {
  const after = await getFacility(tx, tenantId, before.id)
  const locked = { tx, tenantId, now, facility: after } as LockedFacility
  await updateFacility(locked, { times_corrected: after.timesCorrected + 1 })
  const correctionId = undone?.id ?? correction.id
  const { chargedOff, debt } = after
  appendEvents(tx, tenantId, [
    {
      type: 'facility.corrected',
      resource: { type: 'facility', id: after.id },
      occurredAt: now,
      data: {
        facility_id: after.id,
        correction_id: correctionId,
        kind: correction.kind,
        ...membersOf(undone ?? correction),
        ...(chargedOff && { charged_off: toChargedOff(chargedOff) }),
        outstanding_usd: formatUsd(totalDebtCents(debt, now)),
      },
    },
  ])
  return { correctionId, facility: after }
}

type Members = {
  kind: BookedCorrection['kind'] | Correction['kind']
  cents?: bigint | undefined
  ratePpm?: bigint | undefined
  from?: Date | undefined
  until?: Date | undefined
}

/** As events, operators and tenants see them: money and ratios are text. */
export function membersOf({ cents, ratePpm, from, until }: Members) {
  return {
    ...(cents !== undefined && { amount: { amount: formatUsd(cents), asset: 'USD' } }),
    ...(ratePpm !== undefined && { rate: formatDecimal(ratePpm, 6) }),
    ...(from && { from: from.toISOString() }),
    ...(until && { until: until.toISOString() }),
  }
}
