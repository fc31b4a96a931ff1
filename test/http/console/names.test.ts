import { expect, test } from 'vitest'
import type { TestTenant } from '../../support/api/api.ts'
import { signIn } from '../../support/api/console.ts'
import { operatorApiForFile } from '../../support/api/operators.ts'

const { api, operators } = operatorApiForFile({ env: { CONSOLE: 'local' } })

const BORROWER = { type: 'individual', kyc_attested: true, residency_country: 'DE' }

async function create(tenant: TestTenant, externalId?: string): Promise<string> {
  const body = { ...BORROWER, ...(externalId !== undefined && { external_id: externalId }) }
  return (await tenant.send('POST', '/v1/borrowers', { body })).json().id
}

const named = async (tenant: TestTenant, externalId: string) => ({
  id: await create(tenant, externalId),
  name: externalId,
})

test('a person reads the external ids of their tenant alone, and what begins so', async () => {
  const person = await signIn(api, { role: 'viewer' })
  const other = await api.addTenant()
  const foreign = await named(other, 'customer-1')
  const one = await named(api.tenant, 'customer-1')
  const two = await named(api.tenant, 'customer-2')
  const odd = await named(api.tenant, 'custom%')
  const none = await create(api.tenant)
  const read = async (query: string) => {
    const answer = await person.send('GET', `/console/api/names?${query}`)
    expect([answer.status, answer.text]).toEqual([200, expect.any(String)])
    return answer.json().items
  }
  expect(await read(`of=${[foreign.id, one.id, none].join(',')}`)).toEqual([one])
  expect(await read('begins=customer-')).toEqual([one, two])
  expect(await read(`begins=${encodeURIComponent('custom%')}`)).toEqual([odd])
  expect(await read('begins=ustomer')).toEqual([])
  const refused = await person.send('GET', '/console/api/names?of=customer-1')
  expect(refused.status).toBe(422)
})

test('operators read the names of tenants, and external ids by the tenant and the id', async () => {
  const { token } = await operators.addOperator('viewer')
  const [one, other] = [await api.addTenant(), await api.addTenant()]
  await api.db
    .updateTable('tenants')
    .set({ name: 'Zephyr Bank' })
    .where('tenant_id', '=', one.id)
    .execute()
  const borrower = await named(one, 'customer-9')
  const read = async (query: string) =>
    (await operators.send(`/names?${query}`, { token })).json().items
  const asked = [one.id, `${one.id}/${borrower.id}`, `${other.id}/${borrower.id}`]
  expect(await read(`of=${asked.join(',')}`)).toEqual([
    { id: one.id, name: 'Zephyr Bank' },
    { id: `${one.id}/${borrower.id}`, name: 'customer-9' },
  ])
})
