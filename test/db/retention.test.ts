import { sql } from 'kysely'
import { beforeAll, expect, inject, test } from 'vitest'
import { createDatabaseCli } from '../cli/database-cli.ts'
import { findAll, readText } from '../deploy/read-text.ts'
import { databaseForFile } from '../support/stores/database.ts'

const page = readText('docs/retention.md')

/** The tables of the rows whose rule begins so. A row may have several. */
function listTables(rule = ''): string[] {
  const rows = [...page.matchAll(/^\| (`[^|]+`) \| (.+) \|$/gm)]
  return rows
    .filter(([, , text = '']) => text.startsWith(rule))
    .flatMap(([, names = '']) => findAll(names, /`(\w+)`/g))
    .sort()
}

const database = databaseForFile({ isDirect: true })
beforeAll(async () => {
  await createDatabaseCli(database.url).show(['migrate', '--app-role', inject('appRole')])
})

/** Tables, without the months of those that have them. */
async function selectTables(): Promise<{ name: string; may_delete: boolean }[]> {
  const { rows } = await sql<{ name: string; may_delete: boolean }>`
    SELECT relname::text AS name,
      has_table_privilege(${inject('appRole')}, oid, 'DELETE') AS may_delete
    FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')
      AND NOT relispartition ORDER BY 1`.execute(database.db)
  return rows
}

test('retention.md has the rule of every table, once', async () => {
  const tables = (await selectTables()).map(({ name }) => name)
  expect(listTables()).toEqual(tables)
})

test('the service can delete from the tables that have a rule for deletion, and from no other', async () => {
  const deletable = (await selectTables()).filter(({ may_delete }) => may_delete)
  expect(deletable.map(({ name }) => name)).toEqual(listTables('deleted '))
})
