import type { Report } from '../../command-line/text.ts'
import type { Db } from '../../db/database.ts'
import { mapExternalIds } from '../../domain/facilities/names.ts'
import { reportList } from './output.ts'

type Held = {
  tenant_id: string
  facility_id?: string | null | undefined
  borrower_id?: string | undefined
}

type Columns = { columns: readonly string[]; rows: readonly (readonly string[])[] }

/** Reports as `reportList` does, with the external id of each item's facility, or else of its borrower. */
export async function reportNamed(
  db: Db,
  items: readonly Held[],
  { empty, ...table }: Columns & { empty: string },
): Promise<Report> {
  const names = await readNames(db, items)
  const named = items.map((item, at) => ({ ...item, external_id: names[at] ?? null }))
  return reportList(named, { ...addNames(table, names), empty })
}

/** In the order of the items, in one statement. */
export async function readNames(
  db: Db,
  items: readonly Held[],
): Promise<readonly (string | undefined)[]> {
  const keyOf = ({ tenant_id: tenantId, facility_id: facilityId, borrower_id: borrowerId }: Held) =>
    `${tenantId}/${facilityId ?? borrowerId ?? ''}`
  const names = await mapExternalIds(db, items.map(keyOf))
  return items.map((item) => names.get(keyOf(item)))
}

/** Behind the id that they name, else behind the first two columns. A column of none is left out. */
export function addNames(
  { columns, rows }: Columns,
  names: readonly (string | undefined)[],
): Columns {
  if (names.every((name) => name === undefined)) return { columns, rows }
  const found = columns.findIndex((column) => column === 'facility' || column === 'borrower')
  const place = found < 0 ? 2 : found + 1
  return {
    columns: columns.toSpliced(place, 0, 'external id'),
    rows: rows.map((row, at) => row.toSpliced(place, 0, names[at] ?? '')),
  }
}
