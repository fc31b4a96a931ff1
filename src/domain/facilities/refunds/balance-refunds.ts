import { minOf } from '../../../core/money.ts'
import { requestWork } from '../../work/work.ts'
import type { LockedFacility } from '../locked-facility.ts'
import { PAY_REFUND } from '../topics.ts'
import { selectOpenRefunds, updatePendingRefund } from './refund-queries.ts'
import { openCents, refundCents } from './refunds.ts'

type OpenRefund = Awaited<ReturnType<typeof selectOpenRefunds>>[number]

/** Makes the refunds that are not paid sum to what is owed back. The rest of it is refunded; what is not
 * owed back any more is taken from them, newest first: one whose payment is ordered is recalled. */
export async function balanceRefunds(
  locked: LockedFacility,
  owedBackCents: bigint,
  rest: { sourceId: string; priceOf: (asset: string) => bigint },
): Promise<void> {
  const { tx, tenantId, facility } = locked
  const refunds = await selectOpenRefunds(tx, tenantId, facility.id)
  const ordered = refunds.reduce((sum, refund) => sum + openCents(refund), 0n)
  if (owedBackCents > ordered) {
    await refundCents(locked, { ...rest, cents: owedBackCents - ordered })
    return
  }
  let short = ordered - owedBackCents
  for (const refund of refunds) {
    const open = openCents(refund)
    const taken = minOf(short, open)
    if (taken > 0n) await takeFrom(locked, refund, taken)
    short -= taken
  }
  if (short > 0n) throw new Error(`facility ${facility.id} has refunds of less than nothing`)
}

async function takeFrom(
  { tx, tenantId, now, realNow }: LockedFacility,
  refund: OpenRefund,
  cents: bigint,
): Promise<void> {
  const { refund_id: refundId, ordered, refusals, recalled_at } = refund
  const taken_cents = refund.taken_cents + cents
  if (ordered !== refusals) {
    const isNothing = taken_cents === refund.cents
    const status = isNothing ? 'CANCELLED' : 'PENDING'
    await updatePendingRefund(tx, tenantId, refundId, { taken_cents, status })
    return
  }
  // Paid after all, it is principal: only the answer tells.
  const change = { taken_cents, recalled_at: recalled_at ?? now }
  await updatePendingRefund(tx, tenantId, refundId, change)
  await requestWork(tx, { tenantId, topic: PAY_REFUND, subjectId: refundId }, realNow)
}
