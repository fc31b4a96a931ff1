import type { Db, Tx } from '../../db/database.ts'

/** Of the tenant's console; an invited person has shown by a passkey that the address is theirs. */
export async function selectRecipients(tx: Tx, tenantId: string): Promise<string[]> {
  const rows = await tx
    .selectFrom('console_people')
    .select('person_id')
    .where('tenant_id', '=', tenantId)
    .where('failure_mails', '=', true)
    .where('removed_at', 'is', null)
    .orderBy('person_id')
    .execute()
  return rows.map(({ person_id }) => person_id)
}

export async function selectRecipient(db: Db, tenantId: string, personId: string) {
  return await db
    .selectFrom('console_people')
    .select(['email', 'name'])
    .where('tenant_id', '=', tenantId)
    .where('person_id', '=', personId)
    .where('failure_mails', '=', true)
    .where('removed_at', 'is', null)
    .executeTakeFirst()
}
