import { formatUsd, usd } from '../../../core/money.ts'
import { addMs } from '../../../core/time.ts'
import type { CallOutcome } from '../../../db/schema/margin.ts'
import type { EventToAppend } from '../../events/append/append.ts'
import { beginClosing } from '../../facilities/closing/close.ts'
import type { LockedFacility } from '../../facilities/locked-facility.ts'
import { EVALUATE_AFTER, PUSH_FLOOR } from '../../facilities/topics.ts'
import { setDeadline } from '../../work/deadlines.ts'
import { requestWorks } from '../../work/work.ts'
import { hasDueTerms } from '../amendments/change-terms.ts'
import { type LiveCall, type Sale, updateLiveCall } from '../call-queries.ts'
import { AMEND_FACILITY } from '../topics.ts'
import { sumSales, toPosition } from './calls.ts'

/** Returns its event and the deficit. A debt with nothing left to sell is charged off. */
export async function endCall(
  locked: LockedFacility,
  { call, sales }: { call: LiveCall; sales: readonly Sale[] },
  outcome: CallOutcome,
): Promise<{ event: EventToAppend; deficitCents: bigint }> {
  const { tx, tenantId, now } = locked
  const { id } = locked.facility
  const deficit = outcome === 'deficit' ? await beginClosing(locked, 'charged_off') : 0n
  await updateLiveCall(tx, tenantId, call, {
    status: 'COMPLETED',
    outcome,
    deficit_cents: deficit,
    completed_at: now,
  })
  const works = [PUSH_FLOOR, EVALUATE_AFTER.price] as const
  await requestWorks(
    tx,
    tenantId,
    works.map((topic) => ({ topic, subjectId: id })),
    locked.realNow,
  )
  if (hasDueTerms(locked.facility, now)) {
    await setDeadline(tx, tenantId, AMEND_FACILITY, { subjectId: id, dueAt: addMs(now, 1) })
  }
  const event: EventToAppend = {
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
  }
  return { event, deficitCents: deficit }
}
