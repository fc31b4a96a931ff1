import type { Db } from '../../db/database.ts'
import { selectByExternalId } from './queries.ts'

export type FoundByExternalId = { kind: 'borrower' | 'facility'; tenantId: string; id: string }

/** The most of each kind in an answer. */
const MOST_FOUND = 100

/** Borrowers and facilities to which their tenants gave this id, the newest first. */
export async function findByExternalId(
  db: Db,
  asked: { externalId: string; tenantId: string | undefined },
): Promise<FoundByExternalId[]> {
  const find = async (kind: FoundByExternalId['kind']) => {
    const rows = await selectByExternalId(db, kind, asked, MOST_FOUND)
    return rows.map(({ tenant_id: tenantId, id }) => ({ kind, tenantId, id }))
  }
  return [...(await find('borrower')), ...(await find('facility'))]
}
