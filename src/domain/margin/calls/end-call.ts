import { formatUsd, usd } from '../../../core/money.ts'
import type { CallOutcome } from '../../../db/schema/margin.ts'
import { appendEvents } from '../../events/append-event.ts'
import { beginClosing } from '../../facilities/closing/close.ts'
import { requestFloorPush } from '../../facilities/floors/floors.ts'
import type { LockedFacility } from '../../facilities/locked-facility.ts'
import { requestEvaluation } from '../../facilities/topics.ts'
import { type LiveCall, type Sale, updateLiveCall } from '../call-queries.ts'
import { sumSales, toPosition } from './calls.ts'

/** Ends a live call and tells it; a debt that nothing is left to sell for is charged off. */
export async function endCall(
  locked: LockedFacility,
  { call, sales }: { call: LiveCall; sales: readonly Sale[] },
  outcome: CallOutcome,
): Promise<void> {
  const { tx, tenantId, now } = locked
  const { id } = locked.facility
  const deficit = outcome === 'deficit' ? await beginClosing(locked, 'charged_off') : 0n
  await updateLiveCall(tx, tenantId, call, {
    status: 'COMPLETED',
    outcome,
    deficit_cents: deficit,
    completed_at: now,
  })
  await requestFloorPush(locked, id)
  // The ladder begins afresh.
  await requestEvaluation(locked, id, 'price')
  await appendEvents(tx, tenantId, [
    {
      type: 'margin_call.completed',
      resource: { type: 'margin_call', id: `${id}/${call.number}` },
      occurredAt: now,
      data: {
        facility_id: id,
        number: call.number,
        outcome,
        sold: sumSales(sales).map(({ asset, units, proceedsCents }) => ({
          ...toPosition(asset, units),
          proceeds_usd: formatUsd(proceedsCents),
        })),
        costs_usd: formatUsd(call.costs_cents),
        allocation: {
          interest: usd(call.interest_cents),
          principal: usd(call.principal_cents),
          refund_due: usd(call.surplus_cents),
        },
        surplus_usd: formatUsd(call.surplus_cents),
        deficit_usd: formatUsd(deficit),
      },
    },
  ])
}
