import { formatAmount } from '../../../core/money.ts'
import { appendEvents } from '../../events/append/append.ts'
import { requestFloorPush } from '../floors/floors.ts'
import { updateFacility } from '../ledger/ledger.ts'
import type { LockedFacility } from '../locked-facility.ts'
import { requestEvaluation } from '../topics.ts'
import { updatePendingDraw } from './draw-queries.ts'
import type { Draw } from './draws.ts'

/** Returns the facility without the draw's reservation. */
export async function failDraw(
  locked: LockedFacility,
  draw: Draw,
  failure: { code: string; retryable: boolean },
): Promise<LockedFacility> {
  const { tx, tenantId, facility, now } = locked
  const reservedCents = facility.reservedCents - draw.debtCents
  await updateFacility(locked, { reserved_cents: reservedCents })
  await updatePendingDraw(tx, tenantId, draw.id, {
    status: 'FAILED',
    failure_code: failure.code,
    failure_retryable: failure.retryable,
  })
  // A margin call may have waited for the end of the draw.
  await requestEvaluation(locked, facility.id, 'price')
  await requestFloorPush(locked, facility.id)
  appendEvents(tx, tenantId, [
    {
      type: 'draw.failed',
      resource: { type: 'draw', id: draw.id },
      occurredAt: now,
      data: {
        facility_id: facility.id,
        draw_id: draw.id,
        amount: formatAmount(draw.amount),
        code: failure.code,
        retryable: failure.retryable,
      },
    },
  ])
  return { ...locked, facility: { ...facility, reservedCents } }
}
