import type { CursorCodec } from '../../../core/cursor.ts'
import { Refusal } from '../../../core/errors.ts'
import { formatQuantity } from '../../../core/money.ts'
import { listPage, mapPage, type Page, type PageRequest } from '../../../core/page.ts'
import type { Db } from '../../../db/database.ts'
import type { CallOutcome } from '../../../db/schema/margin.ts'
import { type FacilityKey, getFacility } from '../../facilities/facilities.ts'
import { selectCall, selectCalls, selectSales } from '../call-queries.ts'

export type MarginCall = {
  facilityId: string
  number: number
  marginWarningNumber: number
  status: 'PENDING' | 'SELLING' | 'COMPLETED'
  outcome: CallOutcome | undefined
  targetLtvPpm: bigint | undefined
  planned: { asset: string; units: bigint }[]
  sold: { asset: string; units: bigint; proceedsCents: bigint }[]
  costsCents: bigint
  interestCents: bigint
  principalCents: bigint
  surplusCents: bigint
  deficitCents: bigint
  createdAt: Date
  startedAt: Date | undefined
  completedAt: Date | undefined
}

/** Refuses `not_found`. */
export async function getMarginCall(
  db: Db,
  tenantId: string,
  facilityId: string,
  number: number,
): Promise<MarginCall> {
  await getFacility(db, tenantId, facilityId)
  const row = await selectCall(db, tenantId, facilityId, number)
  if (!row) throw unknownCall()
  return toCall(row, await selectSales(db, tenantId, [facilityId], [number]))
}

export function unknownCall(): Refusal {
  return new Refusal('not_found', 'There is no such margin call.')
}

/** Newest first. Refuses `not_found`, `cursor_invalid`. */
export async function listMarginCalls(
  db: Db,
  { tenantId, facilityId }: FacilityKey,
  request: PageRequest,
  cursors: CursorCodec,
): Promise<Page<MarginCall>> {
  await getFacility(db, tenantId, facilityId)
  const context = `margin-calls/${tenantId}/${facilityId}`
  const page = await listPage(
    { request, cursors, context, parseKey: Number },
    (stretch) => selectCalls(db, tenantId, facilityId, stretch),
    (row) => row.number,
  )
  const numbers = page.items.map((row) => row.number)
  const sales = await selectSales(db, tenantId, [facilityId], numbers)
  const salesOf = Map.groupBy(sales, (sale) => sale.call_number)
  return mapPage(page, (row) => toCall(row, salesOf.get(row.number) ?? []))
}

type CallRow = NonNullable<Awaited<ReturnType<typeof selectCall>>>

export function toCall(row: CallRow, sales: Parameters<typeof sumSales>[0]): MarginCall {
  return {
    facilityId: row.facility_id,
    number: row.number,
    marginWarningNumber: row.margin_warning_number,
    status: row.status,
    outcome: row.outcome ?? undefined,
    targetLtvPpm: row.target_ltv_ppm ?? undefined,
    planned: (row.planned ?? []).map(({ asset, units }) => ({ asset, units: BigInt(units) })),
    sold: sumSales(sales),
    costsCents: row.costs_cents,
    interestCents: row.interest_cents,
    principalCents: row.principal_cents,
    surplusCents: row.surplus_cents,
    deficitCents: row.deficit_cents,
    createdAt: row.created_at,
    startedAt: row.started_at ?? undefined,
    completedAt: row.completed_at ?? undefined,
  }
}

export function sumSales(
  sales: readonly {
    status: string
    asset: string
    filled_units: bigint | null
    proceeds_cents: bigint | null
  }[],
): MarginCall['sold'] {
  const byAsset = new Map<string, { units: bigint; proceedsCents: bigint }>()
  for (const sale of sales) {
    if (sale.status !== 'FILLED' || !sale.filled_units) continue
    const sum = byAsset.get(sale.asset) ?? { units: 0n, proceedsCents: 0n }
    byAsset.set(sale.asset, {
      units: sum.units + sale.filled_units,
      proceedsCents: sum.proceedsCents + (sale.proceeds_cents ?? 0n),
    })
  }
  return [...byAsset].map(([asset, sum]) => ({ asset, ...sum }))
}

export function toPosition(asset: string, units: bigint): { asset: string; quantity: string } {
  return { asset, quantity: formatQuantity({ asset, units }) }
}
