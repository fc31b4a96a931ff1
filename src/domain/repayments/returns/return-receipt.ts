import { type Amount, formatAmount, formatUsd } from '../../../core/money.ts'
import { ONE_USD, type PriceFeed } from '../../collateral/prices.ts'
import { appendEvents } from '../../events/append/append.ts'
import { recheckUnsentDraws } from '../../facilities/draws/unsent-draws.ts'
import { requestFloorPush } from '../../facilities/floors/floors.ts'
import { cashAccount } from '../../facilities/ledger/conversion.ts'
import { totalDebtCents } from '../../facilities/ledger/debt.ts'
import { takenBackId } from '../../facilities/ledger/history.ts'
import { type Posting, transfer } from '../../facilities/ledger/journal.ts'
import { selectLines } from '../../facilities/ledger/journal-queries.ts'
import { recordMovement } from '../../facilities/ledger/ledger.ts'
import { type Rebooked, type Rebooking, rebook } from '../../facilities/ledger/rebook.ts'
import type { LockedFacility } from '../../facilities/locked-facility.ts'
import { balanceRefunds } from '../../facilities/refunds/balance-refunds.ts'
import {
  bookLoss,
  cancelInKind,
  chargePayout,
  toSuspense,
} from '../../facilities/refunds/in-kind.ts'
import {
  lockRefundOf,
  type RefundRow,
  updatePendingRefund,
} from '../../facilities/refunds/refund-queries.ts'
import { PAY_REFUND, requestEvaluation, requestLienRelease } from '../../facilities/topics.ts'
import { requestWork } from '../../work/work.ts'
import { awaitNextFinality } from '../become-final.ts'
import { lockRepaymentRow, updateRepayment } from '../queries.ts'
import { type Repayment, toRepayment } from '../repayments.ts'
import { failRepayment } from '../report-execution.ts'
import { suspenseSource } from '../suspense.ts'
import type { ReturnedMoney } from './check-payment.ts'
import { lockPart } from './return-queries.ts'

type Part = Repayment & { confirmed: Amount }

/** Books that a whole transfer was taken back, once: as if it had never come. */
export async function returnReceipt(
  locked: LockedFacility,
  repaymentId: string,
  returned: ReturnedMoney,
  prices: PriceFeed,
): Promise<void> {
  const { tx, tenantId, now } = locked
  const row = await lockRepaymentRow(tx, tenantId, repaymentId)
  if (!row) return
  const repayment = toRepayment(row)
  if (!repayment.confirmed || repayment.returned) return
  const mark = { returned_at: returned.at, reversed_at: now, return_code: returned.code }
  const moved = {
    id: `transfer_return/${repaymentId}`,
    kind: 'transfer_return',
    valueAt: returned.at,
    postings: transferOut(returned.amount),
  }
  if (repayment.status === 'FAILED') {
    await updateRepayment(tx, tenantId, repayment, mark)
    return await returnMisdelivery(locked, repaymentId, moved)
  }
  const receipt = { ...repayment, confirmed: repayment.confirmed }
  const partRow = await lockPart(tx, tenantId, repaymentId)
  const part = partRow && toRepayment(partRow)
  const parts = [receipt, ...(part?.status === 'APPLIED' && part.confirmed ? [part as Part] : [])]
  const refund = row.suspense_end === 'returned' ? await lockSuspended(locked, row) : undefined
  const rebooking = await takeBack(locked, { parts, refund, moved }, prices)
  const { rebooked, replayed } = await rebook(locked, rebooking)
  for (const one of parts) {
    const isUndecided = one.inSuspense !== undefined
    await updateRepayment(tx, tenantId, one, {
      ...mark,
      status: 'REVERSED',
      ...(isUndecided && { suspense_end: 'reversed', undecided_since: null }),
    })
  }
  if (part?.status === 'REPORTED') await failRepayment(rebooked, part, 'not_received')
  const ended = await endRefund(rebooked, refund)
  await finish({ rebooked: ended, replayed }, { parts, returned }, prices)
}

type Moved = NonNullable<Rebooking['further']>[number] & { valueAt: Date }

