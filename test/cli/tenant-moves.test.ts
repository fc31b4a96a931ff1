import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { openCell } from '../../src/db/tenant-move/cell.ts'
import { forgetProcess, reportProcess } from '../../src/domain/operations/processes.ts'
import { CutOff, createTargetCell, cutOffAt, readMove, runMove } from '../support/cells.ts'
import { sealer } from '../support/deliveries/deliveries.ts'
import { openTenant, testKey } from '../support/lending/onboarding.ts'
import { createTestDatabase, type TestDatabase } from '../support/stores/database.ts'
import { createDatabaseCli } from './database-cli.ts'

vi.setConfig({ testTimeout: 120_000 })

let source: TestDatabase
let target: TestDatabase
let tenantId: string
let env: Record<string, string>
beforeAll(async () => {
  source = await createTestDatabase()
  tenantId = await openTenant(source.db)
  target = await createTargetCell(source.db)
  const keys = `test:${testKey('test').bytes.toString('base64')}`
  env = { TARGET_DATABASE_URL: target.url, TARGET_ENCRYPTION_KEYS: keys }
})
afterAll(async () => {
  await source[Symbol.asyncDispose]()
  await target[Symbol.asyncDispose]()
})

const REPORT = {
  ...{ schema: '', keyIds: [], redis: 'ok' as const, providers: [] },
  connections: { used: 0, idle: 0, waiting: 0 },
}

const move = () => `tenants move ${tenantId} --to b`

async function refusal(given: Record<string, string> = {}, command = move()): Promise<string> {
  const cli = createDatabaseCli(source.url)
  const { message } = await cli.fail(command, { env: { ...env, ...given } })
  expect(await readMove(source.db, tenantId)).toBeNull()
  return message
}

/** For as long as `run` takes, `db` has what `change` writes. */
async function whileChanged(change: string, back: string, run: () => Promise<void>): Promise<void> {
  await sql.raw(change).execute(target.db)
  try {
    await run()
  } finally {
    await sql.raw(back).execute(target.db)
  }
}

test('a target that does not fit is refused by name, and the tenant stays', async () => {
  expect(await refusal({ TARGET_DATABASE_URL: '' })).toMatch(/TARGET_DATABASE_URL is not set/)
  expect(await refusal({ TARGET_ENCRYPTION_KEYS: '' })).toMatch(/TARGET_ENCRYPTION_KEYS is not set/)
  expect(await refusal({ TARGET_DATABASE_URL: source.url })).toMatch(
    /is the database that the tenant is in/,
  )
  expect(await refusal({}, `tenants move ${tenantId} --to c`)).toMatch(/is the cell b, not c/)
  await whileChanged(
    `UPDATE stack SET name = 'live'`,
    `UPDATE stack SET name = 'sandbox'`,
    async () => {
      expect(await refusal()).toMatch(/is a sandbox stack and the target a live stack/)
    },
  )
  await whileChanged(
    `DELETE FROM kysely_migration WHERE name = '0044-tenant-moves'`,
    `INSERT INTO kysely_migration SELECT '0044-tenant-moves', '', NULL`,
    async () => expect(await refusal()).toMatch(/have other migrations: migrate both first/),
  )
  await whileChanged(
    `UPDATE residency_policy SET allowed = false WHERE borrower_type = 'business'`,
    'UPDATE residency_policy SET allowed = true',
    async () => expect(await refusal()).toMatch(/another residency policy/),
  )
  await whileChanged(
    `UPDATE stack SET distributed_at = now()`,
    `UPDATE stack SET distributed_at = NULL`,
    async () => expect(await refusal()).toMatch(/distributed database is no cell/),
  )
  expect(await refusal({}, 'tenants move ten_01k9x4m2q8e0tb7f2v5j6h8n3c --to b')).toMatch(
    /There is no tenant/,
  )
})

