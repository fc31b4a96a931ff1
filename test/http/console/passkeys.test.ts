import { expect, test } from 'vitest'
import { MINUTE_MS } from '../../../src/core/time.ts'
import { inTransaction } from '../../../src/db/database.ts'
import { apiForFile } from '../../support/api/api.ts'
import { createAuthenticator, type Fault } from '../../support/api/authenticator.ts'
import { type Browser, openBrowser, signIn } from '../../support/api/console.ts'
import { expectProblem } from '../../support/api/expect-problem.ts'
import { inviteToTenant } from '../../support/people.ts'

let now = new Date('2026-11-22T12:00:00Z')
const api = apiForFile({ clock: () => now })

const makeAuthenticator = () => createAuthenticator(api.resources.config.console.origin)
type Authenticator = ReturnType<typeof makeAuthenticator>

let guests = 0
async function invite(): Promise<string> {
  guests += 1
  const member = { email: `guest${guests}@example.com`, name: 'Guest', role: 'developer' } as const
  return (await inTransaction(api.db, (tx) => inviteToTenant(tx, api.tenant.id, member, now))).token
}

async function openInvitation(): Promise<Browser> {
  const browser = openBrowser(api)
  const body = { token: await invite() }
  const opened = await browser.send('POST', '/console/api/session/link', { body })
  expect(opened.json()).toMatchObject({ signed_in_by: 'invitation', must_add_passkey: true })
  return browser
}

async function addPasskey(
  browser: Browser,
  authenticator: Authenticator,
  { fault, by }: { fault?: Fault; by?: Authenticator } = {},
) {
  if (by)
    expect((await confirm(browser, by.get(await startConfirmation(browser)))).status).toBe(204)
  const options = await browser.send('POST', '/console/api/passkeys/options')
  if (options.status !== 200) return options
  const response = authenticator.create(options.json(), fault)
  const body = { response, name: 'Laptop' }
  return await browser.send('POST', '/console/api/passkeys', { body })
}

async function startConfirmation(browser: Browser) {
  return (await browser.send('POST', '/console/api/session/confirmation/options')).json()
}

const confirm = (browser: Browser, response: object) =>
  browser.send('POST', '/console/api/session/confirmation', { body: { response } })

async function signInBy(authenticator: Authenticator, fault?: Fault) {
  const browser = openBrowser(api)
  const options = (await browser.send('POST', '/console/api/session/passkey/options')).json()
  const response = authenticator.get(options, fault)
  const answer = await browser.send('POST', '/console/api/session/passkey', { body: { response } })
  return { browser, answer, response }
}

/** Someone with a passkey. */
async function register(): Promise<{ browser: Browser; authenticator: Authenticator }> {
  const browser = await openInvitation()
  const authenticator = makeAuthenticator()
  expect((await addPasskey(browser, authenticator)).status).toBe(201)
  return { browser, authenticator }
}

test('nothing but adding a passkey is allowed, and then all of the role', async () => {
  const browser = await openInvitation()
  for (const path of ['/console/v1/webhooks', '/console/api/keys', '/console/api/actions']) {
    expectProblem(await browser.send('GET', path), 403, 'passkey_required')
  }
  expect((await addPasskey(browser, makeAuthenticator())).status).toBe(201)
  expect((await browser.send('GET', '/console/api/session')).json()).toMatchObject({
    must_add_passkey: false,
    passkeys: 1,
  })
  expect((await browser.send('GET', '/console/v1/webhooks')).status).toBe(200)
})

test('an invitation opens once', async () => {
  const body = { token: await invite() }
  const open = () => openBrowser(api).send('POST', '/console/api/session/link', { body })
  expect((await open()).status).toBe(200)
  expectProblem(await open(), 401, 'link_invalid')
})

test.each<[string, Fault]>([
  ['made for another origin', { origin: 'https://evil.example' }],
  ['of another relying party', { rpId: 'evil.example' }],
  ['that did not verify its user', { isUnverified: true }],
  ['under an invented challenge', { challenge: Buffer.alloc(32).toString('base64url') }],
])('a passkey %s is refused and not stored', async (_name, fault) => {
  const browser = await openInvitation()
  const answer = await addPasskey(browser, makeAuthenticator(), { fault })
  expectProblem(answer, 403, 'passkey_invalid')
  expect((await browser.send('GET', '/console/api/passkeys')).json()).toEqual({ items: [] })
})

