import { type Amount, formatAmount, formatUsd, usd } from '../../core/money.ts'
import type { Prices } from '../collateral/prices.ts'
import { appendEvents } from '../events/append/append.ts'
import type { TenantContext } from '../tenants/tenant-context.ts'
import { updateRepayment } from './queries.ts'
import type { Repayment } from './repayments.ts'

/** `valueAt`: from when the money counts. */
export type ConfirmedRepayment = Repayment & { confirmed: Amount; valueAt: Date }

export type Applied = {
  allocation: NonNullable<Repayment['allocation']>
  outstandingCents: bigint
  isRecovery: boolean
}

/** The last accepted price, however old: money that has arrived is booked. */
export function lastPrice(prices: Prices, asset: string): bigint {
  const price = prices.get(asset)
  if (!price) throw new Error(`no price of ${asset} was ever accepted`)
  return price.price
}

export async function finishApplied(
  { tx, tenantId, now }: TenantContext,
  repayment: ConfirmedRepayment,
  { allocation, outstandingCents, isRecovery }: Applied,
): Promise<void> {
  const { id, facilityId, marginWarningNumber, inferred, delivered, confirmed } = repayment
  const { inSuspense, splitFrom, finalAt } = repayment
  await updateRepayment(tx, tenantId, repayment, {
    status: 'APPLIED',
    interest_cents: allocation.interestCents,
    principal_cents: allocation.principalCents,
    refund_cents: allocation.refundCents,
    is_recovery: isRecovery,
    applied_at: now,
    ...(inSuspense && {
      suspended_units: inSuspense.units,
      undecided_since: now,
    }),
  })
  appendEvents(tx, tenantId, [
    {
      type: 'repayment.applied',
      resource: { type: 'repayment', id },
      occurredAt: now,
      data: {
        facility_id: facilityId,
        repayment_id: id,
        ...(marginWarningNumber !== undefined && { margin_warning_number: marginWarningNumber }),
        ...(inferred && { inferred }),
        ...(isRecovery && { recovery: true }),
        delivered: formatAmount(delivered ?? confirmed),
        confirmed: formatAmount(confirmed),
        ...(inSuspense && { in_suspense: formatAmount(inSuspense) }),
        ...(splitFrom !== undefined && { split_from: splitFrom }),
        ...(finalAt && finalAt > now && { final_at: finalAt.toISOString() }),
        allocation: {
          interest: usd(allocation.interestCents),
          principal: usd(allocation.principalCents),
          refund_due: usd(allocation.refundCents),
        },
        outstanding_usd: formatUsd(outstandingCents),
      },
    },
  ])
}
