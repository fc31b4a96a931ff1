import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { houseForFile } from '../support/lending/houses.ts'
import { addDrawnFacility, usd } from '../support/lending/lending.ts'
import { run } from './database-cli.ts'

const lending = houseForFile()
let env: Record<string, string>
beforeAll(async () => {
  env = { DATABASE_URL: lending.databaseUrl }
  await addDrawnFacility(lending, usd(1_000_00n))
})

test('audit reports a sound database in one sentence and exits with 0', async () => {
  const text = await run(['audit'], { env })
  expect(text).toMatchObject({ exitCode: 0, error: '' })
  expect(text.out).toMatch(/^No violation in \d+ checks\.\n$/)
  const json = await run(['audit', '--json', '--only', 'i2,I4'], { env })
  expect(json.exitCode).toBe(0)
  const found = JSON.parse(json.out)
  expect(found).toMatchObject({ items: [], unfinished: [], shortened: [] })
  expect(found.checks).toBeGreaterThan(5)
})

test('audit names each violation with its invariant and exits with 1', async () => {
  await sql`UPDATE tenant_counters SET last_sequence = last_sequence + 1`.execute(lending.db)
  const json = await run(['audit', '--json'], { env })
  expect(json).toMatchObject({ exitCode: 1, error: '' })
  expect(JSON.parse(json.out).items).toMatchObject([
    {
      invariant: 'I2',
      check: 'gapless-sequence',
      tenant_id: lending.tenantId,
      subject: 'event log',
    },
  ])
  const text = await run(['audit'], { env })
  expect(text.exitCode).toBe(1)
  expect(text.out).toMatch(/^I2 +gapless-sequence +ten_/m)
  expect((await run(['audit', '--only', 'I4'], { env })).exitCode).toBe(0)
})

async function readLastRun() {
  const { rows } = await sql<{ finished_at: Date | null; violations: Record<string, number> }>`
    SELECT finished_at, violations FROM audits`.execute(lending.db)
  return rows[0]
}

test('audit records a run of every invariant as a worker does, with what it found', async () => {
  const now = new Date('2027-01-01T00:00:00Z')
  const partly = await run(['audit', '--json', '--only', 'I2'], { env, now })
  expect(JSON.parse(partly.out)).toMatchObject({ recorded: false })
  expect((await readLastRun())?.finished_at).not.toEqual(now)
  const whole = await run(['audit', '--json'], { env, now })
  expect(JSON.parse(whole.out)).toMatchObject({ recorded: true })
  expect(await readLastRun()).toMatchObject({ finished_at: now, violations: { I2: 1, I4: 0 } })
})

test('audit of a database that takes no writes reports its findings and records nothing', async () => {
  const url = new URL(lending.databaseUrl)
  url.searchParams.set('options', '-c default_transaction_read_only=on')
  const before = await readLastRun()
  const text = await run(['audit', '--json'], { env: { DATABASE_URL: url.href } })
  expect(text).toMatchObject({ exitCode: 1, error: '' })
  expect(JSON.parse(text.out)).toMatchObject({ items: [{ invariant: 'I2' }], recorded: false })
  expect(await readLastRun()).toEqual(before)
})

test.each([
  ...['0', '17', 'two'].map((lanes) => ['--lanes', lanes, 'from 1 to 16'] as const),
  ['--only', 'I10', 'The invariants are I1, I2'] as const,
])('audit %s %s is a usage error, reported in one sentence', async (option, value, sentence) => {
  const { exitCode, error } = await run(['audit', option, value], { env })
  expect([exitCode, error]).toEqual([2, expect.stringContaining(sentence)])
})

test('audit reports a check that takes too long, makes the other checks and exits with 1', async () => {
  const table = 'signing_secrets'
  await sql`ALTER TABLE ${sql.table(table)} RENAME TO hidden`.execute(lending.db)
  const slow = sql`
    CREATE VIEW ${sql.table(table)} AS SELECT h.* FROM hidden h, pg_sleep(60)`
  await slow.execute(lending.db)
  await sql`INSERT INTO hidden SELECT tenant_id, 's', 'whsec_s', now() FROM tenants`.execute(
    lending.db,
  )
  const json = await run(['audit', '--json', '--seconds', '1', '--only', 'I7'], { env })
  expect(json.exitCode).toBe(1)
  expect(JSON.parse(json.out)).toMatchObject({ items: [], unfinished: ['sealed-secrets'] })
})
