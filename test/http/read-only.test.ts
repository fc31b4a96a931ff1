import { sql } from 'kysely'
import { expect, inject, test } from 'vitest'
import { createDatabase } from '../../src/db/database.ts'
import { apiForFile } from '../support/api/api.ts'
import { expectProblem } from '../support/api/expect-problem.ts'
import { waitFor } from '../support/process/patience.ts'

const api = apiForFile()

/** As a primary that becomes a standby: sessions end, and new ones are read-only. */
async function setReadOnly(isReadOnly: boolean): Promise<void> {
  const admin = createDatabase({ connectionString: inject('databaseServerUrl'), maxConnections: 1 })
  try {
    const name = new URL(api.resources.config.databaseUrl).pathname.slice(1)
    const value = sql.lit(isReadOnly ? 'on' : 'off')
    await sql`ALTER DATABASE ${sql.id(name)} SET default_transaction_read_only TO ${value}`.execute(
      admin,
    )
    if (!isReadOnly) return
    await sql`SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
      WHERE datname = ${name}`.execute(admin)
  } finally {
    await admin.destroy()
  }
}

const createBorrower = () =>
  api.tenant.send('POST', '/v1/borrowers', {
    body: { type: 'individual', kyc_attested: true, residency_country: 'DE' },
  })

/** A session of before, such as one of the request log, costs one more refusal. */
const untilServed = () => waitFor(async () => expect((await createBorrower()).status).toBe(201))

async function readReadiness() {
  const response = await fetch(`${api.baseUrl}/readyz`)
  return { status: response.status, ...((await response.json()) as object) }
}

test('with a read-only PostgreSQL a request is answered with 503, and requests are served again once it takes writes', async () => {
  await setReadOnly(true)
  const refused = await createBorrower()
  expectProblem(refused, 503, 'unavailable')
  expect(refused.headers['retry-after']).toBe('1')
  await setReadOnly(false)
  await untilServed()
})

test('with a read-only PostgreSQL a process is not ready, and is again without a restart', async () => {
  await setReadOnly(true)
  expect(await readReadiness()).toMatchObject({ status: 503, ready: false, database: 'read_only' })
  await setReadOnly(false)
  expect(await readReadiness()).toMatchObject({ status: 200, ready: true, database: 'ok' })
  await untilServed()
})
