import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { addMs, DAY_MS, HOUR_MS } from '../../../src/core/time.ts'
import { startTestApi, type TestApi, type TestTenant } from '../../support/api/api.ts'
import { type OperatorApi, openOperatorApi } from '../../support/api/operators.ts'

let owned: AsyncDisposableStack
let api: TestApi
let operators: OperatorApi
let tenant: TestTenant
let admin: string
let risk: string
let viewer: string
let now = new Date()
beforeAll(async () => {
  owned = new AsyncDisposableStack()
  api = owned.use(await startTestApi({ clock: () => now, env: { FOUR_EYES: 'on' } }))
  operators = owned.use(await openOperatorApi(api))
  admin = (await operators.addOperator('admin')).token
  risk = (await operators.addOperator('risk')).token
  viewer = (await operators.addOperator('viewer')).token
})
afterAll(() => owned.disposeAsync())
beforeEach(async () => {
  tenant = await api.addTenant()
})

const read = async (path: string) => {
  const answer = await operators.send(path, { token: viewer })
  expect(answer.status).toBe(200)
  return answer.json()
}
const post = (path: string, body: object, token = admin) =>
  operators.send(path, { token, method: 'POST', body })
const lastAction = async () => (await read('/actions?limit=1')).items[0]
const passFiveSeconds = () => {
  now = addMs(now, 5_001)
}

describe('tenants', () => {
  test('a tenant that is created has no keys, and is listed first', async () => {
    const body = { name: 'Acme Exchange', reason: 'contract' }
    const created = await post('/tenants', body)
    expect(created.status).toBe(201)
    const { id } = created.json()
    expect(await read(`/tenants/${id}`)).toMatchObject({ name: 'Acme Exchange', suspended: null })
    expect((await read('/tenants?limit=1')).items[0].id).toBe(id)
    expect(await read(`/tenants/${id}/keys`)).toEqual({ items: [] })
    expect(await lastAction()).toMatchObject({
      ...{ action: 'tenants.create', tenant_id: id, reason: 'contract' },
      after: { name: 'Acme Exchange' },
    })
  })

  test('tenants come in pages, each once', async () => {
    const pages = [await read('/tenants?limit=1')]
    for (let page = pages[0]; page.has_more; page = pages.at(-1)) {
      pages.push(await read(`/tenants?limit=1&from=${page.next_cursor}`))
    }
    const ids = pages.flatMap(({ items }) => items.map(({ id }: { id: string }) => id))
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids).toContain(tenant.id)
  })

  test('a suspension takes effect within five seconds and ends by a resumption', async () => {
    const path = `/tenants/${tenant.id}`
    const borrower = { type: 'individual', kyc_attested: true, residency_country: 'DE' }
    const create = async () =>
      (await tenant.send('POST', '/v1/borrowers', { body: borrower })).status
    expect(await create()).toBe(201)
    expect((await post(`${path}/suspend`, { reason: 'court order' }, risk)).json()).toMatchObject({
      outcome: 'done',
    })
    passFiveSeconds()
    expect(await create()).toBe(403)
    expect(await read(path)).toMatchObject({ suspended: { reason: 'court order' } })
    await post(`${path}/resume`, { reason: 'lifted' }, risk)
    passFiveSeconds()
    expect(await create()).toBe(201)
    expect(await lastAction()).toMatchObject({
      ...{ action: 'tenants.resume', reason: 'lifted' },
      before: { suspended: true, reason: 'court order' },
    })
  })
})