test('a challenge for one person adds no passkey to another, and is used up by the attempt', async () => {
  const [browser, other] = [await openInvitation(), await openInvitation()]
  const options = (await browser.send('POST', '/console/api/passkeys/options')).json()
  const authenticator = makeAuthenticator()
  const body = { response: authenticator.create(options), name: 'Laptop' }
  expectProblem(await other.send('POST', '/console/api/passkeys', { body }), 403, 'passkey_invalid')
  expect((await browser.send('POST', '/console/api/passkeys', { body })).status).toBe(201)
  await confirm(browser, authenticator.get(await startConfirmation(browser)))
  expectProblem(
    await browser.send('POST', '/console/api/passkeys', { body }),
    403,
    'passkey_invalid',
  )
})

test('a passkey that is registered is refused a second time', async () => {
  const { browser, authenticator } = await register()
  const answer = await addPasskey(browser, authenticator, { by: authenticator })
  expectProblem(answer, 409, 'already_exists')
})

test('a person has ten passkeys at most', async () => {
  const { browser, authenticator: by } = await register()
  for (let more = 1; more < 10; more += 1) {
    expect((await addPasskey(browser, makeAuthenticator(), { by })).status).toBe(201)
  }
  expectProblem(await addPasskey(browser, makeAuthenticator(), { by }), 409, 'limit_reached')
})

test('a session alone adds none to a person who has one, however it began', async () => {
  const { browser, authenticator } = await register()
  const thief = openBrowser(api, browser.cookie)
  expectProblem(await addPasskey(thief, makeAuthenticator()), 403, 'passkey_required')
  const { items } = (await browser.send('GET', '/console/api/passkeys')).json()
  expect(items).toHaveLength(1)
  for (const signedInBy of ['oidc', 'link'] as const) {
    const other = await signIn(api, { signedInBy, isConfirmed: false })
    expectProblem(await addPasskey(other, makeAuthenticator()), 403, 'passkey_required')
  }
  const removed = await browser.send('DELETE', `/console/api/passkeys/${items[0].id}`)
  expectProblem(removed, 403, 'passkey_required')
  const added = await addPasskey(browser, makeAuthenticator(), { by: authenticator })
  expect(added.status).toBe(201)
})

test('of two first ones that are added at once, one is', async () => {
  const browser = await openInvitation()
  const added = await Promise.all([
    addPasskey(browser, makeAuthenticator()),
    addPasskey(browser, makeAuthenticator()),
  ])
  expect(added.map(({ status }) => status).sort((a, b) => a - b)).toEqual([201, 403])
})

test("an agreement for another session, of another's passkey or used before adds none", async () => {
  const { browser, authenticator } = await register()
  const { browser: second } = await signInBy(authenticator)
  const stranger = await register()
  const signing = await openBrowser(api).send('POST', '/console/api/session/passkey/options')
  for (const response of [
    authenticator.get(await startConfirmation(second)),
    authenticator.get(signing.json()),
    stranger.authenticator.get(await startConfirmation(browser)),
    authenticator.get(await startConfirmation(browser), { isUnverified: true }),
  ]) {
    expectProblem(await confirm(browser, response), 403, 'passkey_invalid')
  }
  expectProblem(await addPasskey(browser, makeAuthenticator()), 403, 'passkey_required')
  const agreed = authenticator.get(await startConfirmation(browser))
  expect((await confirm(browser, agreed)).status).toBe(204)
  expectProblem(await confirm(browser, agreed), 403, 'passkey_invalid')
  expectProblem(await addPasskey(second, makeAuthenticator()), 403, 'passkey_required')
  expect((await addPasskey(browser, makeAuthenticator())).status).toBe(201)
})

test('without a passkey there is nothing to agree with', async () => {
  const browser = await signIn(api)
  const options = await browser.send('POST', '/console/api/session/confirmation/options')
  expectProblem(options, 403, 'passkey_required')
})

test('a passkey signs its person in, and its session is a new one', async () => {
  const { browser, authenticator } = await register()
  const { browser: second, answer } = await signInBy(authenticator)
  expect(answer.json()).toMatchObject({ signed_in_by: 'passkey', passkeys: 1 })
  const { person } = (await browser.send('GET', '/console/api/session')).json()
  expect(answer.json().person).toEqual(person)
  expect(second.cookie).not.toBe(browser.cookie)
  const [used] = (await second.send('GET', '/console/api/passkeys')).json().items
  expect(used).toMatchObject({ name: 'Laptop', last_used_at: now.toISOString() })
})

