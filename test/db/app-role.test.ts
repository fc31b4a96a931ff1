import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { addMs, DAY_MS } from '../../src/core/time.ts'
import { createDatabase, type Db } from '../../src/db/database.ts'
import { maintainPartitions } from '../../src/db/migrate.ts'
import { createDatabaseCli } from '../cli/database-cli.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'

let owned: AsyncDisposableStack
let database: TestDatabase
let app: Db
beforeAll(async () => {
  owned = new AsyncDisposableStack()
  database = owned.use(await createTestDatabase({ isDirect: true }))
  // A copy of a database has its tables' rights, and not those of the database itself.
  await createDatabaseCli(database.url).show(['migrate', '--app-role', inject('appRole')])
  app = createDatabase({ connectionString: database.appUrl, maxConnections: 1 })
  owned.defer(() => app.destroy())
})
afterAll(() => owned.disposeAsync())

const DENIED = '42501'
const run = (statement: string, as = app) => sql.raw(statement).execute(as)

/** Every table of the schema, partitions aside, that the role may do this with. */
async function tablesFor(privilege: string): Promise<string[]> {
  const { rows } = await sql<{ relname: string }>`
    SELECT relname FROM pg_class
    WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition
      AND has_table_privilege(${inject('appRole')}, oid, ${privilege})
    ORDER BY relname`.execute(database.db)
  return rows.map(({ relname }) => relname)
}

describe('the role of the API and the worker', () => {
  test.each([
    ['make a table', 'CREATE TABLE mine (id int)'],
    ['make a table for the session', 'CREATE TEMPORARY TABLE mine (id int)'],
    ['make a function', "CREATE FUNCTION f() RETURNS int LANGUAGE sql AS 'SELECT 1'"],
    ['alter a table', 'ALTER TABLE webhooks ADD COLUMN extra text'],
    ['drop a table', 'DROP TABLE journal'],
    ['drop a rule of the journal', 'DROP RULE journal_no_update ON journal'],
    ['empty a table', 'TRUNCATE outbox'],
    ['make an index', 'CREATE INDEX mine ON webhooks (label)'],
    ['give rights away', 'ALTER TABLE journal OWNER TO CURRENT_USER'],
    ['make a role', 'CREATE ROLE another'],
    ['copy from a program', "COPY outbox FROM PROGRAM 'true'"],
    ['change its own role', 'ALTER ROLE CURRENT_USER SUPERUSER'],
    ['replace the function of the partitions', 'DROP FUNCTION maintain_partitions'],
  ])('cannot %s', async (_, statement) => {
    await expect(run(statement)).rejects.toMatchObject({ code: DENIED })
  })

  test.each([
    'journal',
    'events',
    'delivery_attempts',
    'principal_movements',
    'signatures',
    'margin_decisions',
    'margin_judgements',
    'repayment_references',
  ])('can add to %s, and neither alter nor delete what stands there', async (table) => {
    for (const statement of [
      `UPDATE ${table} SET tenant_id = tenant_id`,
      `DELETE FROM ${table}`,
      `SELECT * FROM ${table} FOR UPDATE`,
    ]) {
      await expect(run(statement)).rejects.toMatchObject({ code: DENIED })
    }
    expect(await tablesFor('INSERT')).toContain(table)
  })

  test('waits for no lock, statement or idle transaction without end, whatever connects it', async () => {
    const client = new pg.Client({ connectionString: database.appUrl })
    await client.connect()
    const show = async (name: string) => (await client.query(`SHOW ${name}`)).rows[0][name]
    expect(await show('lock_timeout')).toBe('2s')
    expect(await show('statement_timeout')).toBe('10s')
    expect(await show('idle_in_transaction_session_timeout')).toBe('10s')
    await client.end()
  })

  test('reads what the operator writes: tenants, keys, documents, policy', async () => {
    for (const table of ['tenants', 'api_keys', 'documents', 'residency_policy']) {
      expect(await tablesFor('SELECT')).toContain(table)
      expect(await tablesFor('INSERT')).not.toContain(table)
      expect(await tablesFor('DELETE')).not.toContain(table)
    }
    await expect(run("UPDATE tenants SET name = 'x'")).rejects.toMatchObject({ code: DENIED })
  })

  test('deletes from what is emptied as it is done, and from nothing else', async () => {
    expect(await tablesFor('DELETE')).toEqual([
      'custodian_positions',
      'deadlines',
      'idempotency_records',
      'outbox',
      'price_rounds',
      'provider_callbacks',
      'sandbox_price_history',
      'sandbox_providers',
    ])
    expect(await tablesFor('TRUNCATE')).toEqual([])
    expect(await tablesFor('REFERENCES')).toEqual([])
  })

  test('keeps house: months to come are made and old ones dropped, by the function alone', async () => {
    const months = async () => {
      const { rows } = await sql<{ name: string }>`
        SELECT inhrelid::regclass::text AS name FROM pg_inherits
        WHERE inhparent = 'events'::regclass ORDER BY 1`.execute(app)
      return rows.map(({ name }) => name)
    }
    const [oldest = '', ...rest] = await months()
    const today = addMs(new Date(), 31 * DAY_MS)
    await maintainPartitions(app, today, new Date())
    expect(await months()).not.toContain(oldest)
    expect((await months()).length).toBe(rest.length + 1)
    await expect(run(`DROP TABLE ${rest[0]}`)).rejects.toMatchObject({ code: DENIED })
    // Neither a wrong clock nor a wrong wish takes the log of now away.
    const kept = await months()
    await run("SELECT maintain_partitions(now(), 0, 'infinity')")
    expect(await months()).toEqual(kept)
  })
})

