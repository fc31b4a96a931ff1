import { divideDown, divideUp, unitsPerWhole } from '../core/money.ts'
import { ONE_PPM } from '../core/ratio.ts'
import type { Db } from '../db/database.ts'
import { ONE_USD, type PriceFeed } from '../domain/collateral/prices.ts'
import type { Position } from '../domain/collateral/valuation.ts'
import { creditCents } from '../domain/facilities/dollar-value.ts'
import { loadPushed } from '../domain/facilities/holdings.ts'
import type { Call, CallAnswer, Custodian } from '../domain/facilities/ports.ts'
import type { ClockFor } from '../domain/tenants/tenant-clock.ts'
import { selectSandboxLienSequence, upsertSandboxLien } from './queries.ts'
import { answerSandboxCall } from './sandbox-call.ts'

/** What a sale costs on the sandbox. */
const COSTS_PPM = 10_000n

/**
 * A custodian that agrees to everything, unless a tenant's tests ask otherwise. It holds what was
 * pushed, less what it has sold, and sells at the tenant's price, at once, for one per cent.
 */
export function createSandboxCustodian(db: Db, prices: PriceFeed, clockFor: ClockFor): Custodian {
  return {
    setFloor: (call) => changeLien(db, call, call.floorCents),
    confirmControl: async () => ({ status: 'done' }),
    releaseLien: (call) => changeLien(db, call, null),
    async positions({ tenantId, borrowerId }) {
      const held = await loadPushed(db, tenantId, [borrowerId])
      return { status: 'done', positions: held.get(borrowerId)?.positions ?? [] }
    },
    async sell(call) {
      const now = await clockFor(db, call.tenantId)
      const latest = await prices.latest(db, call.tenantId, now)
      const price = latest.get(call.order.asset)?.price
      if (price === undefined) return { status: 'refused', code: 'no_market', retryable: true }
      const fill = { ...executeOrder(call.order, price), executedAt: now }
      return await answerSandboxCall(db, 'custodian', call, fill, { isLate: now > call.placeBy })
    },
  }
}

/** Sets a lien's floor, or ends it, unless it has heard of something newer. */
async function changeLien(
  db: Db,
  call: Call & { facilityId: string; sequence: bigint },
  floorCents: bigint | null,
): Promise<CallAnswer<object>> {
  const { tenantId, facilityId, sequence } = call
  const newest = await selectSandboxLienSequence(db, tenantId, facilityId)
  const isLate = newest !== undefined && newest > sequence
  const answer = await answerSandboxCall(db, 'custodian', call, {}, { isLate })
  if (answer.status === 'done') {
    await upsertSandboxLien(db, {
      tenant_id: tenantId,
      facility_id: facilityId,
      sequence,
      floor_cents: floorCents,
    })
  }
  return answer
}

function executeOrder({ asset, units, inKind }: Position & { inKind: boolean }, price: bigint) {
  if (inKind) return { units, proceedsCents: creditCents({ asset, units }, price), costsCents: 0n }
  const proceedsCents = divideDown(units * price * 100n, unitsPerWhole(asset) * ONE_USD)
  return { units, proceedsCents, costsCents: divideUp(proceedsCents * COSTS_PPM, ONE_PPM) }
}