/** Each part at its value date, by way of the suspense: the money itself has left later. */
async function takeBack(
  locked: LockedFacility,
  given: { parts: readonly Part[]; refund: RefundRow | undefined; moved: Moved },
  prices: PriceFeed,
): Promise<Rebooking> {
  const { tx, tenantId, facility, now } = locked
  const { parts, refund, moved } = given
  const remove = []
  for (const { id } of parts) {
    const entryId = `repayment/${id}`
    const lines = await selectLines(tx, tenantId, { facilityId: facility.id, entryId })
    const money = lines.filter(isMoney).map(negate).map(toSuspense)
    remove.push({ id: entryId, kind: 'repayment_return', sourceId: takenBackId(entryId), money })
  }
  const cause = takenBackId(`repayment/${parts[0]?.id}`)
  const rebooking = { cause, sourceId: cause, remove, further: [moved] }
  if (refund?.status !== 'PAID' || !refund.paid_at) return rebooking
  const price = (await prices.latest(tx, tenantId, now)).get(refund.asset)?.price ?? ONE_USD
  return { ...rebooking, add: [chargePayout(refund, refund.paid_at, price)] }
}

const OF_DEBT = ['interest_receivable', 'loans_receivable', 'refunds_payable', 'recoveries']

type Line = Awaited<ReturnType<typeof selectLines>>[number]

const isMoney = ({ account }: Line) => !OF_DEBT.includes(account) && account !== 'write_offs'

const negate = ({ account, asset, amount }: Line) => ({ account, asset, units: -amount }) as Posting

/** Out of the bank, for what was booked as received. */
function transferOut({ asset, units }: Amount): Posting[] {
  return transfer(cashAccount(asset), 'suspense', asset, units)
}

async function lockSuspended(
  { tx, tenantId }: LockedFacility,
  row: { repayment_id: string; suspense_returns: number },
) {
  return await lockRefundOf(tx, tenantId, [suspenseSource(row)])
}

/** What was to go back of the transfer does not, unless its payment was ordered: the answer decides. */
async function endRefund(
  locked: LockedFacility,
  refund: RefundRow | undefined,
): Promise<LockedFacility> {
  if (refund?.status !== 'PENDING') return locked
  if (refund.ordered !== refund.refusals) return await cancelInKind(locked, refund)
  const { tx, tenantId, now, realNow } = locked
  const { refund_id: refundId, recalled_at } = refund
  await updatePendingRefund(tx, tenantId, refundId, { recalled_at: recalled_at ?? now })
  await requestWork(tx, { tenantId, topic: PAY_REFUND, subjectId: refundId }, realNow)
  return locked
}

/** Of money in another asset, which paid nothing. */
async function returnMisdelivery(
  locked: LockedFacility,
  repaymentId: string,
  { id: cause, ...moved }: Moved,
): Promise<void> {
  const { tx, tenantId, facility } = locked
  const { debt, reservedCents, refundDueCents } = facility
  const out = { cause, ...moved, debt, reservedCents, refundDueCents }
  const booked = await recordMovement(locked, out)
  const refund = await lockRefundOf(tx, tenantId, [repaymentId, `${repaymentId}/again`])
  if (refund?.status === 'PAID') await bookLoss(booked, refund)
  else await requestLienRelease(await endRefund(booked, refund))
  await awaitNextFinality(booked)
}

async function finish(
  { rebooked, replayed }: Rebooked,
  { parts, returned }: { parts: readonly Part[]; returned: ReturnedMoney },
  prices: PriceFeed,
): Promise<void> {
  const { tx, tenantId, facility, now } = rebooked
  const latest = await prices.latest(tx, tenantId, now)
  await balanceRefunds(rebooked, replayed.owedBackCents, {
    sourceId: `${parts[0]?.id}/return`,
    priceOf: (asset) => latest.get(asset)?.price ?? ONE_USD,
  })
  await awaitNextFinality(rebooked)
  await recheckUnsentDraws(rebooked)
  await requestFloorPush(rebooked, facility.id)
  await requestEvaluation(rebooked, facility.id, 'price')
  await requestLienRelease(rebooked)
  const { chargedOff, state, debt } = facility
  appendEvents(
    tx,
    tenantId,
    parts.map(({ id, confirmed }) => ({
      type: 'repayment.reversed' as const,
      resource: { type: 'repayment' as const, id },
      occurredAt: now,
      data: {
        facility_id: facility.id,
        repayment_id: id,
        amount: formatAmount(confirmed),
        code: returned.code,
        facility_state: state as 'APPROVED' | 'CLOSING' | 'CLOSED',
        ...(chargedOff && { charged_off: toChargedOff(chargedOff) }),
        outstanding_usd: formatUsd(totalDebtCents(debt, now)),
      },
    })),
  )
}

/** As events show it. */
export function toChargedOff(chargedOff: NonNullable<LockedFacility['facility']['chargedOff']>) {
  return {
    principal: formatUsd(chargedOff.principalCents),
    interest: formatUsd(chargedOff.interestCents),
    recovered: formatUsd(chargedOff.recoveredCents),
  }
}
