import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { addMs, HOUR_MS, SECOND_MS } from '../../../src/core/time.ts'
import { inTransaction } from '../../../src/db/database.ts'
import { claimRequestedAudit, recordAudit } from '../../../src/domain/audit/runs.ts'
import { type ProcessReport, reportProcess } from '../../../src/domain/operations/processes.ts'
import { requestWork } from '../../../src/domain/work/work.ts'
import { operatorApiForFile } from '../../support/api/operators.ts'
import { insertWebhookRow } from '../../support/deliveries/insert-webhook.ts'
import { openTenant } from '../../support/lending/onboarding.ts'

let viewer = ''
let reviewer = ''
let tenantId = ''
const { api, operators } = operatorApiForFile()
beforeAll(async () => {
  viewer = (await operators.addOperator('viewer')).token
  reviewer = (await operators.addOperator('reviewer')).token
  tenantId = await openTenant(api.db)
})

const read = async (path: string) => {
  const answer = await operators.send(path, { token: viewer })
  expect(answer.status).toBe(200)
  return answer.json()
}
const problems = async (): Promise<string[]> =>
  (await read('/operations/problems')).items.map((item: { kind: string }) => item.kind)

const calls = (more: object) => ({
  ...{ provider: 'custodian', breaker: 'closed' as const, breakerSince: new Date() },
  ...{ answered: 0, failed: 0, heldBack: 0, durations: Array.from({ length: 12 }, () => 0) },
  ...more,
})

/** A process that reported so long ago. */
async function addProcess(agoMs: number, report: Partial<ProcessReport>): Promise<string> {
  const processId = randomUUID()
  const process = { processId, kind: 'worker' as const, host: 'w1', version: '1.0.0' }
  await reportProcess(
    api.db,
    { ...process, startedAt: addMs(new Date(), -HOUR_MS) },
    {
      ...{ schema: '0035-operations', keyIds: ['k1'], redis: 'ok', providers: [] },
      ...{ connections: { used: 1, idle: 2, waiting: 0 }, ...report },
    },
    addMs(new Date(), -agoMs),
  )
  return processId
}
const forgetProcesses = () => api.db.deleteFrom('processes').execute()

test('a process shows its version, keys and the age of its report; one that is silent is a problem', async () => {
  await addProcess(4 * SECOND_MS, { keyIds: ['k2', 'k1'] })
  await addProcess(10 * 60 * SECOND_MS, {})
  const { items } = await read('/processes')
  expect(items).toMatchObject([
    { version: '1.0.0', schema: '0035-operations', silent: false, key_ids: ['k2', 'k1'] },
    { silent: true },
  ])
  expect(items[0].age_seconds).toBeGreaterThanOrEqual(4)
  expect(await problems()).toContain('process_silent')
  await forgetProcesses()
})

