import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApi, type TestApi } from '../support/api/api.ts'
import { expectProblem } from '../support/api/expect-problem.ts'
import { LONG_SCENARIO_MS } from '../support/process/patience.ts'
import { startWireProxy, type WireProxy } from '../support/stores/wire-proxy.ts'

let owned: AsyncDisposableStack
let proxy: WireProxy
let api: TestApi
beforeAll(async () => {
  owned = new AsyncDisposableStack()
  api = owned.use(
    await startTestApi({
      async through(databaseUrl) {
        proxy = await startWireProxy(databaseUrl)
        return proxy.url
      },
    }),
  )
  // Before the service ends, or it would wait for answers.
  owned.use(proxy)
})
afterAll(() => owned.disposeAsync())

const createBorrower = () =>
  api.tenant.send('POST', '/v1/borrowers', {
    body: { type: 'individual', kyc_attested: true, residency_country: 'DE' },
  })

test.each(['to_server', 'to_client', 'both'] as const)(
  'requests whose packets to PostgreSQL vanish (%s) get 503, and all of a tenant’s places serve again at once',
  async (direction) => {
    // More than the tenant has connections: each is open, and none is left over.
    const burst = () => Promise.all(Array.from({ length: 24 }, createBorrower))
    for (const { status } of await burst()) expect(status).toBe(201)
    const before = await countBorrowers()
    proxy.silence(direction)
    const begun = performance.now()
    for (const answer of await burst()) expectProblem(answer, 503, 'unavailable')
    expect(performance.now() - begun).toBeLessThan(20_000)
    proxy.silence('none')
    const back = performance.now()
    for (const { status } of await burst()) expect(status).toBe(201)
    expect(performance.now() - back).toBeLessThan(10_000)
    await sleep(100)
    // A change that was answered with 503 may have been made, wholly.
    expect(await countBorrowers()).toBeGreaterThanOrEqual(before + 24)
  },
  LONG_SCENARIO_MS,
)

async function countBorrowers(): Promise<number> {
  const { id } = api.tenant
  const rows = await api.db
    .selectFrom('borrowers')
    .select('borrower_id')
    .where('tenant_id', '=', id)
    .execute()
  return rows.length
}
