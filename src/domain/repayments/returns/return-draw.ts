import { formatAmount, formatUsd } from '../../../core/money.ts'
import { ONE_USD, type PriceFeed } from '../../collateral/prices.ts'
import { appendEvents } from '../../events/append/append.ts'
import { lockDraw, updateReturnedDraw } from '../../facilities/draws/draw-queries.ts'
import { toDraw } from '../../facilities/draws/draws.ts'
import { requestFloorPush } from '../../facilities/floors/floors.ts'
import { moneyIn } from '../../facilities/ledger/conversion.ts'
import { totalDebtCents } from '../../facilities/ledger/debt.ts'
import { selectChargedOffAt } from '../../facilities/ledger/journal-queries.ts'
import { rebook } from '../../facilities/ledger/rebook.ts'
import type { LockedFacility } from '../../facilities/locked-facility.ts'
import { balanceRefunds } from '../../facilities/refunds/balance-refunds.ts'
import { recallRefunds, suspendRefundsTo } from '../../facilities/refunds/refund-queries.ts'
import { PAY_REFUND, requestEvaluation, requestLienRelease } from '../../facilities/topics.ts'
import { requestWorks } from '../../work/work.ts'
import type { ReturnedMoney } from './check-payment.ts'

/** Books that a draw came back, whole or in part, once. It pays from then on: principal, then interest, or
 * the deficit; the rest is owed back. Its destination takes no refund: one under way to it is recalled. */
export async function returnDraw(
  locked: LockedFacility,
  drawId: string,
  returned: ReturnedMoney,
  prices: PriceFeed,
): Promise<void> {
  const { tx, tenantId, facility, now, realNow } = locked
  const draw = toDraw(await lockDraw(tx, tenantId, drawId))
  if (draw.status !== 'COMPLETED') return
  const { amount, code, at: valueAt } = returned
  const { units } = amount
  await updateReturnedDraw(tx, tenantId, drawId, { units, code, at: valueAt })
  const { destination } = draw
  const whereTo = { facilityId: facility.id, destination }
  await suspendRefundsTo(tx, tenantId, whereTo)
  const recalled = await recallRefunds(tx, tenantId, whereTo, now)
  const works = recalled.map((subjectId) => ({ topic: PAY_REFUND, subjectId }))
  await requestWorks(tx, tenantId, works, realNow)
  const cents = (draw.debtCents * units) / draw.amount.units
  const endedAt = facility.chargedOff && (await selectChargedOffAt(tx, tenantId, facility.id))
  const isRecovery = endedAt !== undefined && valueAt >= endedAt
  const id = `draw_return/${drawId}`
  const event = { id, kind: isRecovery ? 'recovery' : 'draw_return', valueAt, cents } as const
  const kind = isRecovery ? 'draw_recovery' : 'draw_return'
  const own = { event, kind, sourceId: id, money: moneyIn(amount, cents) }
  const { rebooked, replayed } = await rebook(locked, { cause: id, sourceId: id, add: [own] })
  const latest = await prices.latest(tx, tenantId, now)
  await balanceRefunds(rebooked, replayed.owedBackCents, {
    sourceId: `${drawId}/return`,
    priceOf: (asset) => latest.get(asset)?.price ?? ONE_USD,
  })
  await requestFloorPush(rebooked, facility.id)
  await requestEvaluation(rebooked, facility.id, 'correction')
  await requestLienRelease(rebooked)
  appendEvents(tx, tenantId, [
    {
      type: 'draw.returned',
      resource: { type: 'draw', id: drawId },
      occurredAt: now,
      data: {
        facility_id: facility.id,
        draw_id: drawId,
        amount: formatAmount(amount),
        code,
        outstanding_usd: formatUsd(totalDebtCents(rebooked.facility.debt, now)),
      },
    },
  ])
}
