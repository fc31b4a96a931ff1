import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inTransaction } from '../../../src/db/database.ts'
import {
  createTestBorrower,
  startTestApi,
  type TestApi,
  type TestTenant,
} from '../../support/api/api.ts'
import { expectProblem } from '../../support/api/expect-problem.ts'
import { countWaiting } from '../../support/stores/waiting-sessions.ts'

/** Of four connections. */
const IN_FLIGHT = 2

let api: TestApi
const lines: string[] = []
beforeAll(async () => {
  const write = (line: string) => {
    lines.push(line)
  }
  api = await startTestApi({
    env: { DATABASE_CONNECTIONS: '4' },
    logger: pino({ level: 'info' }, { write }),
  })
})
afterAll(() => api?.[Symbol.asyncDispose]())

async function push(tenant: TestTenant, borrowerId: string, index: number) {
  const as_of = new Date(Date.now() - 10_000 + index).toISOString()
  const body = { as_of, positions: [{ asset: 'BTC', quantity: '1' }] }
  const { status } = await tenant.send('PUT', `/v1/borrowers/${borrowerId}/portfolio`, { body })
  return status
}

test('requests of one tenant that wait for a lock leave a connection to the other tenants', async () => {
  const [busy, other] = [await api.addTenant(), await api.addTenant()]
  const borrowerId = await createTestBorrower(busy)
  let answered = 0
  await inTransaction(api.db, async (tx) => {
    await tx
      .selectFrom('borrowers')
      .select('borrower_id')
      .where('tenant_id', '=', busy.id)
      .forUpdate()
      .execute()
    const pushes = Array.from({ length: 12 }, async (_, index) => {
      await push(busy, borrowerId, index)
      answered += 1
    })
    await expect.poll(() => countWaiting(api.db)).toBe(IN_FLIGHT)
    for (let count = 0; count < 5; count += 1) {
      expect((await other.send('GET', '/v1/facilities')).status).toBe(200)
    }
    expect(await createTestBorrower(other)).toMatch(/^bor_/)
    expect(answered).toBe(0)
    expect(await countWaiting(api.db)).toBe(IN_FLIGHT)
    void Promise.allSettled(pushes)
  })
  await expect.poll(() => answered).toBe(12)
})

test("another tenant's requests are answered during a burst of 500 pushes", async () => {
  const [busy, other] = [await api.addTenant(), await api.addTenant()]
  const borrowerIds = await Promise.all(Array.from({ length: 10 }, () => createTestBorrower(busy)))
  await other.send('GET', '/v1/facilities')
  const answers: number[] = []
  const burst = Array.from({ length: 500 }, async (_, index) => {
    answers.push(await push(busy, borrowerIds[index % 10] ?? '', index))
  })
  void Promise.allSettled(burst)
  await expect.poll(() => answers.length).toBeGreaterThan(0)
  for (let count = 0; count < 5; count += 1) {
    expect((await other.send('GET', '/v1/facilities')).status).toBe(200)
  }
  expect(answers.length).toBeLessThan(500)
  await Promise.all(burst)
  expect(answers).toEqual(Array(500).fill(200))
}, 60_000)

test('a connection that does not come free is a 503 to be retried, and no stack in the log', async () => {
  const released = Promise.withResolvers<void>()
  const holds = Array.from({ length: 4 }, () =>
    api.resources.db.connection().execute(() => released.promise),
  )
  const before = lines.length
  const answer = await api.tenant.send('GET', '/v1/facilities')
  released.resolve()
  await Promise.all(holds)
  expectProblem(answer, 503, 'unavailable')
  expect(answer.headers['retry-after']).toBe('1')
  const logged = lines.slice(before).map((line) => JSON.parse(line))
  expect(logged).toContainEqual(expect.objectContaining({ level: 40, msg: 'request refused' }))
  // A loop of the process that finds no connection either logs its error, with the stack.
  const ofRequests = logged.filter(({ requestId }) => requestId !== undefined)
  expect(JSON.stringify(ofRequests)).not.toMatch(/stack|node_modules| at /)
  expect((await api.tenant.send('GET', '/v1/facilities')).status).toBe(200)
}, 20_000)