describe('access', () => {
  test('a key that an operator revokes is refused within five seconds', async () => {
    const [key] = (await read(`/tenants/${tenant.id}/keys`)).items
    expect(key).toMatchObject({ id: tenant.keyId, state: 'active' })
    await post(`/tenants/${tenant.id}/keys/${key.id}/revoke`, { reason: 'leaked' }, risk)
    passFiveSeconds()
    expect((await tenant.send('GET', '/v1/documents')).status).toBe(401)
    expect((await read(`/tenants/${tenant.id}/keys`)).items[0].state).toBe('revoked')
    expect(await lastAction()).toMatchObject({ action: 'keys.revoke', reason: 'leaked' })
  })

  test('a person is invited with a link that is shown once, and removed', async () => {
    const path = `/tenants/${tenant.id}/people`
    const person = { email: 'ada@example.com', name: 'Ada', role: 'developer' }
    const invited = await post(path, { ...person, reason: 'first' })
    expect(invited.status).toBe(201)
    const { id, invitation_url: url } = invited.json()
    expect(url).toContain('/console/')
    expect((await read(path)).items).toMatchObject([{ id, ...person, passkeys: 0 }])
    const shown = JSON.stringify(await lastAction())
    expect(shown).not.toContain(new URL(url).hash.slice(1))
    expect((await post(`${path}/${id}/remove`, { reason: 'left' })).status).toBe(200)
    expect((await read(path)).items).toEqual([])
  })
})

describe('documents', () => {
  const version = { contract_type: 'master_loan_agreement', contract_version: '2026-12' }
  const file = { title: 'Master Loan Agreement', download_url: 'https://example.com/mla.pdf' }

  test('a version that is published supersedes the one before, and can be retired', async () => {
    const path = `/tenants/${tenant.id}/documents`
    const before = (await read(path)).items
    expect((await post(path, { ...version, ...file, reason: 'rates' })).status).toBe(200)
    const after = (await read(path)).items
    expect(after.length).toBe(before.length + 1)
    const published = after.find(
      (one: { contract_version: string }) => one.contract_version === '2026-12',
    )
    expect(published).toMatchObject({ ...file, content_type: 'application/pdf', retired_at: null })
    expect((await post(`${path}/retire`, { ...version, reason: 'mistake' })).status).toBe(200)
    const retired = (await read(path)).items.find(
      (one: { contract_version: string }) => one.contract_version === '2026-12',
    )
    expect(retired.retired_at).not.toBeNull()
  })
})

describe('the residency policy', () => {
  test('a rule is proposed by one and set by another, and its history shows both states', async () => {
    const rule = { country: 'FR', borrower_type: 'business', allowed: true }
    const proposed = await post(
      '/residency',
      { ...rule, rate: '0.08', max_limit_usd: '5000.00', reason: 'licence' },
      risk,
    )
    expect(proposed.json().outcome).toBe('proposed')
    await post(`/approvals/${proposed.json().approval_id}/confirm`, {})
    const { items } = await read('/residency')
    const set = items.find(({ id }: { id: string }) => id === 'FR/business')
    expect(set).toMatchObject({ allowed: true, rate: '0.08', max_limit_usd: '5000.00' })
    const history = (await read('/actions?subject_id=FR/business')).items
    expect(history.map(({ action }: { action: string }) => action)).toEqual([
      'residency.set',
      'approvals.confirm',
      'approvals.propose',
    ])
    expect(history[0]).toMatchObject({ after: { allowed: true, rate: '0.08' } })
  })
})

