import type { Db } from '../../../db/database.ts'
import { executeShared } from '../../../db/transactions/execute.ts'
import type { Facility } from '../../facilities/facilities.ts'
import { type LiveCall, type Sale, selectLiveCalls, selectSales } from '../call-queries.ts'

export type Live = { facility: Facility; call: LiveCall; sales: readonly Sale[] }

export async function loadLive(
  db: Db,
  tenantId: string,
  facilities: readonly Facility[],
): Promise<Live[]> {
  const ids = facilities.map(({ id }) => id)
  const calls = await executeShared(db, tenantId, selectLiveCalls({ tenantId, ids }))
  if (calls.length === 0) return []
  const callOf = new Map(calls.map((call) => [call.facility_id, call]))
  const numbers = [...new Set(calls.map(({ number }) => number))]
  const sales = await selectSales(db, tenantId, [...callOf.keys()], numbers)
  return facilities.flatMap((facility) => {
    const call = callOf.get(facility.id)
    if (!call) return []
    const isOfCall = (sale: Sale) =>
      sale.facility_id === facility.id && sale.call_number === call.number
    return [{ facility, call, sales: sales.filter(isOfCall) }]
  })
}
