import { once } from 'node:events'
import { request as httpRequest } from 'node:http'
import { expect, test } from 'vitest'
import { DAY_MS, HOUR_MS } from '../../../src/core/time.ts'
import { inTransaction } from '../../../src/db/database.ts'
import { peopleOf } from '../../../src/db/sql/people-tables.ts'
import { inviteLocally } from '../../../src/domain/people/people.ts'
import { apiForFile, startTestApi } from '../../support/api/api.ts'
import { type Browser, openBrowser, signIn } from '../../support/api/console.ts'
import { expectProblem } from '../../support/api/expect-problem.ts'

let now = new Date('2026-11-22T12:00:00Z')
const api = apiForFile({ env: { CONSOLE: 'local' }, clock: () => now })

const makeLink = () =>
  inTransaction(api.db, (tx) => inviteLocally(tx, peopleOf(api.tenant.id), now))
const openLink = (token: string) =>
  openBrowser(api).send('POST', '/console/api/session/link', { body: { token } })

function advance(ms: number): void {
  now = new Date(now.getTime() + ms)
}

test('a link signs in once, and the cookie can be read by no script and sent from no other site', async () => {
  const token = await makeLink()
  const browser = openBrowser(api)
  const first = await browser.send('POST', '/console/api/session/link', { body: { token } })
  expect(first.status).toBe(200)
  expect(first.json()).toMatchObject({
    tenant: { id: api.tenant.id },
    person: { role: 'admin' },
    build: api.resources.build,
    ...{ signed_in_by: 'link', local: true, must_add_passkey: false, passkeys: 0 },
  })
  expect(first.headers['set-cookie']?.[0]).toMatch(
    /^__Host-console=[^;]+; Max-Age=604800; Path=\/; Secure; HttpOnly; SameSite=Strict$/,
  )
  expect((await browser.send('GET', '/console/api/session')).json()).toEqual(first.json())
  expectProblem(await openLink(token), 401, 'link_invalid')
})

test('of many uses of one link at once, one signs in', async () => {
  const token = await makeLink()
  const statuses = await Promise.all(
    Array.from({ length: 8 }, async () => (await openLink(token)).status),
  )
  expect(statuses.sort((a, b) => a - b)).toEqual([200, ...Array(7).fill(401)])
})

test('a link is refused after 24 hours, with the answer that an unknown one gets', async () => {
  const token = await makeLink()
  advance(DAY_MS)
  const expired = expectProblem(await openLink(token), 401, 'link_invalid')
  const unknown = expectProblem(await openLink(`${token.slice(0, -2)}xx`), 401, 'link_invalid')
  const shapeless = expectProblem(await openLink('nonsense'), 401, 'link_invalid')
  expect(new Set([expired, unknown, shapeless].map(({ detail }) => detail)).size).toBe(1)
})

test('a link of one tenant is unknown under the id of another', async () => {
  const token = await makeLink()
  const other = await api.addTenant()
  const forged = token.replace(api.tenant.id, other.id)
  expectProblem(await openLink(forged), 401, 'link_invalid')
  expect((await openLink(token)).status).toBe(200)
})

test('a sign-in never takes over the session that the browser brings: it ends that one', async () => {
  const browser = openBrowser(api)
  await browser.send('POST', '/console/api/session/link', { body: { token: await makeLink() } })
  const former = browser.cookie
  await browser.send('POST', '/console/api/session/link', { body: { token: await makeLink() } })
  expect(browser.cookie).not.toBe(former)
  const old = await openBrowser(api, former).send('GET', '/console/api/session')
  expectProblem(old, 401, 'session_required')
  expect((await browser.send('GET', '/console/api/session')).status).toBe(200)
})

test('a link of the local stack opens nothing in a deployment', async () => {
  await using deployed = await startTestApi()
  const token = await inTransaction(deployed.db, (tx) =>
    inviteLocally(tx, peopleOf(deployed.tenant.id), deployed.resources.clock()),
  )
  const answer = await openBrowser(deployed).send('POST', '/console/api/session/link', {
    body: { token },
  })
  expectProblem(answer, 401, 'link_invalid')
})

