import { sql } from 'kysely'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { readState } from '../../src/db/migrate/migrate.ts'
import { createDatabaseCli } from '../cli/database-cli.ts'
import { databaseForFile } from '../support/stores/database.ts'

const database = databaseForFile()
let cli: ReturnType<typeof createDatabaseCli>
beforeAll(async () => {
  cli = createDatabaseCli(database.url)
})

const run = (statement: string) => sql.raw(statement).execute(database.db)

/** As the release before has it, with a tenant in a state of its move. */
let tenantId: string
beforeEach(async () => {
  tenantId = await cli.createTenant()
  await run('ALTER TABLE tenants DROP CONSTRAINT IF EXISTS tenants_stay')
  await run(`DELETE FROM kysely_migration WHERE name = '0065-tenants-stay'`)
})

const setMove = (move: string) =>
  run(`UPDATE tenants SET move = ${move} WHERE tenant_id = '${tenantId}'`)

test.each(['leaving', 'gone', 'arriving'])(
  'migrate refuses a database in which a tenant is %s, by its name, and changes nothing',
  async (move) => {
    await setMove(`'${move}'`)
    expect((await cli.fail('migrate')).message).toContain(
      `migration 0065-tenants-stay failed: this release serves every tenant of its database, and ${tenantId} is ${move}: with the release before, end the move (tenants move)`,
    )
    // Processes of this build are not ready, and commands are refused.
    expect((await readState(database.db)).kind).toBe('behind')
    expect((await cli.fail('tenants list')).message).toContain('run the migrate command first')
    await setMove('NULL')
    expect((await cli.show('migrate')).trim()).toContain('Applied 0065-tenants-stay.')
  },
)

test('after the migration no release can begin a move, or leave a row that is held', async () => {
  await run(`CREATE TRIGGER hold_tenant BEFORE UPDATE ON tenants FOR EACH ROW
    WHEN (NEW.tenant_id = '${tenantId}') EXECUTE FUNCTION hold_tenant('all', '')`)
  await run(`CREATE TRIGGER hold_tenant BEFORE INSERT ON events FOR EACH ROW
    WHEN (NEW.tenant_id = '${tenantId}') EXECUTE FUNCTION hold_tenant('all', '')`)
  const rename = () => run(`UPDATE tenants SET name = 'Other' WHERE tenant_id = '${tenantId}'`)
  await expect(rename()).rejects.toThrow('is moving to another cell')
  await cli.show('migrate')
  await rename()
  const { rows } = await sql`SELECT FROM pg_trigger WHERE tgname LIKE 'hold_%'`.execute(database.db)
  expect(rows).toHaveLength(0)
  await expect(setMove(`'leaving'`)).rejects.toThrow('tenants_stay')
})
