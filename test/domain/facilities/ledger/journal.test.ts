import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { inTransaction } from '../../../../src/db/database.ts'
import {
  checkLedger,
  findDisagreements,
} from '../../../../src/domain/facilities/ledger/check-ledger.ts'
import { houseForFile } from '../../../support/lending/houses.ts'
import {
  addDrawnFacility,
  draw,
  repay,
  settle,
  usd,
  usdc,
} from '../../../support/lending/lending.ts'

const lending = houseForFile()
let facilityId: string
beforeAll(async () => {
  const facility = await addDrawnFacility(lending, usd(1_000_00n))
  facilityId = facility.id
  await draw(lending, facilityId, usdc(500_000_000n))
  await settle(lending)
  lending.received.set('bitcoin', { asset: 'BTC', units: 5n })
  await repay(lending, facilityId, usdc(1_000_000n), 'bitcoin')
  await repay(lending, facilityId, usdc(2_000_000_000n))
  await settle(lending)
})

let entries = 0
const book = (assets: string, amounts: string, accounts = "ARRAY['bank','loans_receivable']") => {
  entries += 1
  return sql`
    INSERT INTO journal (tenant_id, facility_id, entry_id, kind, accounts, assets, amounts, booked_at)
    VALUES (${lending.tenantId}, ${facilityId}, ${`test/${entries}`}, 'test',
            ${sql.raw(accounts)}::text[], ${sql.raw(assets)}::text[],
            ${sql.raw(amounts)}::numeric[], now())`.execute(lending.db)
}

const FOUR = "ARRAY['bank','loans_receivable','wallet','conversion_result']"

describe('the database refuses an entry', () => {
  test.each([
    ['that does not sum to zero', "ARRAY['USD','USD']", 'ARRAY[1,-2]', undefined],
    ['of one side', "ARRAY['USD']", 'ARRAY[0]', "ARRAY['bank']"],
    [
      'of two assets, of which one sums',
      "ARRAY['USD','USD','BTC','BTC']",
      'ARRAY[1,-1,3,-2]',
      FOUR,
    ],
    ['that balances across assets only', "ARRAY['USD','USDC']", 'ARRAY[1,-1]', undefined],
    ['of nothing', "ARRAY['USD','USD']", 'ARRAY[0,0]', undefined],
    ['of NaN', "ARRAY['USD','USD']", "ARRAY['NaN','NaN']", undefined],
    ['of infinity', "ARRAY['USD','USD']", "ARRAY['Infinity','-Infinity']", undefined],
    ['with an amount that is NULL', "ARRAY['USD','USD','USD']", 'ARRAY[1,-1,NULL]', FOUR],
    ['of no asset', 'ARRAY[NULL,NULL]', 'ARRAY[1,-1]', undefined],
    ['of no account', "ARRAY['USD','USD']", 'ARRAY[1,-1]', "ARRAY['bank',NULL]"],
    ['with an account too few', "ARRAY['USD','USD']", 'ARRAY[1,-1]', "ARRAY['bank']"],
    ['with an amount too few', "ARRAY['USD','USD']", 'ARRAY[1]', undefined],
    ['without postings', 'ARRAY[]', 'ARRAY[]', 'ARRAY[]'],
  ])('the database refuses an entry %s', async (_, assets, amounts, accounts) => {
    await expect(book(assets, amounts, accounts)).rejects.toThrow(/violates check constraint/)
  })

  test('the database refuses an entry that is booked a second time', async () => {
    const again = sql`INSERT INTO journal SELECT * FROM journal LIMIT 1`.execute(lending.db)
    await expect(again).rejects.toThrow(/duplicate key/)
  })

  test('the database refuses an entry that is booked a second time in another month', async () => {
    const key = sql`
      INSERT INTO journal_entries SELECT tenant_id, facility_id, entry_id FROM journal LIMIT 1`
    await expect(key.execute(lending.db)).rejects.toThrow(/duplicate key/)
    const without = sql`
      INSERT INTO journal SELECT (jsonb_populate_record(NULL::journal, to_jsonb(j) || '{"entry_id": "draw/x"}')).*
      FROM (SELECT * FROM journal LIMIT 1) j`
    await expect(without.execute(lending.db)).rejects.toThrow(/violates foreign key constraint/)
  })

  test('the database refuses to alter or delete an entry by the name of its month', async () => {
    const { db } = lending
    const { rows } = await sql<{ name: string }>`
      SELECT DISTINCT tableoid::regclass::text AS name FROM journal`.execute(db)
    expect(rows.length).toBeGreaterThan(0)
    for (const { name } of rows) {
      const month = sql.table(name)
      for (const change of [
        sql`UPDATE ${month} SET kind = 'other'`,
        sql`DELETE FROM ${month}`,
        sql`TRUNCATE ${month}`,
      ]) {
        await expect(change.execute(db)).rejects.toThrow(/never altered/)
      }
    }
  })

  test('the database refuses to alter or delete an entry', async () => {
    const { db } = lending
    const before = await sql`SELECT * FROM journal ORDER BY entry_id`.execute(db)
    await expect(
      sql`UPDATE journal SET kind = 'other' WHERE kind = 'draw'`.execute(db),
    ).rejects.toThrow(/never altered/)
    await expect(sql`UPDATE journal SET amounts = '{2,-2}'`.execute(db)).rejects.toThrow(/altered/)
    await expect(sql`DELETE FROM journal`.execute(db)).rejects.toThrow(/never altered/)
    for (const table of ['journal', 'facilities', 'tenants']) {
      const emptied = sql`TRUNCATE ${sql.table(table)} CASCADE`.execute(db)
      await expect(emptied, table).rejects.toThrow(/never altered/)
    }
    expect(await sql`SELECT * FROM journal ORDER BY entry_id`.execute(db)).toEqual(before)
  })
})

