import type { Db } from '../../db/database.ts'
import { mapExternalIds } from '../../domain/facilities/names.ts'

type Held = { tenant_id?: string; facility_id?: string | null; borrower_id?: string }

/** Adds the external id of each item's facility, or else of its borrower, to items that have one; in one statement. */
export async function nameItems<Item extends Held>(
  db: Db,
  items: readonly Item[],
): Promise<(Item & { external_id?: string | null })[]> {
  const keyOf = ({ tenant_id: tenantId, facility_id: facilityId, borrower_id: borrowerId }: Held) =>
    `${tenantId}/${facilityId ?? borrowerId ?? ''}`
  const isHeld = (item: Held) =>
    item.tenant_id !== undefined && ('facility_id' in item || 'borrower_id' in item)
  const names = await mapExternalIds(db, items.filter(isHeld).map(keyOf))
  return items.map((item) =>
    isHeld(item) ? { ...item, external_id: names.get(keyOf(item)) ?? null } : { ...item },
  )
}
