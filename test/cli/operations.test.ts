import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { newId } from '../../src/core/ids.ts'
import { reportProcess } from '../../src/domain/operations/processes.ts'
import { insertWebhookRow } from '../support/deliveries/insert-webhook.ts'
import { addBorrower, openTenant } from '../support/lending/onboarding.ts'
import { databaseCliForFile } from './database-cli.ts'

const { database, cli } = databaseCliForFile()
let tenantId = ''
beforeAll(async () => {
  tenantId = await openTenant(database.db)
})

const list = async (command: string) =>
  (await cli.read<{ items: Record<string, unknown>[] }>(command)).items

test('blocked borrowers and applications are listed, with who blocked and what each waits for', async () => {
  const borrowerId = await addBorrower(database.db, tenantId)
  expect(await cli.show('borrowers blocked')).toContain('No borrower is blocked.')
  await cli.read(`borrowers block ${borrowerId} --tenant ${tenantId} --reason court`)
  expect(await list('borrowers blocked')).toMatchObject([
    { tenant_id: tenantId, borrower_id: borrowerId, reason: 'court', blocked_by: 'os:tester' },
  ])
  expect(await list(`borrowers blocked --tenant ${await cli.createTenant()}`)).toEqual([])
  const facilityId = newId('fac')
  await sql`INSERT INTO facilities (tenant_id, facility_id, borrower_id, state, limit_cents,
      rate_ppm, accrued_at, created_at, updated_at)
    VALUES (${tenantId}, ${facilityId}, ${borrowerId}, 'PENDING', 2000000, 95000, now(), now(),
      now())`.execute(database.db)
  expect(await list('applications list')).toMatchObject([
    { facility_id: facilityId, waits_for: 'portfolio_missing' },
  ])
  expect(await cli.show('applications list')).toContain('portfolio_missing')
})

test('processes, providers and keys are what the processes report, and problems follow', async () => {
  expect(await cli.show('operations providers')).toContain('No process calls a provider')
  const provider = {
    ...{ provider: 'custodian', breaker: 'open' as const, breakerSince: new Date() },
    ...{ answered: 1, failed: 1, heldBack: 2, durations: [1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1] },
  }
  const name = { processId: randomUUID(), kind: 'api' as const, host: 'a1', version: '1.0.0' }
  const report = {
    ...{ schema: '0035', keyIds: ['k1'], redis: 'ok' as const, providers: [provider] },
    connections: { used: 0, idle: 1, waiting: 0 },
  }
  const now = new Date()
  await reportProcess(database.db, { ...name, startedAt: now }, report, now)
  expect(await list('operations processes')).toMatchObject([{ host: 'a1', silent: false }])
  expect(await list('operations providers')).toMatchObject([{ breaker: 'open', held_back: 2 }])
  expect(await cli.show('operations providers')).toContain('above 15 s')
  expect(await list('operations keys')).toMatchObject([{ key_id: 'k1', encrypted_by: 1 }])
  const kinds = (await list('operations problems')).map(({ kind }) => kind)
  expect(kinds).toEqual(expect.arrayContaining(['provider_down', 'worker_missing']))
})

test('the queue, webhooks in trouble and partitions are listed', async () => {
  const queue = await cli.read<{ classes: object[]; deliveries: object }>('operations queue')
  expect(queue.classes).toHaveLength(10)
  expect(queue.deliveries).toEqual({ due: 0, webhooks: 0, oldest_seconds: 0 })
  const id = await insertWebhookRow(database, tenantId, 'https://hooks.example/secret')
  await sql`UPDATE webhooks SET state = 'disabled', disabled_at = now()`.execute(database.db)
  expect(await list('operations webhooks --trouble disabled')).toMatchObject([
    { webhook_id: id, origin: 'https://hooks.example' },
  ])
  expect(await list('operations webhooks --trouble failing')).toEqual([])
  type Partitioned = { items: { table: string; kept_days?: number }[] }
  const env = { EVENT_RETENTION_DAYS: '30' }
  const { items } = await cli.read<Partitioned>('operations partitions', { env })
  expect(items.find(({ table }) => table === 'events')).toMatchObject({ kept_days: 30 })
  expect(items.find(({ table }) => table === 'journal')?.kept_days).toBeUndefined()
})

test('an audit is made by a worker when it is asked for, once', async () => {
  expect(await cli.show('operations audit')).toContain('No audit has ended yet.')
  expect(await cli.read('audit --by-worker --reason check')).toEqual({ requested: true })
  expect(await cli.read('audit --by-worker')).toEqual({ requested: false })
  // The application of the test above waits without work.
  expect((await cli.run('audit')).exitCode).toBe(1)
  const found = { invariant: 'I4', check: 'nothing-forgotten', tenant_id: tenantId }
  expect(await list('operations audit')).toContainEqual(expect.objectContaining(found))
  expect(await cli.show('operations audit')).toMatch(/^The last audit ended at .*\nINVARIANT/)
})
