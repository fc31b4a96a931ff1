import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { apiForFile, type TestKey } from '../support/api/api.ts'
import { expectProblem } from '../support/api/expect-problem.ts'

const api = apiForFile({ env: { RATE_LIMITS: '' } })

const TARGET = '/v1/portfolio-source'
const read = async (key: TestKey) => (await key.send('GET', TARGET)).json()
const put = (key: TestKey, body: unknown, idempotencyKey: string | null = randomUUID()) =>
  key.send('PUT', TARGET, { body, idempotencyKey })

test('the portfolio source is push until the tenant chooses, and each tenant has its own', async () => {
  const [tenant, other] = [await api.addTenant(), await api.addTenant()]
  expect(await read(tenant)).toEqual({ mode: 'push' })
  const answer = await put(tenant, { mode: 'custodian' })
  expect(answer.status).toBe(200)
  expect(answer.json()).toEqual({ mode: 'custodian' })
  expect(await read(tenant)).toEqual({ mode: 'custodian' })
  expect(await read(other)).toEqual({ mode: 'push' })
  await put(tenant, { mode: 'push' })
  expect(await read(tenant)).toEqual({ mode: 'push' })
})

test('the portfolio source requires an Idempotency-Key: a request without one changes nothing', async () => {
  const tenant = await api.addTenant()
  expectProblem(await put(tenant, { mode: 'custodian' }, null), 400, 'idempotency_key_missing')
  expectProblem(await put(tenant, { mode: 'custodian' }, ''), 400, 'idempotency_key_invalid')
  expect(await read(tenant)).toEqual({ mode: 'push' })
})

test('a captured choice of source that is sent again does not undo a newer one', async () => {
  const tenant = await api.addTenant()
  const key = randomUUID()
  await put(tenant, { mode: 'custodian' }, key)
  await put(tenant, { mode: 'push' })
  const replay = await put(tenant, { mode: 'custodian' }, key)
  expect(replay.headers['idempotent-replayed']).toBe('true')
  expect(await read(tenant)).toEqual({ mode: 'push' })
})

test.each([{ mode: 'both' }, {}, { mode: 'push', note: 'x' }])(
  'the portfolio source refuses %o',
  async (body) => {
    const tenant = await api.addTenant()
    expectProblem(await put(tenant, body), 422, 'validation_failed')
  },
)
