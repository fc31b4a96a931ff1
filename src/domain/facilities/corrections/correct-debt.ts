import { Refusal } from '../../../core/errors.ts'
import { addMs, DAY_MS } from '../../../core/time.ts'
import { ONE_USD, type PriceFeed } from '../../collateral/prices.ts'
import { deficitOf } from '../closing/recover.ts'
import { recheckUnsentDraws } from '../draws/unsent-draws.ts'
import type { Facility } from '../facilities.ts'
import { requestFloorPush } from '../floors/floors.ts'
import { outstandingAt } from '../ledger/debt.ts'
import { takenBackId } from '../ledger/history.ts'
import { updateFacility } from '../ledger/ledger.ts'
import { type Rebooked, type Rebooking, rebook } from '../ledger/rebook.ts'
import type { LockedFacility } from '../locked-facility.ts'
import { notApproved } from '../not-approved.ts'
import type { FacilityRow } from '../queries.ts'
import { balanceRefunds } from '../refunds/balance-refunds.ts'
import { requestEvaluation, requestLienRelease } from '../topics.ts'
import { markUndone } from './correction-queries.ts'
import { type BookedCorrection, type Correction, listCorrections } from './corrections.ts'
import {
  agreedRates,
  correctRates,
  encodeAgreed,
  lowestCovered,
  type RateCorrection,
  ratesOf,
} from './rates.ts'

const UNDONE_WITHIN_DAYS = 30

/** Each is stored before it is booked. */
type Named<Kind extends Correction['kind']> = Extract<Correction, { kind: Kind }> & { id: string }

/** Refuses `validation_failed` for more than is owed now. In a later replay it takes at most what is owed
 * then, and the rest lapses. */
export async function waive(
  locked: LockedFacility,
  { id, kind, cents }: Named<'waive_interest' | 'credit'>,
  prices: PriceFeed,
): Promise<LockedFacility> {
  const { facility, now } = locked
  const owed = facility.chargedOff ? deficitOf(facility) : outstandingAt(facility.debt, now)
  const most = kind === 'credit' ? owed.principalCents : owed.interestCents
  if (cents > most) {
    const what = kind === 'credit' ? 'principal' : 'interest'
    throw refuse('/amount', 'out_of_range', `More than the ${what} that is owed.`)
  }
  const event = { id: `${kind}/${id}`, kind, valueAt: now, cents } as const
  const add = [{ event, kind, sourceId: event.id, money: [] }]
  return await book(locked, { cause: id, sourceId: id, add }, prices)
}

/** Refuses `validation_failed` where it is above a rate in force that it would replace, and
 * `facility_not_approved` for what never lent. */
export async function correctRate(
  locked: LockedFacility,
  { id, ratePpm, from }: Named<'rate'>,
  prices: PriceFeed,
): Promise<LockedFacility> {
  const { facility, now } = locked
  assertLends(facility)
  if (from > now) throw refuse('/from', 'out_of_range', 'Expected an instant until now.')
  if (from < facility.createdAt) {
    throw refuse('/from', 'out_of_range', 'Earlier than the application for the facility.')
  }
  const agreed = agreedRates(facility)
  if (ratePpm > lowestCovered(agreed, ratesOf(facility), from)) {
    const detail = 'Above the rate in force at an instant it covers: a rise is an amendment.'
    throw refuse('/rate', 'out_of_range', detail)
  }
  return await bookRates(locked, id, prices)
}

/** Returns what is undone. Refuses `not_found`, and `validation_failed` past its time. */
export async function undo(
  locked: LockedFacility,
  { id, correctionId }: Named<'undo'>,
  prices: PriceFeed,
): Promise<{ corrected: LockedFacility; undone: BookedCorrection }> {
  const { tx, tenantId, facility, now } = locked
  const undone = (await listCorrections(tx, facility)).find((one) => one.id === correctionId)
  if (!undone || undone.undoneAt) {
    throw new Refusal('not_found', 'The facility has no such correction, or it was undone.')
  }
  assertUndoable(facility, undone, now)
  await markUndone(tx, tenantId, { facilityId: facility.id, correctionId }, now)
  if (undone.kind === 'rate') {
    return { undone, corrected: await bookRates(locked, id, prices) }
  }
  const entryId = `${undone.kind}/${correctionId}`
  const sourceId = takenBackId(entryId)
  const remove = [{ id: entryId, kind: 'waiver_return', sourceId, money: [] }]
  return { undone, corrected: await book(locked, { cause: id, sourceId: id, remove }, prices) }
}

function assertUndoable({ state, releaseSentAt }: Facility, undone: BookedCorrection, now: Date) {
  const { kind, at } = undone
  if (kind !== 'waive_interest' && kind !== 'credit' && kind !== 'rate') {
    throw refuse('/correction_id', 'mismatch', 'Only an amount or a rate can be undone.')
  }
  if (now > addMs(at, UNDONE_WITHIN_DAYS * DAY_MS)) {
    const detail = `Older than ${UNDONE_WITHIN_DAYS} days.`
    throw refuse('/correction_id', 'out_of_range', detail)
  }
  if (releaseSentAt || state === 'CLOSED') {
    throw refuse('/correction_id', 'mismatch', 'The release of the lien was sent.')
  }
}

/** Those that hold, in the order in which they were booked. */
async function rateCorrections({ tx, facility }: LockedFacility): Promise<RateCorrection[]> {
  const all = await listCorrections(tx, facility)
  return all.flatMap(({ ratePpm, from, undoneAt }) =>
    ratePpm !== undefined && from && !undoneAt ? [{ ratePpm, from }] : [],
  )
}

async function bookRates(
  locked: LockedFacility,
  id: string,
  prices: PriceFeed,
): Promise<LockedFacility> {
  const agreed = agreedRates(locked.facility)
  const rates = correctRates(agreed, await rateCorrections(locked))
  const stored = { rates: agreed, segments: rates.earlierRates.length }
  const agreed_rates = JSON.stringify(
    encodeAgreed(stored),
  ) as unknown as FacilityRow['agreed_rates']
  await updateFacility(locked, { agreed_rates })
  return await book(locked, { cause: id, sourceId: id, rates }, prices)
}

/** By the replay, with today's posting date; what is owed back or is no more follows. */
async function book(
  locked: LockedFacility,
  rebooking: Rebooking,
  prices: PriceFeed,
): Promise<LockedFacility> {
  const { rebooked, replayed } = await rebook(locked, rebooking)
  await follow({ rebooked, replayed }, rebooking.cause, prices)
  return rebooked
}

async function follow(
  { rebooked, replayed }: Rebooked,
  sourceId: string,
  prices: PriceFeed,
): Promise<void> {
  const { tx, tenantId, facility, now } = rebooked
  const latest = await prices.latest(tx, tenantId, now)
  await balanceRefunds(rebooked, replayed.owedBackCents, {
    sourceId,
    priceOf: (asset) => latest.get(asset)?.price ?? ONE_USD,
  })
  await recheckUnsentDraws(rebooked)
  await requestFloorPush(rebooked, facility.id)
  await requestEvaluation(rebooked, facility.id, 'correction')
  await requestLienRelease(rebooked)
}

function assertLends({ state, closeReason }: Facility): void {
  if (state === 'APPROVED') return
  const hasLent = closeReason === 'repaid' || closeReason === 'charged_off'
  if (!hasLent) throw notApproved(state)
}

export function refuse(
  pointer: string,
  code: 'out_of_range' | 'mismatch',
  detail: string,
): Refusal {
  return new Refusal('validation_failed', 'The correction is not possible; see errors.', {
    errors: [{ pointer, code, detail }],
  })
}
