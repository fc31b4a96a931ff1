import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { inTransaction } from '../../src/db/database.ts'
import { apiForFile } from '../support/api/api.ts'
import { addEvents } from '../support/deliveries/deliveries.ts'
import { waitFor } from '../support/process/patience.ts'

const api = apiForFile()

const MONTHLY = ['events', 'deliveries', 'delivery_attempts', 'journal']
const BASES = [...MONTHLY, 'margin_evaluations', 'margin_decisions', 'request_log']

/** As after a clock has jumped by half a year: there is no partition from today on. */
async function dropPartitions(): Promise<void> {
  const { rows } = await sql<{ names: string | null }>`
    SELECT string_agg(format('%I', relname), ', ') AS names
    FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
    WHERE inhparent = ANY (${BASES}::text[]::regclass[])`.execute(api.db)
  const { names = null } = rows[0] ?? {}
  if (names !== null) await sql.raw(`DROP TABLE ${names} CASCADE`).execute(api.db)
}

async function readReadiness() {
  const response = await fetch(`${api.baseUrl}/readyz`)
  return { status: response.status, ...((await response.json()) as object) }
}

test('an event that is the first of a month which was never made is written', async () => {
  await dropPartitions()
  await addEvents(api.resources.db, api.tenant.id, 2)
  const written = await api.db.selectFrom('events').select('event_id').execute()
  expect(written).toHaveLength(2)
})

test('what is dated by the clock of the database finds its month, of whatever month the process is', async () => {
  await dropPartitions()
  const facts = { tenant_id: api.tenant.id, facts: '{}' }
  const write = () =>
    inTransaction(api.resources.db, async (tx) => {
      const row = { ...facts, evaluation_id: randomUUID() }
      await tx.insertInto('margin_evaluations').values(row).execute()
    })
  // Six at a time share what makes it.
  await Promise.all(Array.from({ length: 6 }, write))
  const written = await api.db.selectFrom('margin_evaluations').select('evaluation_id').execute()
  expect(written).toHaveLength(6)
})

test('requests are logged on a day that was never made', async () => {
  await dropPartitions()
  const { status, headers } = await api.tenant.send('GET', '/v1/events')
  expect(status).toBe(200)
  await waitFor(async () => {
    const logged = await api.db.selectFrom('request_log').select('request_id').execute()
    expect(logged.map((row) => row.request_id)).toContain(headers['x-svc-request-id'])
  })
})

test('a process is not ready while a month is missing that cannot be made, and is once it is', async () => {
  await dropPartitions()
  const release = Promise.withResolvers<void>()
  const held = inTransaction(api.db, async (tx) => {
    await sql`SELECT pg_advisory_xact_lock(hashtextextended('months', 0))`.execute(tx)
    expect(await readReadiness()).toMatchObject({ status: 503, partitions: 'missing' })
    release.resolve()
  })
  await Promise.all([release.promise, held])
  // The making may take longer than a check, which then repeats what the one before has found.
  await waitFor(async () =>
    expect(await readReadiness()).toMatchObject({ status: 200, partitions: 'in_place' }),
  )
})
