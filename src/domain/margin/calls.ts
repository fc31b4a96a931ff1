import type { CursorCodec } from '../../core/cursor.ts'
import { Refusal } from '../../core/errors.ts'
import { cutPage, type Page, type PageRequest, readPosition } from '../../core/page.ts'
import type { Instant } from '../../core/time.ts'
import type { Db, Tx } from '../../db/database.ts'
import type { CallOutcome } from '../../db/schema.ts'
import { type Facility, getFacility } from '../facilities/facilities.ts'
import { requestWork } from '../outbox/outbox.ts'
import {
  insertCall,
  selectCall,
  selectCalls,
  selectLastCallNumber,
  selectSales,
} from './queries.ts'
import { SELL_COLLATERAL } from './topics.ts'

/** A secured-party sale of a facility's collateral. */
export type MarginCall = {
  facilityId: string
  number: number
  marginWarningNumber: number
  status: 'PENDING' | 'SELLING' | 'COMPLETED'
  outcome: CallOutcome | undefined
  planned: { asset: string; units: bigint }[]
  /** What was sold so far, by asset. */
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

/** Opens a call on a locked facility and has its collateral sold; returns the call's number. */
export async function beginCall(
  tx: Tx,
  facility: Facility,
  marginWarningNumber: number,
  { now, realNow }: Instant,
): Promise<number> {
  const { tenantId, id } = facility
  const number = (await selectLastCallNumber(tx, tenantId, id)) + 1
  await insertCall(tx, {
    tenant_id: tenantId,
    facility_id: id,
    number,
    margin_warning_number: marginWarningNumber,
    status: 'PENDING',
    created_at: now,
  })
  await requestWork(tx, { tenantId, topic: SELL_COLLATERAL, subjectId: id }, realNow)
  return number
}

/** One margin call; refuses `not_found`. */
export async function getMarginCall(
  db: Db,
  tenantId: string,
  facilityId: string,
  number: number,
): Promise<MarginCall> {
  await getFacility(db, tenantId, facilityId)
  const row = await selectCall(db, tenantId, facilityId, number)
  if (!row) throw new Refusal('not_found', 'There is no such margin call.')
  return await toCall(db, row)
}

/** A facility's margin calls, newest first. Refuses `not_found`, `cursor_invalid`. */
export async function listMarginCalls(
  db: Db,
  tenantId: string,
  facilityId: string,
  request: PageRequest,
  cursors: CursorCodec,
): Promise<Page<MarginCall>> {
  await getFacility(db, tenantId, facilityId)
  const context = `margin-calls/${tenantId}/${facilityId}`
  const position = readPosition(request, cursors, context)
  const before = position === undefined ? undefined : Number(position)
  const rows = await selectCalls(db, tenantId, facilityId, { before, limit: request.limit + 1 })
  const calls: MarginCall[] = []
  for (const row of rows) calls.push(await toCall(db, row))
  return cutPage(calls, request.limit, (last) => cursors.encode(String(last.number), context))
}

type CallRow = NonNullable<Awaited<ReturnType<typeof selectCall>>>

async function toCall(db: Db, row: CallRow): Promise<MarginCall> {
  const sales = await selectSales(db, row.tenant_id, row.facility_id, row.number)
  return {
    facilityId: row.facility_id,
    number: row.number,
    marginWarningNumber: row.margin_warning_number,
    status: row.status,
    outcome: row.outcome ?? undefined,
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

/** What fills have sold, by asset, in the order in which each was first sold. */
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