test('a target that lends by other settings is refused by their names, and one whose processes ended is not', async () => {
  const report = async ({ db }: TestDatabase, settings: Record<string, string>) => {
    const processId = randomUUID()
    const name = { processId, kind: 'api' as const, host: 'a', version: '1', startedAt: new Date() }
    await reportProcess(db, name, { ...REPORT, settings }, new Date())
    return () => forgetProcess(db, processId)
  }
  const same = { DRAW_LTV: '500000', CUSTODIAN_URL: 'https://custodian.example.com' }
  const endSource = await report(source, same)
  const endTarget = await report(target, { ...same, DRAW_LTV: '600000', CUSTODIAN_URL: '' })
  expect(await refusal()).toMatch(/different values of DRAW_LTV, CUSTODIAN_URL: set the same/)
  await endTarget()
  const endSame = await report(target, same)
  const urls = { source: source.url, target: target.url }
  await expect(runMove(urls, { tenantId, ...cutOffAt('leaving') })).rejects.toThrow(CutOff)
  await createDatabaseCli(source.url).show(`${move()} --abandon`, { env })
  await Promise.all([endSource(), endSame()])
})

test('a target that cannot open the tenant’s signing secret is refused, with the key that it lacks', async () => {
  const sealed = sealer.seal('whsec_x', `signing-secret/${tenantId}`)
  await source.db
    .insertInto('signing_secrets')
    .values({ tenant_id: tenantId, secret_id: 'sec_x', sealed, created_at: new Date() })
    .execute()
  const other = (id: string) => `${id}:${testKey('other').bytes.toString('base64')}`
  expect(await refusal({ TARGET_ENCRYPTION_KEYS: other('k9') })).toMatch(
    /encryption key with id test/,
  )
  expect(await refusal({ TARGET_ENCRYPTION_KEYS: other('test') })).toMatch(/key test does not open/)
  await sql`DELETE FROM signing_secrets WHERE tenant_id = ${tenantId}`.execute(source.db)
})

test('of two moves at once one is refused', async () => {
  const urls = { source: source.url, target: target.url }
  const refused = Promise.withResolvers<string>()
  const first = runMove(urls, {
    tenantId,
    async onStep(step) {
      if (step !== 'leaving') return
      const { message } = await createDatabaseCli(source.url).fail(move(), { env })
      refused.resolve(message)
      throw new CutOff(step)
    },
  })
  await expect(first).rejects.toThrow(CutOff)
  expect(await refused.promise).toMatch(/Another move runs/)
  await createDatabaseCli(source.url).show(`${move()} --abandon`, { env })
  expect(await readMove(source.db, tenantId)).toBeNull()
})

test('a copy that differs from the source is not taken', async () => {
  const urls = { source: source.url, target: target.url }
  await expect(runMove(urls, { tenantId, ...cutOffAt('copied') })).rejects.toThrow(CutOff)
  await sql`UPDATE documents SET title = 'altered' WHERE tenant_id = ${tenantId}`.execute(target.db)
  await expect(runMove(urls, { tenantId })).rejects.toThrow(
    /does not have the rows of the source, in documents/,
  )
  expect(await readMove(source.db, tenantId)).toBe('leaving')
  await createDatabaseCli(source.url).show(`${move()} --abandon`, { env })
})

test('a move prints the lines of the proxy, and both cells record it', async () => {
  const cli = createDatabaseCli(source.url)
  const { id: old } = await cli.read<{ id: string }>(`keys generate --tenant ${tenantId}`)
  const printed = await cli.show(move(), { env })
  expect(printed).toContain(`\n${old} cell_b\n`)
  expect(printed).toContain(`\nadd map moved-keys.map ${old} cell_b\n`)
  for (const { url } of [source, target]) {
    const { items } = await createDatabaseCli(url).read<{ items: object[] }>(
      'operators actions --limit 1',
    )
    expect(items).toMatchObject([{ action: 'tenants.move', tenant_id: tenantId }])
  }
  await using cell = await openCell(source.url)
  const { rows } = await cell.client.query('SELECT key_id FROM api_keys WHERE tenant_id = $1', [
    tenantId,
  ])
  expect(rows).toEqual([{ key_id: old }])
})
