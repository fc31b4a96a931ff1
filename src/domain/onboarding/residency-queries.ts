import { type Insertable, sql } from 'kysely'
import type { Db, Tx } from '../../db/database.ts'
import type { BorrowerType } from '../../db/schema/onboarding.ts'
import type { Tables } from '../../db/schema/tables.ts'
import { builtOnce } from '../../db/transactions/built-once.ts'
import { execute } from '../../db/transactions/execute.ts'

type Residence = { country: string; state: string; borrowerType: BorrowerType }

const selectPolicy = builtOnce((db, { country, state, borrowerType }: Residence) =>
  db
    .selectFrom('residency_policy')
    .selectAll()
    .where('country', '=', country)
    .where('state', 'in', [state, sql.lit('')])
    .where('borrower_type', '=', borrowerType)
    .orderBy('state', 'desc')
    .limit(sql.lit(1)),
)

/** The state's row, else the country's. */
export async function selectPolicyRow(
  db: Db,
  country: string,
  state: string,
  borrowerType: BorrowerType,
) {
  return (await execute(db, selectPolicy({ country, state, borrowerType })))[0]
}

/** One change at a time: each sees what the one before has left. */
export async function lockPolicy(tx: Tx): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended('residency_policy', 0))`.execute(tx)
}

export async function selectPolicyRows(db: Db) {
  return await db
    .selectFrom('residency_policy')
    .selectAll()
    .orderBy('country')
    .orderBy('state')
    .orderBy('borrower_type')
    .execute()
}

export async function upsertPolicyRow(
  tx: Tx,
  row: Insertable<Tables['residency_policy']>,
): Promise<void> {
  await tx
    .insertInto('residency_policy')
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(['country', 'state', 'borrower_type']).doUpdateSet({
        allowed: row.allowed,
        rate_ppm: row.rate_ppm ?? null,
        max_limit_cents: row.max_limit_cents ?? null,
        updated_at: row.updated_at,
      }),
    )
    .execute()
}