describe('the margin policy', () => {
  const propose = (terms: object, ms = DAY_MS) =>
    post(
      '/margin-policy',
      { terms, effective_from: addMs(now, ms).toISOString(), reason: 'volatility' },
      risk,
    )

  test('a version is proposed with its preview, signed, scheduled and withdrawn by two', async () => {
    expect(await read('/margin-policy')).toMatchObject({ in_force: '2026-11', versions: [] })
    const proposed = (await propose({ haircuts: { ETH: '0.10' } })).json()
    expect(proposed).toMatchObject({ outcome: 'proposed', preview: { sold: 0 } })
    await post(`/approvals/${proposed.approval_id}/confirm`, {})
    const [version] = (await read('/margin-policy')).versions
    expect(version).toMatchObject({
      ...{ version: 1, state: 'scheduled', note: 'volatility' },
      terms: { floor_ltv: '0.7', haircuts: { BTC: '0.03', ETH: '0.1' } },
    })
    expect(version.proposed_by).not.toBe(version.signed_by)
    const withdrawal = (await post('/margin-policy/1/withdraw', { reason: 'mistake' }, risk)).json()
    expect(withdrawal.outcome).toBe('proposed')
    await post(`/approvals/${withdrawal.approval_id}/confirm`, {})
    expect((await read('/margin-policy')).versions[0]).toMatchObject({ state: 'withdrawn' })
  })

  test('a version that takes effect decides without a restart', async () => {
    const proposed = (await propose({ haircuts: { BTC: '0.50' } }, HOUR_MS)).json()
    await post(`/approvals/${proposed.approval_id}/confirm`, {})
    now = addMs(now, HOUR_MS)
    const { in_force: inForce, versions } = await read('/margin-policy')
    expect(inForce).toBe(String(versions.length))
  })

  test.each([
    ['lines out of order', { floor_ltv: '0.90' }, DAY_MS],
    ['an unknown member', { floor: '0.70' }, DAY_MS],
    ['an instant in the past', {}, -DAY_MS],
  ])('a version with %s is refused', async (_name, terms, ms) => {
    const answer = await propose(terms, ms)
    expect(answer.json()).toMatchObject({ status: 422, code: 'validation_failed' })
  })
})

const REASON = { reason: 'why' }
const KEY = 'key_01k9x4m2q8e0tb7f2v5j6h8n3c'
const PERSON = 'per_01k9x4m2q8e0tb7f2v5j6h8n3c'
const GONE = '/tenants/ten_01k9x4m2q8e0tb7f2v5j6h8n3c'
const VERSION = { contract_type: 'a', contract_version: '2026-11' }

test.each([
  ['/tenants', { name: 'A', ...REASON }, 'risk'],
  ['TENANT/suspend', REASON, 'viewer'],
  ['TENANT/resume', REASON, 'viewer'],
  [`TENANT/keys/KEY/revoke`, REASON, 'viewer'],
  ['TENANT/people', { email: 'a@b.example', name: 'A', role: 'admin', ...REASON }, 'risk'],
  ['/residency', { country: 'FR', borrower_type: 'business', allowed: true, ...REASON }, 'viewer'],
  ['/margin-policy', { terms: {}, effective_from: '2027-01-01T00:00:00Z', ...REASON }, 'viewer'],
  [
    'TENANT/documents',
    { ...VERSION, title: 'A', download_url: 'https://a.example', ...REASON },
    'risk',
  ],
])('a role that does not allow it is refused at %s', async (path, body, role) => {
  if (path === 'TENANT/resume') await post(`/tenants/${tenant.id}/suspend`, REASON)
  const to = path.replace('TENANT', `/tenants/${tenant.id}`).replace('KEY', tenant.keyId)
  const token = role === 'risk' ? risk : viewer
  await operators.expectRefusal(to, { token, method: 'POST', body }, 403, 'scope_missing')
})

test.each([
  [`${GONE}/suspend`, REASON],
  [`${GONE}/resume`, REASON],
  [`${GONE}/keys/${KEY}/revoke`, REASON],
  [`${GONE}/people`, { email: 'a@b.example', name: 'A', role: 'admin', ...REASON }],
  [`${GONE}/people/${PERSON}/remove`, REASON],
  [`${GONE}/documents`, { ...VERSION, title: 'A', download_url: 'https://a.example', ...REASON }],
  [`${GONE}/documents/retire`, { ...VERSION, ...REASON }],
  ['/margin-policy/99/withdraw', REASON],
])('what is not there is refused at %s', async (path, body) => {
  await operators.expectRefusal(path, { token: admin, method: 'POST', body }, 404, 'not_found')
})

test.each([GONE, `${GONE}/keys`, `${GONE}/people`, `${GONE}/documents`])(
  'a tenant that is not there is not read at %s',
  async (path) => {
    await operators.expectRefusal(path, { token: viewer }, 404, 'not_found')
  },
)
