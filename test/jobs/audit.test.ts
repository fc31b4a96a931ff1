import { sql } from 'kysely'
import { pino } from 'pino'
import { beforeEach, expect, test } from 'vitest'
import { addMs, HOUR_MS } from '../../src/core/time.ts'
import { createDatabase, inTransaction } from '../../src/db/database.ts'
import { readLastAudit, requestAudit } from '../../src/domain/audit/runs.ts'
import { auditIfDue, exportLastAudit, restMs, runAudits } from '../../src/jobs/audit.ts'
import type { JobContext } from '../../src/jobs/job-context.ts'
import { createWorkerConnections } from '../../src/jobs/work/work-connections.ts'
import { createMetrics } from '../../src/telemetry/metrics.ts'
import { openTenant } from '../support/lending/onboarding.ts'
import { waitFor } from '../support/process/patience.ts'
import { createTestDatabase, databaseForFile } from '../support/stores/database.ts'
import { countAsleep } from '../support/stores/waiting-sessions.ts'

const database = databaseForFile()
let now = new Date()
beforeEach(() => {
  now = addMs(now, HOUR_MS)
})

/** A worker, as far as the audit needs one. */
function worker(logged: string[] = []): JobContext {
  const stream = { write: (line: string) => void logged.push(line) }
  return {
    db: database.db,
    clock: () => now,
    config: { auditMinutes: 60, stack: 'live' },
    logger: pino({ level: 'warn' }, stream),
    metrics: createMetrics(),
    slots: createWorkerConnections(2),
  } as unknown as JobContext
}

async function read({ metrics }: JobContext, name: string): Promise<Record<string, number>> {
  const metric = await metrics.registry.getSingleMetric(name)?.get()
  const values = metric?.values ?? []
  return Object.fromEntries(
    values.map(({ labels, value }) => [Object.values(labels).join(), value]),
  )
}

const never = new AbortController().signal

test('one worker makes all audits of a period, and each reports its findings', async () => {
  const [first, second] = [worker(), worker()]
  await Promise.all([auditIfDue(never, first), auditIfDue(never, second)])
  const { finished_at: ended } = await database.db
    .selectFrom('audits')
    .selectAll()
    .executeTakeFirstOrThrow()
  expect(ended).toEqual(now)
  for (const context of [first, second]) {
    await exportLastAudit(context)
    expect(await read(context, 'svc_last_audit_timestamp_seconds')).toEqual({
      '': now.getTime() / 1_000,
    })
    const violations = await read(context, 'svc_invariant_violations')
    expect(Object.keys(violations)).toHaveLength(9)
    expect(Object.values(violations).every((count) => count === 0)).toBe(true)
  }
})

test('an audit that an operator asks for is made once, also where workers make none by themselves', async () => {
  const idle = { ...worker(), config: { auditMinutes: 0, stack: 'live' } } as unknown as JobContext
  const ended = async () => (await readLastAudit(database.db))?.finishedAt
  const before = await ended()
  await auditIfDue(never, idle)
  expect(await ended()).toEqual(before)
  await inTransaction(database.db, (tx) => requestAudit(tx, now))
  await Promise.all([auditIfDue(never, idle), auditIfDue(never, idle)])
  expect(await ended()).toEqual(now)
  now = addMs(now, HOUR_MS)
  await auditIfDue(never, idle)
  expect(await ended()).not.toEqual(now)
})

test('a worker with no more than its rights can audit all there is', async () => {
  const db = createDatabase({ connectionString: database.appUrl, maxConnections: 1 })
  try {
    await auditIfDue(never, { ...worker(), db })
  } finally {
    await db.destroy()
  }
  const { finished_at: ended } = await database.db
    .selectFrom('audits')
    .selectAll()
    .executeTakeFirstOrThrow()
  expect(ended).toEqual(now)
})

test('a violation raises its metric and is logged, until an audit finds none', async () => {
  const logged: string[] = []
  const context = worker(logged)
  const tenantId = await openTenant(database.db)
  const webhook = {
    tenant_id: tenantId,
    webhook_id: 'whk_1',
    url: 'https://example.com',
    event_types: [],
    label: null,
    state: 'active' as const,
    registered_sequence: 0n,
    created_at: now,
    disabled_at: null,
    deleted_at: null,
  }
  await database.db.insertInto('webhooks').values(webhook).execute()
  const lane = { tenant_id: tenantId, webhook_id: 'whk_1', seen: 0n, failures: 7 }
  await database.db
    .insertInto('lanes')
    .values({ ...lane, lease: null, leased_until: null, retry_at: null })
    .execute()
  await auditIfDue(never, context)
  await exportLastAudit(context)
  expect(await read(context, 'svc_invariant_violations')).toMatchObject({ I5: 1, I4: 0 })
  expect(logged.map((line) => JSON.parse(line))).toMatchObject([
    { msg: 'invariant violated', invariant: 'I5', tenantId, subject: 'whk_1' },
  ])

  await database.db.updateTable('lanes').set({ failures: 0 }).execute()
  now = addMs(now, HOUR_MS)
  await auditIfDue(never, context)
  await exportLastAudit(context)
  expect(await read(context, 'svc_invariant_violations')).toMatchObject({ I5: 0 })
})

test('before the first audit a worker shows since when there was none, and without audits nothing', async () => {
  await using fresh = await createTestDatabase()
  const name = 'svc_last_audit_timestamp_seconds'
  const context = { ...worker(), db: fresh.db }
  expect(await read(context, name)).toEqual({})
  const off = { ...context, config: { ...context.config, auditMinutes: 0 } }
  await exportLastAudit(off)
  expect(await read(off, name)).toEqual({})
  await exportLastAudit(context)
  const { marked_from: since } = await fresh.db
    .selectFrom('audits')
    .select('marked_from')
    .executeTakeFirstOrThrow()
  expect(await read(context, name)).toEqual({ '': since.getTime() / 1_000 })
})

test('a stack with audits switched off never audits by itself', async () => {
  const context = worker()
  const config = { ...context.config, auditMinutes: 0 }
  await auditIfDue(never, { ...context, config })
  const { finished_at: ended } = await database.db
    .selectFrom('audits')
    .selectAll()
    .executeTakeFirstOrThrow()
  expect(ended).not.toEqual(now)
})

test('while work waits for a connection the audit reads for a tenth of the time, else for half', () => {
  expect(restMs(100, 1)).toBe(900)
  expect(restMs(100, 0)).toBe(100)
})

// The last test: it leaves a table that cannot be read in time.
test('a worker that is asked to stop gives its audit up at once', async () => {
  await openTenant(database.db)
  await sql`ALTER TABLE signing_secrets RENAME TO hidden`.execute(database.db)
  await sql`CREATE VIEW signing_secrets AS SELECT h.* FROM hidden h, pg_sleep(60)`.execute(
    database.db,
  )
  await sql`INSERT INTO hidden SELECT tenant_id, 's', 'whsec_s', now() FROM tenants`.execute(
    database.db,
  )
  const logged: string[] = []
  const stop = new AbortController()
  const running = runAudits(stop.signal, worker(logged))
  await waitFor(async () => expect(await countAsleep(database.db)).toBe(1))
  stop.abort()
  await running
  await waitFor(async () => expect(await countAsleep(database.db)).toBe(0))
  const { finished_at: ended } = await database.db
    .selectFrom('audits')
    .selectAll()
    .executeTakeFirstOrThrow()
  expect(ended).not.toEqual(now)
  expect(logged).toEqual([])
})