test('a provider has the worst breaker of its processes and the calls of all, silent ones aside', async () => {
  const durations = [0, 90, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
  const slow = [0, 0, 0, 0, 0, 0, 0, 0, 10, 0, 0, 0]
  const healthy = await addProcess(1_000, { providers: [calls({ answered: 90, durations })] })
  const lastFailure = { outcome: 'timeout', at: new Date() }
  const broken = calls({ failed: 10, heldBack: 3, durations: slow, breaker: 'open', lastFailure })
  await addProcess(2_000, { providers: [broken] })
  await addProcess(120_000, { providers: [calls({ answered: 5_000 })] })
  const { items, oldest_report_seconds: oldest } = await read('/providers')
  expect(items).toMatchObject([
    {
      ...{ provider: 'custodian', breaker: 'open', answered: 90, failed: 10, held_back: 3 },
      ...{ p50_ms: 10, p95_ms: 2_500, last_failure: { outcome: 'timeout' } },
    },
  ])
  expect(items[0].processes).toHaveLength(2)
  expect(items[0].processes[0]).toMatchObject({ process_id: healthy, breaker: 'closed' })
  expect(oldest).toBeLessThan(30)
  expect(await problems()).toContain('provider_down')
  await forgetProcesses()
})

test('processes of different builds are a problem, and so is one without a key in use', async () => {
  await sql`INSERT INTO signing_secrets (tenant_id, secret_id, sealed, created_at)
    VALUES (${tenantId}, 'sec_1', 'k1.AAAA', now())`.execute(api.db)
  const without = await addProcess(1_000, { keyIds: ['k2'], schema: '0099-later' })
  await addProcess(1_000, { keyIds: ['k2', 'k1'] })
  expect((await read('/encryption-keys')).items).toEqual([
    {
      ...{ key_id: 'k1', signing_secrets: 1, stored_answers: 0, encrypted_by: 0 },
      ...{ decrypted_by: 1, missing_in: [without] },
    },
    {
      ...{ key_id: 'k2', signing_secrets: 0, stored_answers: 0, encrypted_by: 2 },
      ...{ decrypted_by: 0, missing_in: [] },
    },
  ])
  expect(await problems()).toEqual(expect.arrayContaining(['key_missing', 'versions_differ']))
  await forgetProcesses()
})

test('a report of another build is read as far as it is known', async () => {
  await addProcess(1_000, {})
  await sql`UPDATE processes SET report = '{"providers": "none", "more": 1}'`.execute(api.db)
  expect((await read('/processes')).items).toMatchObject([{ version: '1.0.0', key_ids: [] }])
  await forgetProcesses()
})

describe('the queue', () => {
  test('shows what waits by class, and for how long', async () => {
    const before = await read('/queue')
    const past = addMs(new Date(), -120 * SECOND_MS)
    await inTransaction(api.db, (tx) =>
      requestWork(tx, { tenantId, topic: 'push-floor', subjectId: 'fac_queue' }, past),
    )
    const after = await read('/queue')
    const floors = (lag: { classes: { name: string; ready: number; oldest_seconds: number }[] }) =>
      lag.classes.find(({ name }) => name === 'floors')
    expect(floors(before)).toMatchObject({ ready: 0, oldest_seconds: 0 })
    expect(floors(after)).toMatchObject({ ready: 1 })
    expect(floors(after)?.oldest_seconds).toBeGreaterThanOrEqual(120)
    expect(await problems()).toEqual(expect.arrayContaining(['worker_missing', 'work_overdue']))
    await api.db.deleteFrom('work').where('subject_id', '=', 'fac_queue').execute()
    expect(await problems()).not.toContain('work_overdue')
  })
})

describe('webhooks in trouble', () => {
  test('are listed by tenant without their paths', async () => {
    const other = await openTenant(api.db)
    const failing = await insertWebhookRow(api, tenantId, 'https://a.example/secret-path')
    const disabled = await insertWebhookRow(api, other, 'https://b.example/x?key=1')
    await insertWebhookRow(api, other, 'https://c.example/well')
    await sql`UPDATE lanes SET failures = 30 WHERE webhook_id = ${failing}`.execute(api.db)
    await sql`UPDATE webhooks SET state = 'disabled', disabled_at = now()
      WHERE webhook_id = ${disabled}`.execute(api.db)
    const { items } = await read('/webhooks/troubled')
    expect(items).toMatchObject([
      { webhook_id: failing, failed_attempts: 30, origin: 'https://a.example' },
      { webhook_id: disabled, state: 'disabled' },
    ])
    expect((await read('/webhooks/troubled?trouble=failing')).items).toHaveLength(1)
    expect((await read(`/webhooks/troubled?tenant_id=${other}`)).items).toHaveLength(1)
    expect(JSON.stringify(items)).not.toMatch(/secret-path|key=1/)
    expect(await problems()).toEqual(
      expect.arrayContaining(['webhooks_disabled', 'webhooks_failing']),
    )
  })
})

describe('prices', () => {
  test('show their sources, the spread between them and their age', async () => {
    expect((await read('/prices')).items).toEqual([])
    const at = addMs(new Date(), -10 * 60 * SECOND_MS)
    const quote = (source: string, price: string) => ({ source, price, at: at.toISOString() })
    await sql`INSERT INTO price_rounds (accepted_at, prices, sources) VALUES (${at},
      ${JSON.stringify({ BTC: { price: '7000000000000', at: at.toISOString() } })}::jsonb,
      ${JSON.stringify({ BTC: [quote('kraken', '6930000000000'), quote('coinbase', '7070000000000')] })}::jsonb)`.execute(
      api.db,
    )
    const { items } = await read('/prices')
    expect(items).toMatchObject([
      {
        ...{ asset: 'BTC', price: '70000', spread: '0.02' },
        quotes: [
          { source: 'kraken', price: '69300' },
          { source: 'coinbase', price: '70700' },
        ],
      },
    ])
    expect(items[0].age_seconds).toBeGreaterThanOrEqual(600)
    expect(await problems()).toEqual(expect.arrayContaining(['price_old', 'prices_differ']))
  })
})

describe('partitions', () => {
  test('are listed with their sizes, and which is dropped next', async () => {
    const { items } = await read('/partitions')
    const named = (table: string) => items.find((item: { table: string }) => item.table === table)
    expect(named('journal')).toMatchObject({ kept_days: null, next_drop: null })
    const { kept_days: days, next_drop: next, partitions } = named('events')
    expect(days).toBe(90)
    expect(next.name).toBe(partitions[0].name)
    expect(Date.parse(next.at) - Date.parse(partitions[0].until)).toBe(90 * 86_400_000)
    expect(partitions[0].bytes).toBeGreaterThan(0)
    expect(named('request_log').partitions[0].name).toMatch(/^request_log_\d{4}_\d\d_\d\d$/)
    expect(await problems()).not.toContain('partitions_missing')
  })
})

describe('the audit', () => {
  test('shows what violates an invariant, and is requested by a reviewer under their name', async () => {
    const none = { violations: {}, unfinished: 0, findings: [], requested_at: null }
    expect(await read('/audit')).toEqual({ finished_at: null, ...none })
    const violation = { tenantId, subject: 'fac_1', detail: 'USD sums to 1' }
    await recordAudit(
      api.db,
      [
        {
          ...{ invariant: 'I4', name: 'journal-sums', hasMore: false, timedOut: false },
          ...{
            subjects: 40,
            progress: {},
            violations: Array.from({ length: 40 }, () => violation),
          },
        },
      ],
      new Date(),
    )
    const shown = await read('/audit')
    expect(shown).toMatchObject({ violations: { I4: 40 }, requested_at: null })
    expect(shown.findings).toMatchObject([
      { invariant: 'I4', check: 'journal-sums', has_more: true, timed_out: false },
    ])
    expect(shown.findings[0].violations).toHaveLength(20)
    expect(await problems()).toContain('invariant_violated')

    const sent = { token: reviewer, method: 'POST' as const, body: { reason: 'disk was full' } }
    for (const requested of [true, false]) {
      expect((await operators.send('/audit/request', sent)).json()).toEqual({ requested })
    }
    expect((await read('/audit')).requested_at).not.toBeNull()
    const { items } = await read('/actions?limit=10')
    const asked = items.filter((item: { action: string }) => item.action === 'audit.request')
    expect(asked).toMatchObject([{ reason: 'disk was full' }])
    expect(await claimRequestedAudit(api.db)).toBe(true)
    expect(await claimRequestedAudit(api.db)).toBe(false)
  })
})

test('stuck work shows its error and how often it failed, the longest failing first', async () => {
  await sql`INSERT INTO work (tenant_id, topic, subject_id, clock, priority, due_at, attempts,
      failing_since, last_error)
    SELECT ${tenantId}, 'push-floor', 'fac_' || n, 'real', 6, now() + interval '1 hour', 12,
      timestamptz '2026-01-01' + (n / 2) * interval '1 us', 'down'
    FROM generate_series(1, 9) AS n`.execute(api.db)
  const { items } = await read(`/work/stuck?tenant_id=${tenantId}`)
  expect(items).toHaveLength(9)
  expect(items[0]).toMatchObject({ subject_id: 'fac_1', attempts: 12, error: 'down' })
  expect(await problems()).toContain('work_stuck')
})
