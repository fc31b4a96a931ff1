import { addDays, startOfDay } from '../../core/day.ts'
import type { Amount } from '../../core/money.ts'
import { unitsPerWhole } from '../../core/money.ts'
import { addMs } from '../../core/time.ts'
import type { Db } from '../../db/database.ts'
import { type Call, type DayPage, MAX_LISTED } from '../../domain/facilities/ports.ts'
import type { ClockFor } from '../../domain/tenants/tenant-clock.ts'
import {
  insertSandboxTransfer,
  selectSandboxBalances,
  selectSandboxTransfers,
} from './transfer-queries.ts'

// The sandbox provider's own books, by the tenant's clock: what it lists at the end of a day.

const TIME_ZONE = 'UTC'

/** Whole dollars and USDC that each tenant's account begins with. */
const OPENING = 1_000_000_000n
const ASSETS = ['USD', 'USDC'] as const

export type SandboxTransfer = {
  transferId: string
  /** Signed: positive came in. */
  amount: Amount
  callId: string
  returns?: string
}

/** Once for its id. */
export async function bookSandboxTransfer(
  db: Db,
  clockFor: ClockFor,
  { tenantId, realNow }: Pick<Call, 'tenantId' | 'realNow'>,
  { transferId, amount, callId, returns }: SandboxTransfer,
  /** By real time. */
  movedAt: Date = realNow,
): Promise<void> {
  if (amount.units === 0n) return
  const now = await clockFor(db, tenantId)
  await insertSandboxTransfer(db, {
    ...{ tenant_id: tenantId, transfer_id: transferId, asset: amount.asset, units: amount.units },
    ...{ call_id: callId.replaceAll('/', '.'), returns: returns ?? null },
    booked_at: addMs(now, movedAt.getTime() - realNow.getTime()),
  })
}

export async function listSandboxDay(
  db: Db,
  { tenantId, day, after }: { tenantId: string; day: string; after: string | undefined },
): Promise<DayPage> {
  const from = startOfDay(TIME_ZONE, day)
  const to = startOfDay(TIME_ZONE, addDays(day, 1))
  const rows = await selectSandboxTransfers(db, tenantId, { from, to, after, limit: MAX_LISTED })
  const sums = new Map(
    (await selectSandboxBalances(db, tenantId, to)).map(({ asset, units }) => [asset, units]),
  )
  return {
    timeZone: TIME_ZONE,
    transfers: rows.map((row) => ({
      transferId: row.transfer_id,
      amount: { asset: row.asset, units: row.units },
      callId: row.call_id ?? undefined,
      returns: row.returns ?? undefined,
    })),
    balances: ASSETS.map((asset) => ({
      asset,
      units: OPENING * unitsPerWhole(asset) + (sums.get(asset) ?? 0n),
    })),
    next: rows.length < MAX_LISTED ? undefined : rows.at(-1)?.transfer_id,
  }
}
