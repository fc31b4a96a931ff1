import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { inTransaction } from '../../../src/db/database.ts'
import { ofTenant } from '../../../src/db/sql/of-tenant.ts'
import { addBorrower, openTenant } from '../../support/lending/onboarding.ts'
import { createTestDatabase } from '../../support/stores/database.ts'

test("a statement of one tenant reads that tenant's rows alone, and names no table that it does not read", async () => {
  await using database = await createTestDatabase()
  const { db } = database
  const [tenantId, other] = [await openTenant(db), await openTenant(db)]
  const borrowerId = await addBorrower(db, tenantId)
  await addBorrower(db, other)
  const statement = sql`
    WITH page AS (SELECT * FROM borrowers) SELECT borrower_id FROM page JOIN tenants USING (tenant_id)`
  await inTransaction(db, async (tx) => {
    const one = ofTenant(tx, tenantId, statement)
    expect((await one.execute(tx)).rows).toEqual([{ borrower_id: borrowerId }])
    const text = one.compile(tx).sql
    expect(text.match(/"\w+" AS NOT MATERIALIZED/g)).toEqual([
      '"borrowers" AS NOT MATERIALIZED',
      '"tenants" AS NOT MATERIALIZED',
    ])
    expect((await ofTenant(tx, undefined, statement).execute(tx)).rows).toHaveLength(2)
  })
})
