import { randomBytes, randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { ROUTES } from '../../../src/client/generated/routes.ts'
import { LIMIT_CLASSES, type LimitClass } from '../../../src/core/limits/limit-classes.ts'
import { apiForFile, startTestApi } from '../../support/api/api.ts'
import { openBrowser, type SignedIn, signIn } from '../../support/api/console.ts'
import { addEstate, type Estate } from '../../support/api/estate.ts'
import { expectProblem } from '../../support/api/expect-problem.ts'

let estate: Estate
const now = new Date()
const api = apiForFile({ clock: () => now })
beforeAll(async () => {
  estate = await addEstate(api, api.tenant)
})

/** The path of an operation for the estate of the first tenant. */
function pathOf(template: string): string {
  const ids: Record<string, string> = {
    borrower_id: estate.borrowerId,
    facility_id: estate.facilityId,
    draw_id: estate.drawId,
    repayment_id: estate.repaymentId,
    event_id: estate.eventId,
    number: '1',
    id: template.includes('/events/{id}') ? estate.eventId : estate.webhookId,
  }
  return template.replace(/\{(\w+)\}/g, (_whole, name: string) => ids[name] ?? name)
}

const operations = Object.entries(ROUTES)
  .map(([name, [method, path]]) => ({ name, method, path }))
  // A person has no key to ask about.
  .filter(({ name }) => name !== 'whoami')
const reads = operations.filter(({ method }) => method === 'GET')
const writes = operations.filter(({ method }) => method !== 'GET')

test.each(operations)('$name is served, and answers 401 without a session', async (operation) => {
  const path = `/console${pathOf(operation.path)}`
  const answer = await openBrowser(api).send(operation.method, path)
  expectProblem(answer, 401, 'session_required')
})

test.each(reads)('$name answers a viewer as it does a signed request', async ({ method, path }) => {
  const browser = await signIn(api, { role: 'viewer' })
  const target = pathOf(path)
  const signed = await api.tenant.send(method, target)
  const answer = await browser.send(method, `/console${target}`)
  expect(answer.status).toBe(signed.status)
  if (signed.status === 200) expect(answer.json()).toEqual(signed.json())
})

test.each(writes.filter(({ name }) => name !== 'previewFacility'))(
  '$name is refused to a viewer, and writes nothing',
  async ({ method, path }) => {
    const browser = await signIn(api, { role: 'viewer' })
    const answer = await browser.send(method, `/console${pathOf(path)}`)
    expectProblem(answer, 403, 'scope_missing')
    const acts = await api.db
      .selectFrom('console_actions')
      .select('action')
      .where('person_id', '=', browser.personId)
      .execute()
    expect(acts).toEqual([{ action: 'signIn' }])
  },
)

test.each(operations.filter(({ path }) => path.includes('{')))(
  '$name finds nothing of another tenant, as if it did not exist',
  async ({ method, path }) => {
    const browser = await signIn(api, { tenantId: (await api.addTenant()).id })
    const send = (target: string) => browser.send(method, `/console${target}`)
    const answer = await send(pathOf(path))
    const unknown = await send(
      pathOf(path).replace(/_[0-9a-z]{26}/g, '_01k9x4m2q8e0tb7f2v5j6h8n3c'),
    )
    expect(answer.status).toBe(unknown.status)
    expect(answer.status).toBeGreaterThanOrEqual(404)
    const { request_id: _one, ...found } = answer.json()
    const { request_id: _other, ...missing } = unknown.json()
    expect(found).toEqual(missing)
  },
)

test('a viewer reads all that only the console has, but for people', async () => {
  const browser = await signIn(api, { role: 'viewer' })
  const { paths } = (await browser.send('GET', '/console/openapi.json')).json()
  const read = Object.entries<Record<string, object>>(paths).filter(
    // The stream does not end: its own tests read it as a viewer.
    ([path, methods]) => 'get' in methods && path !== '/console/api/stream',
  )
  const refused = []
  for (const [path] of read) {
    const { status } = await browser.send('GET', path.replace(/\{id\}/, estate.facilityId))
    if (status === 403) refused.push(path)
    else expect([200, 404, 422], path).toContain(status)
  }
  expect(refused).toEqual(['/console/api/people'])
  expect(read.length).toBeGreaterThan(10)
})

test('a mutation happens once under its idempotency key, and is recorded once', async () => {
  const browser = await signIn(api)
  const body = { type: 'individual', kyc_attested: true, residency_country: 'DE' }
  const idempotencyKey = randomUUID()
  const send = () => browser.send('POST', '/console/v1/borrowers', { body, idempotencyKey })
  const answers = [await send(), await send()]
  expect(answers[1]?.json()).toEqual(answers[0]?.json())
  expect(answers[1]?.headers['idempotent-replayed']).toBe('true')
  const { items } = (await browser.send('GET', '/console/api/actions?limit=2')).json()
  expect(items).toMatchObject([
    { action: 'createBorrower', subject_id: answers[0]?.json().id },
    { action: 'signIn' },
  ])
  expectProblem(
    await browser.send('POST', '/console/v1/borrowers', { body, idempotencyKey: null }),
    400,
    'idempotency_key_missing',
  )
})

test('a mutation that is refused leaves no record', async () => {
  const browser = await signIn(api)
  const path = `/console/v1/facilities/${estate.facilityId}/close`
  expectProblem(await browser.send('POST', path), 409, 'outstanding_balance')
  const { items } = (await browser.send('GET', '/console/api/actions?limit=1')).json()
  expect(items).toMatchObject([{ action: 'signIn' }])
})

test('a pushed portfolio is recorded, and answers as a signed one does', async () => {
  const browser = await signIn(api, { role: 'developer' })
  const body = { as_of: '2026-01-01T00:00:00Z', positions: [] }
  const path = `/v1/borrowers/${estate.borrowerId}/portfolio`
  const pushed = await browser.send('PUT', `/console${path}`, { body })
  expect(pushed.json()).toEqual((await api.tenant.send('PUT', path, { body })).json())
  const { items } = (await browser.send('GET', '/console/api/actions?limit=1')).json()
  expect(items).toMatchObject([{ action: 'putPortfolio', subject_id: estate.borrowerId }])
})

test("the console never spends the tenant's tokens, nor a colleague's", async () => {
  const limits = 'reads=0.001/2,portfolio_ingest=0.001/1,console=0.001/3'
  await using limited = await startTestApi({ env: { RATE_LIMITS: limits } })
  const [browser, colleague] = [await signIn(limited), await signIn(limited)]
  const statuses = []
  for (let sent = 0; sent < 4; sent += 1) {
    statuses.push((await browser.send('GET', '/console/v1/webhooks')).status)
  }
  expect(statuses).toEqual([200, 200, 200, 429])
  const refused = await browser.send('GET', '/console/api/keys')
  expect(expectProblem(refused, 429, 'rate_limited').detail).toContain('class Console')
  expect(refused.headers['ratelimit-limit']).toBe('3')
  expect((await colleague.send('GET', '/console/v1/webhooks')).status).toBe(200)
  const signed = await limited.tenant.send('GET', '/v1/webhooks')
  expect(signed.headers['ratelimit-remaining']).toBe('1')
})

test.each([
  ['money', 'POST', '/borrowers'],
  ['valuation', 'GET', '/facilities/fac_01k9x4m2q8e0tb7f2v5j6h8n3c/collateral'],
  ['platform_config', 'POST', '/webhooks'],
  ['simulate', 'POST', '/webhooks/simulate'],
  ['sandbox_controls', 'POST', '/sandbox/prices'],
  ['portfolio_ingest', 'PUT', '/borrowers/bor_01k9x4m2q8e0tb7f2v5j6h8n3c/portfolio'],
])(
  "the people of a tenant together do no more of class %s than its keys may, and spend none of the keys'",
  async (limitClass, method, path) => {
    await using limited = await startTestApi({
      env: { RATE_LIMITS: `${limitClass}=0.001/2,console=0.001/10` },
    })
    const [browser, colleague] = [await signIn(limited), await signIn(limited)]
    const stranger = await signIn(limited, { tenantId: (await limited.addTenant()).id })
    const given = method === 'GET' ? {} : { body: {} }
    const send = (by: SignedIn) => by.send(method, `/console/v1${path}`, given)
    for (const person of [browser, colleague]) {
      expect((await send(person)).headers['ratelimit-limit']).toBe('2')
    }
    const refused = await send(browser)
    const { displayName } = LIMIT_CLASSES[limitClass as LimitClass]
    expect(expectProblem(refused, 429, 'rate_limited').detail).toContain(`class ${displayName};`)
    expect((await send(colleague)).status).toBe(429)
    expect((await send(stranger)).status).not.toBe(429)
    expect((await browser.send('GET', '/console/v1/webhooks')).status).toBe(200)
    const signed = await limited.tenant.send(method, `/v1${path}`, given)
    expect(signed.headers['ratelimit-remaining']).toBe('1')
  },
)

test("the people of a tenant together have a pace of their own, and another tenant's are not held up", async () => {
  await using limited = await startTestApi({
    env: { RATE_LIMITS: 'console_tenant=0.001/3,console=0.001/2' },
  })
  const people = [await signIn(limited), await signIn(limited), await signIn(limited)]
  const stranger = await signIn(limited, { tenantId: (await limited.addTenant()).id })
  const statuses = []
  for (const person of people) {
    for (let sent = 0; sent < 2; sent += 1) {
      statuses.push((await person.send('GET', '/console/v1/webhooks')).status)
    }
  }
  expect(statuses).toEqual([200, 200, 200, 429, 429, 429])
  const refused = await (people[2] as SignedIn).send('GET', '/console/v1/webhooks')
  expect(expectProblem(refused, 429, 'rate_limited').detail).toContain('class Console;')
  expect((await stranger.send('GET', '/console/v1/webhooks')).status).toBe(200)
  expect((await limited.tenant.send('GET', '/v1/webhooks')).status).toBe(200)
})

test('a person beyond their own pace spends nothing of their colleagues', async () => {
  await using limited = await startTestApi({
    env: { RATE_LIMITS: 'money=0.001/3,console=0.001/1' },
  })
  const [browser, colleague] = [await signIn(limited), await signIn(limited)]
  const send = (by: SignedIn) => by.send('POST', '/console/v1/borrowers', { body: {} })
  for (let sent = 0; sent < 4; sent += 1) await send(browser)
  expect((await send(colleague)).headers['ratelimit-remaining']).toBe('1')
})

test('a portfolio without a token is refused at once, and waits in no line', async () => {
  await using limited = await startTestApi({ env: { RATE_LIMITS: 'console=0.001/1' } })
  const browser = await signIn(limited)
  await browser.send('GET', '/console/v1/webhooks')
  const path = '/console/v1/borrowers/bor_01k9x4m2q8e0tb7f2v5j6h8n3c/portfolio'
  const body = { as_of: '2026-01-01T00:00:00Z', positions: [] }
  expectProblem(await browser.send('PUT', path, { body }), 429, 'rate_limited')
})

test('invented sessions from one source are refused, and a real one among them is found', async () => {
  await using limited = await startTestApi({
    env: { RATE_LIMITS: 'console_sign_in=0.001/3' },
  })
  const browser = await signIn(limited)
  const guess = () => {
    const cookie = `${limited.tenant.id}.${randomBytes(32).toString('base64url')}`
    return openBrowser(limited, cookie).send('GET', '/console/v1/webhooks')
  }
  for (let sent = 0; sent < 3; sent += 1) expectProblem(await guess(), 401, 'session_required')
  const guesses = Promise.all(Array.from({ length: 40 }, guess))
  const real = browser.send('GET', '/console/v1/webhooks')
  for (const answer of await guesses) expectProblem(answer, 429, 'rate_limited')
  expect((await real).status).toBe(200)
})

test('sign-ins are counted by their source, and not against those who are signed in', async () => {
  await using limited = await startTestApi({
    env: { RATE_LIMITS: 'console_sign_in=0.001/3' },
  })
  const browser = await signIn(limited)
  const guess = (from: string) =>
    openBrowser(limited).send('POST', '/console/api/session/link', { body: { token: 'x' }, from })
  for (let sent = 0; sent < 3; sent += 1) {
    expectProblem(await guess('127.0.0.2'), 401, 'link_invalid')
  }
  expectProblem(await guess('127.0.0.2'), 429, 'rate_limited')
  expectProblem(await guess('127.0.0.3'), 401, 'link_invalid')
  const session = await browser.send('GET', '/console/api/session', { from: '127.0.0.2' })
  expect(session.status).toBe(200)
})
