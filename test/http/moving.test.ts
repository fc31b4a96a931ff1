import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApi, type TestApi } from '../support/api/api.ts'
import { signIn } from '../support/api/console.ts'
import { expectProblem } from '../support/api/expect-problem.ts'

const BORROWER = { type: 'individual', kyc_attested: true, residency_country: 'DE' }

let api: TestApi
let now = new Date()
beforeAll(async () => {
  api = await startTestApi({ clock: () => now })
})
afterAll(() => api[Symbol.asyncDispose]())

/** Takes effect when the cached key is looked up again. */
async function setMove(tenantId: string, move: string | null): Promise<void> {
  await sql`UPDATE tenants SET move = ${move} WHERE tenant_id = ${tenantId}`.execute(api.db)
  now = new Date(now.getTime() + 5_001)
}

test('a tenant that is leaving reads, its changes get 503 tenant_moving, and the key of a refused one is unused', async () => {
  const tenant = await api.addTenant()
  const idempotencyKey = randomUUID()
  const create = () => tenant.send('POST', '/v1/borrowers', { body: BORROWER, idempotencyKey })
  await setMove(tenant.id, 'leaving')
  const refused = await create()
  expectProblem(refused, 503, 'tenant_moving')
  expect(refused.headers['retry-after']).toBe('2')
  expect((await tenant.send('GET', '/v1/documents')).status).toBe(200)
  await setMove(tenant.id, null)
  expect((await create()).status).toBe(201)
})

test.each(['gone', 'arriving'])(
  'a tenant that is %s gets 503 tenant_moving for everything, and a wrong signature still 401',
  async (move) => {
    const tenant = await api.addTenant()
    const person = await signIn(api, { tenantId: tenant.id })
    await setMove(tenant.id, move)
    for (const method of ['GET', 'POST']) {
      expectProblem(await tenant.send(method, '/v1/webhooks'), 503, 'tenant_moving')
    }
    const forged = { headers: { 'X-SVC-Signature': `${'A'.repeat(86)}==` } }
    expectProblem(await tenant.send('GET', '/v1/documents', forged), 401, 'signature_invalid')
    expect((await person.send('GET', '/console/v1/borrowers')).status).toBe(503)
    expect((await api.tenant.send('GET', '/v1/documents')).status).toBe(200)
  },
)

test('a change that meets the triggers of a tenant that is held gets 503 tenant_moving, not 500', async () => {
  const tenant = await api.addTenant()
  await sql`CREATE TRIGGER hold_tenant BEFORE INSERT ON borrowers FOR EACH ROW
    WHEN (NEW.tenant_id = ${sql.lit(tenant.id)}) EXECUTE FUNCTION hold_tenant('all', '')`.execute(
    api.db,
  )
  const refused = await tenant.send('POST', '/v1/borrowers', { body: BORROWER })
  expectProblem(refused, 503, 'tenant_moving')
  expect((await api.tenant.send('POST', '/v1/borrowers', { body: BORROWER })).status).toBe(201)
})
