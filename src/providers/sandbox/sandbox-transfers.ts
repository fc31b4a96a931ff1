import { randomUUID } from 'node:crypto'
import type { Amount } from '../../core/money.ts'
import { unitsPerWhole } from '../../core/money.ts'
import { addDays, addMs, DAY_MS, dayIn, startOfDay } from '../../core/time.ts'
import type { Db, Tx } from '../../db/database.ts'
import { type Call, type DayPage, MAX_LISTED } from '../../domain/facilities/ports.ts'
import type { ClockFor } from '../../domain/tenants/tenant-clock.ts'
import {
  deleteSandboxTransfer,
  insertSandboxTransfer,
  lockSandboxTransfer,
  selectSandboxBalances,
  selectSandboxTransfers,
  updateSandboxTransfer,
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
  /** Real time; defaults to now. */
  movedAt?: Date
}

/** Once for its id. */
export async function bookSandboxTransfer(
  db: Db,
  clockFor: ClockFor,
  { tenantId, realNow }: Pick<Call, 'tenantId' | 'realNow'>,
  { transferId, amount, callId, returns, movedAt = realNow }: SandboxTransfer,
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

export type SandboxBreakKind = 'missing_here' | 'missing_there' | 'other_amount' | 'other_day'

/** Makes what is listed differ from the books. Undefined without a transfer of the draw or repayment. */
export async function makeSandboxBreak(
  tx: Tx,
  tenantId: string,
  { kind, subject }: { kind: SandboxBreakKind; subject: string | undefined },
  now: Date,
): Promise<{ transferId: string; day: string } | undefined> {
  if (kind === 'missing_here' || subject === undefined) {
    const transferId = `sandbox-unknown-${randomUUID()}`
    const whole = { asset: 'USD', units: UNKNOWN_CENTS, call_id: null, returns: null }
    const row = { tenant_id: tenantId, transfer_id: transferId, booked_at: now, ...whole }
    await insertSandboxTransfer(tx, row)
    return { transferId, day: dayIn(TIME_ZONE, now) }
  }
  const row = await lockSandboxTransfer(tx, tenantId, subject)
  if (!row) return undefined
  const { transfer_id: transferId, units, booked_at: bookedAt } = row
  if (kind === 'missing_there') await deleteSandboxTransfer(tx, tenantId, transferId)
  else {
    const isLate = kind === 'other_day'
    const booked_at = isLate ? addMs(bookedAt, LATE_MS) : bookedAt
    const changed = { units: isLate ? units : units * 2n, booked_at }
    await updateSandboxTransfer(tx, tenantId, transferId, changed)
    return { transferId, day: dayIn(TIME_ZONE, booked_at) }
  }
  return { transferId, day: dayIn(TIME_ZONE, bookedAt) }
}

const UNKNOWN_CENTS = 100_00n
const LATE_MS = 2 * DAY_MS
