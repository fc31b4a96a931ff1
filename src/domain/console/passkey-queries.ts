import type { Db } from '../../db/database.ts'

export async function countPasskeysOf(db: Db, tenantId: string, personId: string): Promise<number> {
  const row = await db
    .selectFrom('console_passkeys')
    .select((eb) => eb.fn.countAll<bigint>().as('count'))
    .where('tenant_id', '=', tenantId)
    .where('person_id', '=', personId)
    .executeTakeFirstOrThrow()
  return Number(row.count)
}
