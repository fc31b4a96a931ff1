import { beforeAll, describe, expect, test } from 'vitest'
import { addMs, DAY_MS, HOUR_MS } from '../../../src/core/time.ts'
import { operatorApiForFile, type Sent } from '../../support/api/operators.ts'

let token: string
let cookie: string
let now = new Date()
const { api, operators } = operatorApiForFile({ clock: () => now })
beforeAll(async () => {
  ;({ token, cookie } = await operators.addOperator('admin'))
})

const read = async (path: string) => (await operators.send(path, { token })).json()
const post = (path: string, body: object = {}, by: Sent = { token }) =>
  operators.send(path, { ...by, method: 'POST', body: { reason: 'as agreed', ...body } })
const ofTenant = () => `/tenants/${api.tenant.id}`

describe('what was changed is read', () => {
  test('of a tenant: its name, its suspension, and that it has no keys yet', async () => {
    const { id } = (await post('/tenants', { name: 'Acme Exchange' })).json()
    const shown = { id, name: 'Acme Exchange', suspended: null }
    expect(await read(`/tenants/${id}`)).toMatchObject(shown)
    expect((await read('/tenants?limit=1')).items).toMatchObject([shown])
    expect(await read(`/tenants/${id}/keys`)).toEqual({ items: [] })
    await post(`/tenants/${id}/suspend`, { reason: 'court order' })
    expect(await read(`/tenants/${id}`)).toMatchObject({ suspended: { reason: 'court order' } })
  })

  test('of keys and people, a link to the console that is shown once and recorded nowhere', async () => {
    const { tenant } = api
    const keys = async () => (await read(`${ofTenant()}/keys`)).items
    expect(await keys()).toMatchObject([{ id: tenant.keyId, state: 'active' }])
    await post(`${ofTenant()}/keys/${tenant.keyId}/revoke`, {}, { cookie })
    expect(await keys()).toMatchObject([{ id: tenant.keyId, state: 'revoked' }])
    now = addMs(now, 5_001)
    expect((await tenant.send('GET', '/v1/documents')).status).toBe(401)

    const person = { email: 'ada@example.com', name: 'Ada', role: 'developer' }
    const invited = (await post(`${ofTenant()}/people`, person, { cookie })).json()
    const { id } = invited.person
    const url = invited.invitation_url
    expect(url).toContain('/console/')
    const people = await read(`${ofTenant()}/people`)
    expect(people.items).toMatchObject([{ id, ...person, passkeys: 0 }])
    const shown = JSON.stringify([people, await read('/actions?limit=1')])
    expect(shown).not.toContain(new URL(url).hash.slice(1))
  })

  test('of a document, which is current, superseded or retired', async () => {
    const path = `${ofTenant()}/documents`
    const version = { contract_type: 'master_loan_agreement', contract_version: '2026-12' }
    const file = { title: 'Agreement', download_url: 'https://example.com/mla.pdf' }
    await post(path, { ...version, ...file })
    const published = { ...version, ...file, content_type: 'application/pdf', retired_at: null }
    const { items } = await read(path)
    expect(items).toMatchObject([{ superseded_at: expect.any(String) }, published])
    await post(`${path}/retire`, version)
    expect((await read(path)).items[1].retired_at).not.toBeNull()
  })

  test('of the residency policy, each rule by its name', async () => {
    const rule = { country: 'US', state: 'CA', borrower_type: 'business', allowed: true }
    await post('/residency', { ...rule, rate: '0.08', max_limit_usd: '5000.00' })
    const { items } = await read('/residency')
    expect(items).toContainEqual(
      expect.objectContaining({ id: 'US-CA/business', rate: '0.08', max_limit_usd: '5000.00' }),
    )
  })

  test('of the margin policy, each version with its whole terms, and the one in force', async () => {
    expect(await read('/margin-policy')).toMatchObject({ in_force: '2026-11', versions: [] })
    const terms = { haircuts: { ETH: '0.10' } }
    const from = (ms: number) => ({ terms, effective_from: addMs(now, ms).toISOString() })
    expect((await post('/margin-policy', from(HOUR_MS))).json()).toMatchObject({ outcome: 'done' })
    await post('/margin-policy', from(DAY_MS))
    await post('/margin-policy/2/withdraw')
    const preview = await operators.send('/margin-policy/preview', {
      ...{ token, method: 'POST', body: { terms: { haircuts: { BTC: '0.6' } } } },
    })
    expect(preview.json()).toMatchObject({ preview: { at: now.toISOString(), sold: 0 } })
    expect((await read('/margin-policy')).versions).toHaveLength(2)
    now = addMs(now, HOUR_MS)
    expect(await read('/margin-policy')).toMatchObject({
      in_force: '1',
      versions: [
        {
          ...{ version: 1, state: 'in_force', note: 'as agreed' },
          terms: { floor_ltv: '0.7', haircuts: { BTC: '0.03', ETH: '0.1' } },
        },
        { version: 2, state: 'withdrawn' },
      ],
    })
  })
})

test.each([
  ['lines out of order', { floor_ltv: '0.90' }, DAY_MS],
  ['an unknown member', { floor: '0.70' }, DAY_MS],
  ['an instant in the past', {}, -DAY_MS],
])('a version of the margin policy with %s is refused', async (_name, terms, ms) => {
  const answer = await post('/margin-policy', {
    ...{ terms, effective_from: addMs(now, ms).toISOString() },
  })
  expect(answer.json()).toMatchObject({ status: 422, code: 'validation_failed' })
})
