import type { CursorCodec } from '../../../core/cursor.ts'
import { cutPage, type Page, type PageRequest, readPosition } from '../../../core/page.ts'
import { getFacility, toFacility } from '../../facilities/facilities.ts'
import { totalDebtCents } from '../../facilities/ledger/debt.ts'
import { selectFacilitiesOf } from '../../facilities/queries.ts'
import { type Sale, selectCall, selectSales } from '../call-queries.ts'
import { type MarginCall, toCall, unknownCall } from '../calls/calls.ts'
import { type CallFilter, type CallRow, selectNewestCalls } from './desk-queries.ts'
import type { DeskReading } from './open-warnings.ts'

export type DeskCall = MarginCall & { tenantId: string; orders: readonly SaleOrder[] }

/** With what its loan owes now, which a sale to safety leaves: the deficit is only what no collateral was
 * left for. */
export type OwingCall = DeskCall & { borrowerId: string; debtCents: bigint }

type Reading = Pick<DeskReading, 'db' | 'clockFor'>

/** An order to the custodian, and its fill. */
export type SaleOrder = {
  number: number
  asset: string
  units: bigint
  /** Taken as it is, without a sale. */
  inKind: boolean
  status: 'ORDERED' | 'FILLED' | 'REFUSED'
  orderedAt: Date
  acknowledgedAt: Date | undefined
  fill: { units: bigint; proceedsCents: bigint; costsCents: bigint; at: Date } | undefined
}

/** Of all tenants, newest first. Refuses `cursor_invalid`. */
export async function listDeskCalls(
  reading: Reading,
  filter: CallFilter,
  request: PageRequest,
  cursors: CursorCodec,
): Promise<Page<OwingCall>> {
  const context = ['desk-calls', filter.isRunning, filter.tenantId].join('/')
  const position = readPosition({ request, cursors, context })?.split(' ')
  const [at = '', facilityId = '', number] = position ?? []
  const before = position && { at: new Date(at), facilityId, number: Number(number) }
  const rows = await selectNewestCalls(reading.db, filter, { before, limit: request.limit + 1 })
  const { items, hasMore } = cutPage(rows, request.limit)
  const last = items.at(-1)
  const nextCursor = last && hasMore ? cursors.encode(positionOf(last), context) : undefined
  return { items: await viewCalls(reading, items), nextCursor, hasMore }
}

/** The same, the first so many. */
export async function readDeskCalls(
  reading: Reading,
  filter: CallFilter,
  limit: number,
): Promise<OwingCall[]> {
  const rows = await selectNewestCalls(reading.db, filter, { before: undefined, limit })
  return await viewCalls(reading, rows)
}

function positionOf({ created_at, completed_at, facility_id, number }: CallRow): string {
  return `${(completed_at ?? created_at).toISOString()} ${facility_id} ${number}`
}

async function viewCalls(
  { db, clockFor }: Reading,
  rows: readonly CallRow[],
): Promise<OwingCall[]> {
  const keyOf = (facilityId: string, number: number) => `${facilityId}/${number}`
  const salesOf = new Map<string, Sale[]>()
  const owedBy = new Map<string, Pick<OwingCall, 'borrowerId' | 'debtCents'>>()
  for (const [tenantId, calls] of Map.groupBy(rows, (row) => row.tenant_id)) {
    const numbers = [...new Set(calls.map(({ number }) => number))]
    const ids = calls.map((call) => call.facility_id)
    for (const sale of await selectSales(db, tenantId, ids, numbers)) {
      const key = keyOf(sale.facility_id, sale.call_number)
      salesOf.set(key, [...(salesOf.get(key) ?? []), sale])
    }
    const now = await clockFor(db, tenantId)
    for (const facility of (await selectFacilitiesOf(db, tenantId, ids)).map(toFacility)) {
      const { id, borrowerId, debt } = facility
      owedBy.set(id, { borrowerId, debtCents: totalDebtCents(debt, now) })
    }
  }
  return rows.flatMap((row) => {
    const owed = owedBy.get(row.facility_id)
    const sales = salesOf.get(keyOf(row.facility_id, row.number)) ?? []
    return owed ? { ...toDeskCall(row, sales), ...owed } : []
  })
}

/** Refuses `not_found`. */
export async function getDeskCall(
  reading: Reading,
  tenantId: string,
  facilityId: string,
  number: number,
): Promise<OwingCall> {
  await getFacility(reading.db, tenantId, facilityId)
  const row = await selectCall(reading.db, tenantId, facilityId, number)
  const [call] = row ? await viewCalls(reading, [row]) : []
  if (!call) throw unknownCall()
  return call
}

export function toDeskCall(row: CallRow, sales: readonly Sale[]): DeskCall {
  return { ...toCall(row, sales), tenantId: row.tenant_id, orders: sales.map(toOrder) }
}

function toOrder(sale: Sale): SaleOrder {
  return {
    number: sale.number,
    asset: sale.asset,
    units: sale.ordered_units,
    inKind: sale.in_kind,
    status: sale.status,
    orderedAt: sale.ordered_at,
    acknowledgedAt: sale.acknowledged_at ?? undefined,
    fill:
      sale.executed_at && sale.filled_units !== null
        ? {
            units: sale.filled_units,
            proceedsCents: sale.proceeds_cents ?? 0n,
            costsCents: sale.costs_cents ?? 0n,
            at: sale.executed_at,
          }
        : undefined,
  }
}
