import type { Db, Tx } from '../../db/database.ts'

/** Undefined for one who was removed. */
export async function selectFailureMails(
  db: Db,
  tenantId: string,
  personId: string,
): Promise<boolean | undefined> {
  const row = await db
    .selectFrom('console_people')
    .select('failure_mails')
    .where('tenant_id', '=', tenantId)
    .where('person_id', '=', personId)
    .where('removed_at', 'is', null)
    .executeTakeFirst()
  return row?.failure_mails
}

export async function updateFailureMails(
  tx: Tx,
  tenantId: string,
  personId: string,
  wanted: boolean,
): Promise<void> {
  await tx
    .updateTable('console_people')
    .set({ failure_mails: wanted })
    .where('tenant_id', '=', tenantId)
    .where('person_id', '=', personId)
    .execute()
}
