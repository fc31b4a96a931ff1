import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { newDatedId, newId } from '../../../src/core/ids.ts'
import { addMs, MINUTE_MS } from '../../../src/core/time.ts'
import { createDatabase, inTransaction } from '../../../src/db/database.ts'
import type { RequestEntry } from '../../../src/domain/request-log/entry.ts'
import { createRequestLog } from '../../../src/domain/request-log/request-log.ts'
import { openTenant } from '../../support/lending/onboarding.ts'
import { waitFor } from '../../support/process/patience.ts'
import { databaseForFile } from '../../support/stores/database.ts'

const database = databaseForFile()
let tenantId: string
beforeEach(async () => {
  tenantId = await openTenant(database.db)
})
afterEach(() => database.db.deleteFrom('request_log').execute())

function entry(given: Partial<RequestEntry> = {}): RequestEntry {
  return {
    tenantId,
    requestId: newId('req'),
    method: 'GET',
    route: '/v1/borrowers/:id',
    path: '/v1/borrowers/bor_1',
    status: 200,
    code: undefined,
    keyId: 'key_1',
    personId: undefined,
    durationMs: 1.25,
    idempotencyKey: undefined,
    resourceId: undefined,
    details: undefined,
    isFree: false,
    ...given,
  }
}

/** A log with what it dropped, by reason. */
function openLog(given: Partial<Parameters<typeof createRequestLog>[1]> = {}, db = database.db) {
  const dropped: Record<string, number> = {}
  const log = createRequestLog(db, {
    clock: () => new Date(),
    findOwner: async () => undefined,
    onDropped: (reason, entries) => {
      dropped[reason] = (dropped[reason] ?? 0) + entries
    },
    onError: () => undefined,
    ...given,
  })
  return { log, dropped }
}

const readAll = () =>
  database.db.selectFrom('request_log').selectAll().orderBy('request_id').execute()

async function holdTable(run: () => Promise<void>): Promise<void> {
  await inTransaction(database.db, async (tx) => {
    await sql`LOCK TABLE request_log IN EXCLUSIVE MODE`.execute(tx)
    await run()
  })
}

test('requests are written within a second, exactly as they were added', async () => {
  const { log, dropped } = openLog({ flushMs: 10 })
  const path = '/v1/borrowers/{"a\\b", null, é}'
  const answer = { code: 'not_found', detail: 'A "detail", with \\ and {braces}.' }
  log.add(entry({ path, route: 'null', durationMs: 12.3456, details: { answer } }))
  const [row] = await waitFor(async () => {
    const rows = await readAll()
    expect(rows).toHaveLength(1)
    return rows
  })
  expect(row).toMatchObject({
    tenant_id: tenantId,
    path,
    route: 'null',
    status: 200,
    code: null,
    duration_us: 12_346,
    details: { answer },
  })
  expect(dropped).toEqual({})
  await log.close()
})

test('closing writes what is left', async () => {
  const { log, dropped } = openLog({ flushMs: MINUTE_MS })
  for (let n = 0; n < 1_234; n += 1) log.add(entry())
  await log.close()
  expect(await readAll()).toHaveLength(1_234)
  expect(dropped).toEqual({})
})

test('what comes while a batch is written waits for the next batch', async () => {
  const { log } = openLog({ flushMs: MINUTE_MS })
  await holdTable(async () => {
    for (let n = 0; n < 500; n += 1) log.add(entry())
    for (let n = 0; n < 3; n += 1) log.add(entry())
  })
  await waitFor(async () => expect((await readAll()).length).toBeGreaterThanOrEqual(500))
  for (let n = 0; n < 4; n += 1) log.add(entry())
  await log.close()
  const { rows } = await sql`
    SELECT count(*)::int AS entries FROM request_log GROUP BY xmin ORDER BY 1`.execute(database.db)
  expect(rows).toEqual([{ entries: 7 }, { entries: 500 }])
})

test('while the database takes nothing, memory holds so many and the rest are counted', async () => {
  const { log, dropped } = openLog({ flushMs: 1, maxEntries: 700 })
  await holdTable(async () => {
    for (let n = 0; n < 1_000; n += 1) log.add(entry())
    expect(dropped).toEqual({ behind: 300 })
  })
  await waitFor(async () => expect(await readAll()).toHaveLength(700))
  // There is room again.
  log.add(entry())
  await log.close()
  expect(await readAll()).toHaveLength(701)
  expect(dropped).toEqual({ behind: 300 })
})

test('answers count by their size, so that few large ones fill the memory too', async () => {
  const { log, dropped } = openLog({ flushMs: MINUTE_MS, maxBytes: 100_000 })
  const details = { answer: { detail: 'x'.repeat(10_000) } }
  for (let n = 0; n < 20; n += 1) log.add(entry({ details }))
  expect(dropped).toEqual({ behind: 11 })
  await log.close()
  expect(await readAll()).toHaveLength(9)
})

