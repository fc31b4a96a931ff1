import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'

export type KeyUseRow = { key_id: string; secrets: number; answers: number }

export async function countByKey(db: Db): Promise<KeyUseRow[]> {
  // @across tenants: which keys are still in use in all.
  // @plan reads signing_secrets, idempotency_records: one secret a tenant, and by a partial index
  // the few answers that hold one.
  const { rows } = await sql<KeyUseRow>`
    SELECT key_id, sum(secrets)::int AS secrets, sum(answers)::int AS answers FROM (
      SELECT split_part(sealed, '.', 1) AS key_id, count(*) AS secrets, 0 AS answers
      FROM signing_secrets GROUP BY 1
      UNION ALL
      SELECT split_part(body, '.', 1), 0, count(*)
      FROM idempotency_records WHERE secret_id IS NOT NULL GROUP BY 1
    ) AS used
    GROUP BY key_id ORDER BY key_id`.execute(db)
  return rows
}