/** Tampers with the tables in a way that is undone, and returns what the check then finds. */
async function findAfter(tamper: string): Promise<string[]> {
  const rollback = new Error('rollback')
  let found: string[] = []
  const tampered = inTransaction(lending.db, async (tx) => {
    await sql.raw(tamper).execute(tx)
    found = (await findDisagreements(tx)).map(({ balance }) => balance)
    throw rollback
  })
  await tampered.catch((error) => {
    if (error !== rollback) throw error
  })
  return found
}

describe('the check of the ledger', () => {
  test("the ledger's check finds nothing in books that agree", async () => {
    expect(await checkLedger(lending.db)).toEqual([])
  })

  test.each([
    ['UPDATE facilities SET principal_cents = principal_cents + 1', 'principal'],
    [
      'UPDATE principal_movements SET delta_cents = delta_cents + 1 WHERE delta_cents > 0',
      'principal by its movements',
    ],
    [
      "UPDATE principal_movements SET effective_at = (effective_at AT TIME ZONE 'UTC' - interval '1 ms') AT TIME ZONE 'UTC' WHERE delta_cents > 0",
      'interest to the millisecond',
    ],
    [
      'UPDATE facilities SET interest_booked_cents = interest_booked_cents + 1',
      'interest receivable',
    ],
    [
      'UPDATE facilities SET interest_booked_cents = interest_booked_cents + 1, interest_paid_cents = interest_paid_cents + 1',
      'interest booked',
    ],
    ['UPDATE facilities SET reserved_cents = 1', 'reservations'],
    ['UPDATE facilities SET refund_due_cents = 1', 'refund due'],
    ["UPDATE refunds SET status = 'PENDING', paid_at = NULL WHERE cents > 0", 'refunds under way'],
    ["UPDATE refunds SET status = 'PENDING', paid_at = NULL WHERE cents = 0", 'refunds in kind'],
    ['UPDATE refunds SET amount_units = amount_units + 1', 'refunds paid'],
    ['UPDATE draws SET debt_cents = debt_cents + 1', 'drawn'],
    ['UPDATE draws SET amount_units = amount_units + 1', 'paid out for draws'],
    ['UPDATE repayments SET interest_cents = interest_cents + 1', 'interest repaid'],
    ['UPDATE repayments SET principal_cents = principal_cents + 1', 'principal repaid'],
    ['UPDATE repayments SET refund_cents = refund_cents + 1', 'delivered beyond the debt'],
    ['UPDATE repayments SET confirmed_units = confirmed_units + 1', 'received'],
  ])("the ledger's check after %s reports %s", async (tamper, balance) => {
    expect(await findAfter(tamper)).toContain(balance)
  })

  test("the ledger's check reports an entry that nothing else knows of", async () => {
    const { tenantId } = lending
    const found = await findAfter(`
      WITH key AS (INSERT INTO journal_entries VALUES ('${tenantId}', '${facilityId}', 'draw/x'))
      INSERT INTO journal (tenant_id, facility_id, entry_id, kind, accounts, assets, amounts, booked_at)
      VALUES ('${tenantId}', '${facilityId}', 'draw/x', 'draw', '{bank,loans_receivable}', '{USD,USD}', '{-7,7}', now())`)
    expect(found).toEqual(['drawn', 'paid out for draws', 'principal'])
  })
})
