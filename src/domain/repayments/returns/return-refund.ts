import { ONE_USD, type PriceFeed } from '../../collateral/prices.ts'
import { requestFloorPush } from '../../facilities/floors/floors.ts'
import { cashAccount, moneyIn } from '../../facilities/ledger/conversion.ts'
import { bouncedId } from '../../facilities/ledger/history.ts'
import { transfer } from '../../facilities/ledger/journal.ts'
import { recordMovement } from '../../facilities/ledger/ledger.ts'
import { rebook } from '../../facilities/ledger/rebook.ts'
import type { LockedFacility } from '../../facilities/locked-facility.ts'
import { balanceRefunds } from '../../facilities/refunds/balance-refunds.ts'
import {
  lockRefund,
  type RefundRow,
  selectRefundOrigin,
  updateReturnedRefund,
} from '../../facilities/refunds/refund-queries.ts'
import { refundInKind } from '../../facilities/refunds/refunds.ts'
import { requestEvaluation, requestLienRelease } from '../../facilities/topics.ts'
import { lockRepaymentRow, updateRepayment } from '../queries.ts'
import type { ReturnedMoney } from './check-payment.ts'
import { selectPayoutCents } from './return-queries.ts'

/** Books that a refund came back, once: it is owed back again, and waits for a redirect. What was paid out
 * of suspense is in suspense again. */
export async function returnRefund(
  locked: LockedFacility,
  refundId: string,
  returned: ReturnedMoney,
  prices: PriceFeed,
): Promise<void> {
  const { tx, tenantId } = locked
  const refund = await lockRefund(tx, tenantId, refundId)
  if (refund?.status !== 'PAID') return
  await updateReturnedRefund(tx, tenantId, refundId, returned)
  const { kind, isTakenBack } = await selectRefundOrigin(tx, tenantId, refund)
  switch (kind) {
    case 'suspense':
      if (isTakenBack)
        await owePayout(locked, { refund, payoutId: `payout/${refundId}` }, returned, prices)
      else await suspendAgain(locked, refund, returned)
      break
    case 'in_kind':
      await oweInKind(locked, refund, returned, isTakenBack)
      break
    case 'debt':
      await owePayout(locked, { refund, payoutId: `refund/${refundId}` }, returned, prices)
      break
    default: {
      const unreachable: never = kind
      return unreachable
    }
  }
  await requestLienRelease(locked)
}

/** Of a debt. What of it was principal pays that. */
async function owePayout(
  locked: LockedFacility,
  { refund, payoutId }: { refund: RefundRow; payoutId: string },
  { amount, at: valueAt }: ReturnedMoney,
  prices: PriceFeed,
): Promise<void> {
  const { tx, tenantId, facility, now } = locked
  const { refund_id: refundId, destination } = refund
  const cents = await selectPayoutCents(tx, tenantId, { facilityId: facility.id, payoutId })
  const id = bouncedId(payoutId)
  const event = { id, kind: 'payout_return', payoutId, valueAt, cents } as const
  const own = { event, kind: 'refund_return', sourceId: id, money: moneyIn(amount, cents) }
  const { rebooked, replayed } = await rebook(locked, { cause: id, sourceId: id, add: [own] })
  const owed = replayed.stepOf(id).refundCents
  if (owed > 0n) {
    const units = (amount.units * owed) / cents
    await refundInKind(rebooked, {
      sourceId: `${refundId}/returned`,
      amount: { asset: amount.asset, units },
      cents: owed,
      destination,
      payableAt: facility.provisionalUntil,
      awaitsRedirect: true,
    })
  }
  const latest = await prices.latest(tx, tenantId, now)
  await balanceRefunds(rebooked, replayed.owedBackCents, {
    sourceId: `${refundId}/correction`,
    priceOf: (asset) => latest.get(asset)?.price ?? ONE_USD,
  })
  await requestFloorPush(rebooked, facility.id)
  await requestEvaluation(rebooked, facility.id, 'correction')
}

async function suspendAgain(
  locked: LockedFacility,
  { refund_id: refundId, source_id: sourceId }: RefundRow,
  { amount: { asset, units }, at: valueAt }: ReturnedMoney,
): Promise<void> {
  const { tx, tenantId, facility, now } = locked
  const [repaymentId = ''] = sourceId.split('/')
  const row = await lockRepaymentRow(tx, tenantId, repaymentId)
  if (!row) throw new Error(`refund ${refundId} is of no repayment`)
  await updateRepayment(
    tx,
    tenantId,
    { id: repaymentId, status: row.status },
    {
      suspense_end: null,
      undecided_since: now,
      suspense_returns: row.suspense_returns + 1,
    },
  )
  const { debt, reservedCents, refundDueCents } = facility
  await recordMovement(locked, {
    cause: bouncedId(`refund/${refundId}`),
    kind: 'refund_return',
    valueAt,
    ...{ debt, reservedCents, refundDueCents },
    postings: transfer('suspense', cashAccount(asset), asset, units),
  })
  await requestEvaluation(locked, facility.id, 'price')
}

/** In another asset than the repayment's. If its transfer was taken back too, the loss has ended. */
async function oweInKind(
  locked: LockedFacility,
  refund: RefundRow,
  { amount, at: valueAt }: ReturnedMoney,
  isTakenBack: boolean,
): Promise<void> {
  const { facility } = locked
  const { refund_id: refundId, source_id: sourceId, destination } = refund
  const { asset, units } = amount
  const cents = isTakenBack || asset !== 'USD' ? 0n : units
  const owing = await recordMovement(locked, {
    cause: bouncedId(`refund/${refundId}`),
    kind: 'refund_return',
    valueAt,
    debt: facility.debt,
    reservedCents: facility.reservedCents,
    refundDueCents: facility.refundDueCents + cents,
    postings: transfer(
      isTakenBack ? 'write_offs' : 'refunds_payable',
      cashAccount(asset),
      asset,
      units,
    ),
  })
  if (isTakenBack) return
  const again = { sourceId: `${sourceId}/again`, amount, cents, destination }
  await refundInKind(owing, { ...again, payableAt: undefined, awaitsRedirect: true })
}
