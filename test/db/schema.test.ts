import { sql } from 'kysely'
import { expect, inject, test } from 'vitest'
import { describeSchema } from '../../scripts/describe-schema.ts'
import { inTransaction } from '../../src/db/database.ts'
import { databaseForFile } from '../support/stores/database.ts'

const database = databaseForFile()

class Undone extends Error {}

/** The description after a change that is rolled back. */
async function describeAfter(change: string): Promise<string> {
  let description = ''
  const changed = inTransaction(database.db, async (tx) => {
    await sql.raw(change).execute(tx)
    description = await describeSchema(tx, inject('appRole'))
    throw new Undone()
  })
  await expect(changed).rejects.toThrow(Undone)
  return description
}

const MONTH = `(SELECT inhrelid::regclass FROM pg_inherits
  WHERE inhparent = 'journal'::regclass ORDER BY 1 LIMIT 1)`

test.each([
  ['a column', 'ALTER TABLE draws ADD COLUMN more text'],
  ['a type', 'ALTER TABLE draws ALTER COLUMN reference TYPE varchar(10)'],
  ['a default', 'ALTER TABLE draws ALTER COLUMN status SET DEFAULT 1'],
  ['a NOT NULL', 'ALTER TABLE draws ALTER COLUMN asset DROP NOT NULL'],
  ['a constraint', 'ALTER TABLE draws DROP CONSTRAINT draws_check'],
  ['an index', 'DROP INDEX draws_pending'],
  ['a storage option', 'ALTER TABLE work SET (fillfactor = 90)'],
  ['a trigger that is off', 'ALTER TABLE draws DISABLE TRIGGER mark_change'],
  ['a rule', 'DROP RULE journal_no_update ON journal'],
  [
    'a rule of one month',
    `DO $$ BEGIN EXECUTE format('DROP RULE journal_no_update ON %s', ${MONTH}); END $$`,
  ],
  ['a function', 'ALTER FUNCTION make_month RESET lock_timeout'],
  ['a privilege', 'GRANT DELETE ON journal TO PUBLIC'],
  ['a privilege on one column', 'GRANT UPDATE (name) ON tenants TO PUBLIC'],
  ['a right to call a function', 'GRANT EXECUTE ON FUNCTION drop_month TO PUBLIC'],
  ['a row that migrations insert', 'DELETE FROM price_feed'],
  ['a table', 'CREATE TABLE more (id integer)'],
])('the description of a schema shows a difference in %s', async (_, change) => {
  const before = await describeSchema(database.db, inject('appRole'))
  expect(await describeAfter(change)).not.toBe(before)
  expect(await describeSchema(database.db, inject('appRole'))).toBe(before)
})

test('the description of a schema is the same when there are more months', async () => {
  const before = await describeSchema(database.db, inject('appRole'))
  const more = `SELECT make_month(base, now() + interval '9 months')
    FROM unnest(ARRAY['events', 'journal', 'margin_evaluations', 'margin_decisions']) AS base`
  expect(await describeAfter(more)).toBe(before)
})
