import type { CursorCodec } from '../../../core/cursor.ts'
import { cutPage, type Page, type PageRequest, readPosition } from '../../../core/page.ts'
import type { Db } from '../../../db/database.ts'
import { getFacility } from '../../facilities/facilities.ts'
import { type Sale, selectCall, selectSales } from '../call-queries.ts'
import { type MarginCall, toCall, unknownCall } from '../calls/calls.ts'
import { type CallFilter, type CallRow, selectNewestCalls } from './desk-queries.ts'

export type DeskCall = MarginCall & { tenantId: string; orders: readonly SaleOrder[] }

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
  db: Db,
  filter: CallFilter,
  request: PageRequest,
  cursors: CursorCodec,
): Promise<Page<DeskCall>> {
  const context = ['desk-calls', filter.isRunning, filter.tenantId].join('/')
  const position = readPosition({ request, cursors, context })?.split(' ')
  const [at = '', facilityId = '', number] = position ?? []
  const before = position && { at: new Date(at), facilityId, number: Number(number) }
  const rows = await selectNewestCalls(db, filter, { before, limit: request.limit + 1 })
  const { items, hasMore } = cutPage(rows, request.limit)
  const last = items.at(-1)
  const nextCursor = last && hasMore ? cursors.encode(positionOf(last), context) : undefined
  return { items: await withOrders(db, items), nextCursor, hasMore }
}

/** The same, the first so many. */
export async function readDeskCalls(
  db: Db,
  filter: CallFilter,
  limit: number,
): Promise<DeskCall[]> {
  return await withOrders(db, await selectNewestCalls(db, filter, { before: undefined, limit }))
}

function positionOf({ created_at, completed_at, facility_id, number }: CallRow): string {
  return `${(completed_at ?? created_at).toISOString()} ${facility_id} ${number}`
}

async function withOrders(db: Db, rows: readonly CallRow[]): Promise<DeskCall[]> {
  const keyOf = (facilityId: string, number: number) => `${facilityId}/${number}`
  const salesOf = new Map<string, Sale[]>()
  for (const [tenantId, calls] of Map.groupBy(rows, (row) => row.tenant_id)) {
    const numbers = [...new Set(calls.map(({ number }) => number))]
    const ids = calls.map((call) => call.facility_id)
    for (const sale of await selectSales(db, tenantId, ids, numbers)) {
      const key = keyOf(sale.facility_id, sale.call_number)
      salesOf.set(key, [...(salesOf.get(key) ?? []), sale])
    }
  }
  return rows.map((row) => toDeskCall(row, salesOf.get(keyOf(row.facility_id, row.number)) ?? []))
}

/** Refuses `not_found`. */
export async function getDeskCall(
  db: Db,
  tenantId: string,
  facilityId: string,
  number: number,
): Promise<DeskCall> {
  await getFacility(db, tenantId, facilityId)
  const row = await selectCall(db, tenantId, facilityId, number)
  if (!row) throw unknownCall()
  return toDeskCall(row, await selectSales(db, tenantId, [facilityId], [number]))
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
