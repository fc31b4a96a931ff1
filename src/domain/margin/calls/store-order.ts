import { formatDecimal } from '../../../core/money.ts'
import type { EventToAppend } from '../../events/append/append.ts'
import type { LockedFacility } from '../../facilities/locked-facility.ts'
import { insertSale, type LiveCall, type Sale, updateLiveCall } from '../call-queries.ts'
import type { MarginContext } from '../evaluation/evaluate-facilities.ts'
import { encodeRecord, type PlanRecord } from '../receipts/plan-record.ts'
import type { SaleOrder } from '../sale-plan.ts'
import { toPosition } from './calls.ts'

export async function startCall(
  { tx, tenantId, facility, marginPolicy, now }: LockedFacility<MarginContext>,
  call: LiveCall,
  orders: readonly SaleOrder[],
): Promise<EventToAppend> {
  const { id } = facility
  const planned = orders.map(({ asset, units }) => ({ asset, units: String(units) }))
  await updateLiveCall(tx, tenantId, call, {
    status: 'SELLING',
    started_at: now,
    planned: JSON.stringify(planned) as unknown as typeof planned,
    target_ltv_ppm: marginPolicy.targetLtvPpm,
  })
  return {
    type: 'margin_call.started',
    resource: { type: 'margin_call', id: `${id}/${call.number}` },
    occurredAt: now,
    data: {
      facility_id: id,
      number: call.number,
      margin_warning_number: call.margin_warning_number,
      target_ltv: formatDecimal(marginPolicy.targetLtvPpm, 6),
      planned: orders.map(({ asset, units }) => toPosition(asset, units)),
    },
  }
}

export async function storeOrder(
  { tx, tenantId, facility, now }: LockedFacility,
  call: LiveCall,
  order: SaleOrder & { number: number },
  plan: PlanRecord,
): Promise<Sale> {
  const row = {
    tenant_id: tenantId,
    facility_id: facility.id,
    call_number: call.number,
    number: order.number,
    asset: order.asset,
    ordered_units: order.units,
    in_kind: order.inKind,
    status: 'ORDERED' as const,
    ordered_at: now,
  }
  await insertSale(tx, { ...row, plan: encodeRecord(plan) })
  return {
    ...row,
    acknowledged_at: null,
    recalled_at: null,
    filled_units: null,
    proceeds_cents: null,
    costs_cents: null,
    executed_at: null,
  }
}