/** Resolves once it is being served. */
async function startAndLeaveStream({ cookie }: Browser): Promise<void> {
  const { origin } = api.resources.config.console
  const headers = { host: new URL(origin).host, cookie: `__Host-console=${cookie}` }
  const request = httpRequest(`${api.baseUrl}/console/api/stream`, { headers })
  request.end()
  const [response] = await once(request, 'response')
  expect(response.statusCode).toBe(200)
  request.destroy()
}

test('a session ends when it is signed out, and a copy of its cookie with it', async () => {
  const browser = await signIn(api)
  const thief = openBrowser(api, browser.cookie)
  expect((await thief.send('GET', '/console/api/session', { from: '127.0.0.2' })).status).toBe(200)
  const ended = await browser.send('DELETE', '/console/api/session')
  expect(ended.status).toBe(204)
  expect(ended.headers['set-cookie']?.[0]).toMatch(/^__Host-console=; Max-Age=0; /)
  expectProblem(await thief.send('GET', '/console/api/session'), 401, 'session_required')
})

test('signing out everywhere ends the sessions of that person and of no other', async () => {
  const browser = await signIn(api)
  const other = await signIn(api)
  await browser.send('DELETE', '/console/api/sessions')
  expectProblem(
    await openBrowser(api, browser.cookie).send('GET', '/console/v1/webhooks'),
    401,
    'session_required',
  )
  expect((await other.send('GET', '/console/api/session')).status).toBe(200)
})

test('a session ends after 12 hours without a request', async () => {
  const browser = await signIn(api)
  advance(12 * HOUR_MS - 1)
  expect((await browser.send('GET', '/console/api/session')).status).toBe(200)
  advance(12 * HOUR_MS)
  expectProblem(await browser.send('GET', '/console/api/session'), 401, 'session_required')
})

test('a page that reads by itself does not keep its session open, nor does a stream', async () => {
  const browser = await signIn(api)
  const headers = { 'x-svc-unattended': '1' }
  advance(12 * HOUR_MS - 1)
  const read = await browser.send('GET', '/console/api/session', { headers })
  expect(read.status).toBe(200)
  await startAndLeaveStream(browser)
  advance(1)
  expectProblem(await browser.send('GET', '/console/api/session'), 401, 'session_required')
})

test('a session ends after 7 days, however much it is used', async () => {
  const browser = await signIn(api)
  const endsAt = now.getTime() + 7 * DAY_MS
  for (; now.getTime() < endsAt; advance(11 * HOUR_MS)) {
    expect((await browser.send('GET', '/console/api/session')).status).toBe(200)
  }
  expectProblem(await browser.send('GET', '/console/api/session'), 401, 'session_required')
})

test.each([
  'nonsense',
  'ten_01k9x4m2q8e0tb7f2v5j6h8n3c.short',
  `ten_01k9x4m2q8e0tb7f2v5j6h8n3c.${'A'.repeat(43)}`,
])('the invented cookie %s opens no session', async (cookie) => {
  const answer = await openBrowser(api, cookie).send('GET', '/console/api/session')
  expectProblem(answer, 401, 'session_required')
  expect(answer.headers['www-authenticate']).toBe('SVC-Console')
})

test('a person calls the operations of /v1, and what they change is recorded with it', async () => {
  const browser = await signIn(api, { role: 'developer' })
  const body = { type: 'individual', kyc_attested: true, residency_country: 'DE' }
  const made = await browser.send('POST', '/console/v1/borrowers', { body })
  expect(made.status).toBe(201)
  const { id } = made.json()
  expect((await browser.send('GET', `/console/v1/borrowers/${id}`)).json()).toEqual(made.json())
  expect((await api.tenant.send('GET', `/v1/borrowers/${id}`)).json()).toEqual(made.json())
  const acts = await api.db
    .selectFrom('console_actions')
    .select(['action', 'subject', 'request_id'])
    .where('person_id', '=', browser.personId)
    .where('action', '<>', 'signIn')
    .execute()
  expect(acts).toEqual([
    { action: 'createBorrower', subject: id, request_id: made.headers['x-svc-request-id'] },
  ])
})
