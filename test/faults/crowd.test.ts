import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inTransaction } from '../../src/db/database.ts'
import { startTestApi, type TestApi, type TestTenant } from '../support/api/api.ts'
import { expectProblem } from '../support/api/expect-problem.ts'
import { LONG_SCENARIO_MS, waitFor } from '../support/process/patience.ts'
import { countWaiting } from '../support/stores/waiting-sessions.ts'

const CONNECTIONS = 2
const CLIENTS = 200
const BORROWER = { type: 'individual', kyc_attested: true, residency_country: 'DE' }

let api: TestApi
let tenants: readonly TestTenant[]
beforeAll(async () => {
  api = await startTestApi({
    env: { DATABASE_CONNECTIONS: String(CONNECTIONS) },
  })
  // Each may use one connection.
  tenants = [api.tenant, await api.addTenant()]
})
afterAll(() => api?.[Symbol.asyncDispose]())

/** So many clients at once, each with a request of its own. */
const crowd = () =>
  tenants.flatMap((tenant) =>
    Array.from({ length: CLIENTS / tenants.length }, () =>
      tenant.send('POST', '/v1/borrowers', { body: BORROWER }),
    ),
  )

type Answer = Awaited<ReturnType<typeof crowd>[number]>

/** Each was answered: by what it asked for, or by a refusal that asks for a retry. */
async function expectAnswered(answers: readonly Answer[]): Promise<void> {
  for (const answer of answers) {
    if (answer.status === 201) continue
    expectProblem(answer, 503, 'unavailable')
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
  }
  const { rows } = await sql<{ id: string }>`SELECT borrower_id AS id FROM borrowers`.execute(
    api.db,
  )
  const stored = new Set(rows.map(({ id }) => id))
  for (const { status, json } of answers) if (status === 201) expect(stored).toContain(json().id)
}

/** Sessions of the service that hold a transaction open and do nothing. */
async function countIdle(): Promise<number> {
  const { rows } = await sql`
    SELECT pid FROM pg_stat_activity WHERE datname = current_database()
      AND usename <> current_user AND state LIKE 'idle in transaction%'`.execute(api.db)
  return rows.length
}

test('two connections serve two hundred clients, and leave no transaction open', async () => {
  const answers = await Promise.all(crowd())
  await expectAnswered(answers)
  expect(answers.filter(({ status }) => status === 201).length).toBeGreaterThanOrEqual(CONNECTIONS)
  await waitFor(async () => expect(await countIdle()).toBe(0))
})

test('while both connections are stuck every client is answered, and served again afterwards', {
  timeout: LONG_SCENARIO_MS,
}, async () => {
  const answers = await inTransaction(api.db, async (tx) => {
    // It does nothing for as long as requests wait their turn.
    await sql`SET LOCAL idle_in_transaction_session_timeout = 0`.execute(tx)
    await sql`LOCK TABLE borrowers IN EXCLUSIVE MODE`.execute(tx)
    const pending = crowd()
    await waitFor(async () => expect(await countWaiting(api.db)).toBe(CONNECTIONS))
    // Who has a connection waits for the lock alone, never for another connection.
    expect(await countIdle()).toBe(0)
    return await Promise.all(pending)
  })
  await expectAnswered(answers)
  expect(answers.filter(({ status }) => status === 201)).toEqual([])
  await waitFor(async () => expect(await countIdle()).toBe(0))
  const next = await api.tenant.send('POST', '/v1/borrowers', { body: BORROWER })
  expect(next.status).toBe(201)
})
