import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { createDatabase } from '../../src/db/database.ts'
import { probeWrites } from '../../src/db/probe-writes.ts'
import { apiForFile } from '../support/api/api.ts'
import { expectProblem } from '../support/api/expect-problem.ts'
import { waitFor } from '../support/process/patience.ts'

const api = apiForFile()

async function readReadiness() {
  const response = await fetch(`${api.baseUrl}/readyz`)
  return { status: response.status, ...((await response.json()) as object) }
}

/** On a disk that is mounted read-only PostgreSQL reports what it does here: it may not write a file. */
async function replaceFile(table: string): Promise<() => Promise<void>> {
  const { rows } = await sql<{ file: string }>`
    SELECT pg_relation_filepath(${table}) AS file`.execute(api.db)
  const file = rows[0]?.file ?? ''
  // At the server, in its data folder.
  const run = async (command: string) => {
    await sql.raw(`COPY (SELECT 1) TO PROGRAM '${command}'`).execute(api.db)
    // Who has the file open would go on with it.
    await sql`SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid()`.execute(api.db)
  }
  await run(`mv ${file} ${file}.kept && ln -s /proc/version ${file}`)
  return () => run(`mv -f ${file}.kept ${file}`)
}

// First, because PostgreSQL then has nothing of the table to write by itself.
test('a change is answered with 503 on a disk that is read-only, and made once it is not', async () => {
  const createBorrower = () =>
    api.tenant.send('POST', '/v1/borrowers', {
      body: { type: 'individual', kyc_attested: true, residency_country: 'DE' },
    })
  const restore = await replaceFile('borrowers')
  try {
    // The first of them may meet a session that has ended.
    for (let n = 0; n < 6; n += 1) {
      const refused = await createBorrower()
      expectProblem(refused, 503, 'unavailable')
      expect(refused.headers['retry-after']).toBe('1')
    }
  } finally {
    await restore()
  }
  await waitFor(async () => expect((await createBorrower()).status).toBe(201))
})

test('each probe needs room for a page, whoever has probed before, and leaves no row', async () => {
  await using other = createDatabase({
    connectionString: api.resources.config.databaseUrl,
    maxConnections: 1,
  })
  const readPages = async () => {
    const { rows } = await sql<{ pages: bigint; rows: bigint }>`
      SELECT pg_relation_size('write_probe') / 8192 AS pages,
        (SELECT count(*) FROM write_probe) AS rows`.execute(api.db)
    return rows[0]
  }
  const before = (await readPages())?.pages ?? 0n
  for (const db of [other, api.resources.db, other, other]) await probeWrites(db)
  expect(await readPages()).toEqual({ pages: before + 4n, rows: 0n })
})

test('a process whose database has a full disk is not ready within ten seconds, though no request comes, and is again once there is room', async () => {
  await waitFor(async () => expect(await readReadiness()).toMatchObject({ status: 200 }))
  await sql`CREATE FUNCTION refuse_row() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    RAISE 'could not extend file: No space left on device' USING ERRCODE = 'disk_full'; END $$`.execute(
    api.db,
  )
  await sql`CREATE TRIGGER full_disk BEFORE INSERT ON write_probe
    FOR EACH ROW EXECUTE FUNCTION refuse_row()`.execute(api.db)
  const fullFrom = performance.now()
  const found = { ready: false, database: 'refuses_writes', database_error: '53100' }
  await waitFor(async () => expect(await readReadiness()).toMatchObject({ status: 503, ...found }))
  expect(performance.now() - fullFrom).toBeLessThan(10_000)
  await sql`DROP TRIGGER full_disk ON write_probe`.execute(api.db)
  expect(await readReadiness()).toMatchObject({ status: 200, database: 'ok' })
})