describe('migrate --app-role', () => {
  const nameRole = () => `role_${randomBytes(6).toString('hex')}`

  async function makeRole(password: string) {
    const name = nameRole()
    owned.defer(async () => {
      await run(`DROP OWNED BY ${name}`, database.db)
      await run(`DROP ROLE ${name}`, database.db)
    })
    const cli = createDatabaseCli(database.url)
    const migrate = (given: string) =>
      cli.show(['migrate', '--app-role', name], { env: { APP_ROLE_PASSWORD: given } })
    expect(await migrate(password)).toBe(
      `Nothing to apply. ${name} may do what the API and the worker do.\n`,
    )
    return { name, migrate }
  }

  async function canLogIn(username: string, password: string): Promise<boolean> {
    const url = Object.assign(new URL(database.url), { username, password })
    const db = createDatabase({ connectionString: url.href, maxConnections: 1 })
    try {
      await db.selectFrom('journal').select('entry_id').execute()
      return true
    } catch (error) {
      expect(error).toMatchObject({ code: '28P01' })
      return false
    } finally {
      await db.destroy()
    }
  }

  test('makes the role with its password, and gives it a new one when asked again', async () => {
    const { name, migrate } = await makeRole("it's first")
    expect(await canLogIn(name, "it's first")).toBe(true)
    await migrate('second')
    expect(await canLogIn(name, 'second')).toBe(true)
    expect(await canLogIn(name, "it's first")).toBe(false)
  })

  test('takes back whatever else the role was given', async () => {
    const { name, migrate } = await makeRole('secret')
    await run(`GRANT ALL ON journal, api_keys TO ${name}`, database.db)
    await migrate('secret')
    const { rows } = await sql<{ may: boolean }>`
      SELECT has_table_privilege(${name}, 'journal', 'UPDATE')
          OR has_table_privilege(${name}, 'api_keys', 'INSERT') AS may`.execute(database.db)
    expect(rows).toEqual([{ may: false }])
  })

  test('refuses a role that is missing, one with rights nobody can take, and one misspelt', async () => {
    const cli = createDatabaseCli(database.url)
    const name = nameRole()
    expect(await cli.fail(['migrate', '--app-role', name])).toEqual({
      code: 'not_found',
      message: `There is no role ${name}: create it, or set APP_ROLE_PASSWORD to have it made.`,
    })
    const owner = new URL(database.url).username
    expect(await cli.fail(['migrate', '--app-role', owner])).toEqual({
      code: 'validation_failed',
      message: `The role ${owner} is a superuser: give the service a role of its own.`,
    })
    expect(await cli.fail(['migrate', '--app-role', 'a;b'])).toMatchObject({ code: 'usage' })
  })
})