test('a batch that met a lost connection is written once the database is back', async () => {
  const db = createDatabase({ connectionString: database.url, maxConnections: 1 })
  await using _ = { [Symbol.asyncDispose]: () => db.destroy() }
  const errors: unknown[] = []
  const { log, dropped } = openLog({ flushMs: 1, onError: (error) => errors.push(error) }, db)
  const { rows } = await sql<{ pid: number }>`SELECT pg_backend_pid() AS pid`.execute(db)
  await holdTable(async () => {
    log.add(entry())
    await waitFor(async () => {
      const { rows: waiting } = await sql`
        SELECT FROM pg_stat_activity WHERE pid = ${rows[0]?.pid} AND wait_event_type = 'Lock'
      `.execute(database.db)
      expect(waiting).toHaveLength(1)
    })
    await sql`SELECT pg_terminate_backend(${rows[0]?.pid}::integer)`.execute(database.db)
    await waitFor(() => expect(errors).toHaveLength(1))
  })
  await waitFor(async () => expect(await readAll()).toHaveLength(1))
  await log.close()
  expect(dropped).toEqual({})
})

test('a batch whose answer was lost is stored once', async () => {
  const twice = entry()
  const { log, dropped } = openLog()
  log.add(twice)
  await log.close()
  const again = openLog()
  again.log.add(twice)
  await again.log.close()
  expect(await readAll()).toHaveLength(1)
  expect([dropped, again.dropped]).toEqual([{}, {}])
})

test('rows that the database refuses are counted and hold up no others', async () => {
  const { log, dropped } = openLog({ flushMs: 1 })
  // Of a day that has no partition.
  log.add(entry({ requestId: 'req_00000000000000000000000000' }))
  await waitFor(() => expect(dropped).toEqual({ refused: 1 }))
  log.add(entry())
  await log.close()
  expect(await readAll()).toHaveLength(1)
})

test('rows whose node is away are tried three times, counted, and hold up no others', async () => {
  const errors: unknown[] = []
  const { log, dropped } = openLog({ flushMs: 1, onError: (error) => errors.push(error) })
  const away = await openTenant(database.db)
  // As the coordinator of a cluster answers.
  await sql`
    CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE EXCEPTION 'away' USING ERRCODE = '08006'; END $$`.execute(database.db)
  await sql`
    CREATE TRIGGER refuse BEFORE INSERT ON request_log FOR EACH ROW
    WHEN (new.tenant_id = ${sql.lit(away)}) EXECUTE FUNCTION refuse()`.execute(database.db)
  log.add(entry({ tenantId: away }))
  await waitFor(() => expect(errors).toHaveLength(1))
  log.add(entry())
  await waitFor(async () => expect(await readAll()).toMatchObject([{ tenant_id: tenantId }]))
  expect(errors).toHaveLength(3)
  expect(dropped).toEqual({ behind: 1 })
  await log.close()
})

test('of what took no token, a minute holds sixty of each tenant', async () => {
  let now = new Date()
  const { log, dropped } = openLog({ clock: () => now })
  const other = await openTenant(database.db)
  for (let n = 0; n < 100; n += 1) log.add(entry({ isFree: true }))
  log.add(entry({ isFree: true, tenantId: other }))
  log.add(entry())
  expect(dropped).toEqual({ flood: 40 })
  now = addMs(now, MINUTE_MS)
  log.add(entry({ isFree: true }))
  await log.close()
  const rows = await readAll()
  expect(rows.filter((row) => row.tenant_id === tenantId)).toHaveLength(62)
  expect(rows.filter((row) => row.tenant_id === other)).toHaveLength(1)
})

test('a request is in the partition of the day that its id shows', async () => {
  const { log } = openLog()
  const { id, madeAt } = newDatedId('req')
  log.add(entry({ requestId: id }))
  await log.close()
  const [row] = await readAll()
  expect(row?.received_at).toEqual(madeAt)
})

test('a request that names a key is added for its owner, and one of an unknown key for no one', async () => {
  const owners = new Map([['key_1', tenantId]])
  const { log, dropped } = openLog({ findOwner: async (keyId) => owners.get(keyId), flushMs: 1 })
  const { tenantId: _left, ...unowned } = entry({ status: 401, isFree: true })
  log.addByKey('key_1', unowned)
  log.addByKey('key_2', { ...unowned, requestId: newId('req') })
  await waitFor(async () => expect(await readAll()).toHaveLength(1))
  await log.close()
  expect(await readAll()).toMatchObject([{ tenant_id: tenantId, request_id: unowned.requestId }])
  expect(dropped).toEqual({})
})

test('a log that closes waits for the owners it has asked for', async () => {
  const owner = Promise.withResolvers<string | undefined>()
  const { log, dropped } = openLog({ findOwner: () => owner.promise })
  const { tenantId: _left, ...unowned } = entry({ status: 401, isFree: true })
  log.addByKey('key_1', unowned)
  const closing = log.close()
  owner.resolve(tenantId)
  await closing
  expect(await readAll()).toMatchObject([{ tenant_id: tenantId, request_id: unowned.requestId }])
  expect(dropped).toEqual({})
})

test('of requests whose owner is being looked up a process keeps 1,000, and counts the rest', async () => {
  const owner = Promise.withResolvers<string | undefined>()
  const { log, dropped } = openLog({ findOwner: () => owner.promise })
  const { tenantId: _left, ...unowned } = entry({ isFree: true })
  for (let added = 0; added < 1_003; added += 1) log.addByKey('key_1', unowned)
  expect(dropped).toEqual({ flood: 3 })
  owner.reject(new Error('no database'))
  await waitFor(() => expect(dropped).toEqual({ flood: 3, behind: 1_000 }))
  log.addByKey('key_1', unowned)
  expect(dropped).toMatchObject({ flood: 3 })
  await log.close()
})