test.each<[string, Fault]>([
  ['for another origin', { origin: 'https://evil.example' }],
  ['for another relying party', { rpId: 'evil.example' }],
  ['without verifying its user', { isUnverified: true }],
  ['with a counter that a copy would show', { counter: 0 }],
  [
    'for a person that it is not of',
    { userHandle: Buffer.from('ten_x/per_x').toString('base64url') },
  ],
])('a passkey that answers %s signs no one in', async (_name, fault) => {
  const { authenticator } = await register()
  await signInBy(authenticator)
  expectProblem((await signInBy(authenticator, fault)).answer, 403, 'passkey_invalid')
  expect((await signInBy(authenticator)).answer.status).toBe(200)
})

test('an unknown passkey signs no one in', async () => {
  const { browser } = await register()
  const { tenant, person } = (await browser.send('GET', '/console/api/session')).json()
  const userHandle = Buffer.from(`${tenant.id}/${person.id}`).toString('base64url')
  const { answer } = await signInBy(makeAuthenticator(), { userHandle })
  expectProblem(answer, 403, 'passkey_invalid')
})

test('an answer signs in once, also when it is sent many times at once', async () => {
  const { authenticator } = await register()
  const options = await openBrowser(api).send('POST', '/console/api/session/passkey/options')
  const response = authenticator.get(options.json())
  const send = () =>
    openBrowser(api).send('POST', '/console/api/session/passkey', { body: { response } })
  const statuses = await Promise.all(Array.from({ length: 6 }, async () => (await send()).status))
  expect(statuses.sort((a, b) => a - b)).toEqual([200, ...Array(5).fill(403)])
})

test('an answer after five minutes is refused', async () => {
  const { authenticator } = await register()
  const options = await openBrowser(api).send('POST', '/console/api/session/passkey/options')
  now = new Date(now.getTime() + 5 * MINUTE_MS)
  const body = { response: authenticator.get(options.json()) }
  expectProblem(
    await openBrowser(api).send('POST', '/console/api/session/passkey', { body }),
    403,
    'passkey_invalid',
  )
})

test.each([0, 1_024])('a new passkey whose id has %i bytes is refused', async (idBytes) => {
  const authenticator = createAuthenticator(api.resources.config.console.origin, { idBytes })
  expectProblem(await addPasskey(await signIn(api), authenticator), 403, 'passkey_invalid')
})

test.each(['a\u0000', '\ud800', ''])('a transport %j is refused', async (transport) => {
  const browser = await signIn(api)
  const options = (await browser.send('POST', '/console/api/passkeys/options')).json()
  const response = makeAuthenticator().create(options)
  Object.assign(response.response, { transports: [transport] })
  const body = { response, name: 'Laptop' }
  const answer = await browser.send('POST', '/console/api/passkeys', { body })
  expectProblem(answer, 422, 'validation_failed')
})

test('a passkey that was removed signs no one in', async () => {
  const { browser, authenticator } = await register()
  const [{ id }] = (await browser.send('GET', '/console/api/passkeys')).json().items
  const added = await addPasskey(browser, makeAuthenticator(), { by: authenticator })
  expect(added.status).toBe(201)
  expect((await browser.send('DELETE', `/console/api/passkeys/${id}`)).status).toBe(204)
  expectProblem((await signInBy(authenticator)).answer, 403, 'passkey_invalid')
})

test('the last passkey stays, so that an invitation alone opens nothing', async () => {
  const { browser, authenticator: by } = await register()
  expect((await addPasskey(browser, makeAuthenticator(), { by })).status).toBe(201)
  const { items } = (await browser.send('GET', '/console/api/passkeys')).json()
  const remove = ({ id }: { id: string }) => browser.send('DELETE', `/console/api/passkeys/${id}`)
  const answers = await Promise.all(items.map(remove))
  expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([204, 403])
  const [last] = (await browser.send('GET', '/console/api/passkeys')).json().items
  expectProblem(await remove(last), 403, 'passkey_required')
})

test("another person's passkey cannot be removed", async () => {
  const { browser } = await register()
  const [{ id }] = (await browser.send('GET', '/console/api/passkeys')).json().items
  const other = await signIn(api)
  expectProblem(await other.send('DELETE', `/console/api/passkeys/${id}`), 404, 'not_found')
})
