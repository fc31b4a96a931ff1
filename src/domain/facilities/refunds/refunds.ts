import { newId } from '../../../core/ids.ts'
import type { Amount } from '../../../core/money.ts'
import type { SealedText } from '../../../core/sealing.ts'
import type { Db } from '../../../db/database.ts'
import { requestWork } from '../../work/work.ts'
import { selectLatestCompletedDraw } from '../draws/draw-queries.ts'
import { unitsForCents } from '../ledger/conversion.ts'
import type { LockedFacility } from '../locked-facility.ts'
import { PAY_REFUND } from '../topics.ts'
import { insertRefund, selectOldestRefused, selectPayableRefunds } from './refund-queries.ts'

/** Pays cents that the caller booked as payable to where the latest draw went, in its asset at its
 * price (10^-8 USD). `left` of that asset goes back as it came. */
export async function refundCents(
  locked: LockedFacility,
  refund: { sourceId: string; cents: bigint; priceOf: (asset: string) => bigint; left?: Amount },
): Promise<void> {
  if (refund.cents === 0n) return
  const { asset, destination, is_returned: awaitsRedirect } = await findDestination(locked)
  const units =
    refund.left?.asset === asset
      ? refund.left.units
      : unitsForCents(asset, refund.cents, refund.priceOf(asset))
  const { sourceId, cents } = refund
  const amount = units > 0n ? { asset, units } : { asset: 'USD', units: cents }
  // Without the money that can still be taken back, less would be owed back.
  const payableAt = locked.facility.provisionalUntil
  await createRefund(locked, { sourceId, amount, cents, destination, payableAt, awaitsRedirect })
}

/** Sends an amount back, by default to where the latest draw went; `cents` of it were booked as due in
 * dollars. Not paid before `payableAt`. */
export async function refundInKind(
  locked: LockedFacility,
  refund: {
    sourceId: string
    amount: Amount
    cents: bigint
    destination?: SealedText
    payableAt: Date | undefined
    awaitsRedirect?: boolean
  },
): Promise<void> {
  if (refund.destination !== undefined) {
    return await createRefund(locked, { ...refund, destination: refund.destination })
  }
  const { destination, is_returned: awaitsRedirect } = await findDestination(locked)
  await createRefund(locked, { ...refund, destination, awaitsRedirect })
}

async function findDestination({ tx, tenantId, facility }: LockedFacility) {
  const draw = await selectLatestCompletedDraw(tx, tenantId, facility.id)
  if (!draw) throw new Error(`facility ${facility.id} owes money back but never paid a draw`)
  return draw
}

async function createRefund(
  { tx, tenantId, facility, now, realNow }: LockedFacility,
  refund: {
    sourceId: string
    amount: Amount
    cents: bigint
    destination: SealedText
    payableAt: Date | undefined
    /** Nothing is paid to the destination before operators redirect it: it counts as refused. */
    awaitsRedirect?: boolean
  },
): Promise<void> {
  const { payableAt, awaitsRedirect = false } = refund
  const refundId = newId('rfd')
  await insertRefund(tx, {
    tenant_id: tenantId,
    refund_id: refundId,
    facility_id: facility.id,
    source_id: refund.sourceId,
    status: 'PENDING',
    asset: refund.amount.asset,
    amount_units: refund.amount.units,
    cents: refund.cents,
    destination: refund.destination,
    created_at: now,
    payable_at: payableAt ?? null,
    awaits_redirect: awaitsRedirect,
    refusals: awaitsRedirect ? 1 : 0,
  })
  await requestWork(tx, { tenantId, topic: PAY_REFUND, subjectId: refundId }, realNow)
}

/** Orders what waited for money to become final. */
export async function requestPayableRefunds({
  tx,
  tenantId,
  facility,
  now,
  realNow,
}: LockedFacility): Promise<void> {
  for (const refundId of await selectPayableRefunds(tx, tenantId, facility.id, now)) {
    await requestWork(tx, { tenantId, topic: PAY_REFUND, subjectId: refundId }, realNow)
  }
}

export async function measureOldestRefused(db: Db, realNow: Date): Promise<number> {
  return Math.max(0, (await selectOldestRefused(db, realNow)) ?? 0)
}

/** What of its cents is still owed back. */
export function openCents({
  cents,
  taken_cents: taken,
}: {
  cents: bigint
  taken_cents: bigint
}): bigint {
  return cents - taken
}
