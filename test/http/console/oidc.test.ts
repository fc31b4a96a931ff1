import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { MINUTE_MS } from '../../../src/core/time.ts'
import { inTransaction } from '../../../src/db/database.ts'
import { peopleOf } from '../../../src/db/sql/people-tables.ts'
import { openSession } from '../../../src/domain/people/sign-in/sessions.ts'
import { startTestApi, type TestApi } from '../../support/api/api.ts'
import { createAuthenticator } from '../../support/api/authenticator.ts'
import { type Browser, openBrowser, signIn } from '../../support/api/console.ts'
import { expectProblem } from '../../support/api/expect-problem.ts'
import { inviteToTenant } from '../../support/people.ts'
import {
  type Account,
  CLIENT,
  type Forgery,
  passProvider,
  startOidcProvider,
} from '../../support/servers/oidc.ts'

const ORIGIN = 'https://api.example.com'
const CALLBACK = '/console/api/session/oidc/callback'

let now = new Date()
let owned: AsyncDisposableStack
let api: TestApi
let provider: Awaited<ReturnType<typeof startOidcProvider>>
const accounts = new Map<string, Account>()
beforeAll(async () => {
  owned = new AsyncDisposableStack()
  // The provider warns that it is set up for a test.
  for (const level of ['info', 'warn'] as const) {
    const silenced = vi.spyOn(console, level).mockImplementation(() => undefined)
    owned.defer(() => silenced.mockRestore())
  }
  provider = owned.use(await startOidcProvider(accounts, [`${ORIGIN}${CALLBACK}`]))
  api = owned.use(
    await startTestApi({
      clock: () => now,
      env: {
        PUBLIC_URL: ORIGIN,
        CONSOLE_OIDC_ISSUER: provider.issuer,
        CONSOLE_OIDC_CLIENT_ID: CLIENT.client_id,
        CONSOLE_OIDC_CLIENT_SECRET: CLIENT.client_secret,
      },
    }),
  )
})
afterAll(() => owned.disposeAsync())

let made = 0
async function invite(tenantId = api.tenant.id, email?: string) {
  made += 1
  const member = {
    email: email ?? `person${made}@example.com`,
    name: 'Ada',
    role: 'viewer',
  } as const
  const { person } = await inTransaction(api.db, (tx) => inviteToTenant(tx, tenantId, member, now))
  return person
}

function addAccount(email: string, isVerified: unknown = true): string {
  made += 1
  accounts.set(`account${made}`, { email, email_verified: isVerified })
  return `account${made}`
}

/** The provider's pages between start and callback; `cookie` is what the browser keeps. */
async function begin(login: string, query = '', browser = openBrowser(api)) {
  const started = await browser.send('GET', `/console/api/session/oidc/start${query}`)
  expect(started.status).toBe(302)
  const [cookie = ''] = (started.headers['set-cookie']?.[0] ?? '').split(';')
  const back = await passProvider(String(started.headers.location), login)
  expect(back.startsWith(`${ORIGIN}${CALLBACK}?`)).toBe(true)
  return { cookie, target: back.slice(ORIGIN.length), set: started.headers['set-cookie']?.[0] }
}

function comeBack(target: string, cookie: string) {
  const headers = { cookie, 'sec-fetch-site': 'cross-site' }
  return openBrowser(api).send('GET', target, { headers })
}

/** Returns the browser's session, or undefined with the code it was sent back with. */
async function signInAs(login: string, query = '') {
  const { cookie, target } = await begin(login, query)
  const answer = await comeBack(target, cookie)
  expect(answer.status).toBe(302)
  const token = answer.headers['set-cookie']
    ?.map((set) => /^__Host-console=([^;]+)/.exec(set)?.[1])
    .find((value) => value !== undefined)
  const session = token
    ? (await openBrowser(api, token).send('GET', '/console/api/session')).json()
    : undefined
  return { location: answer.headers.location, session }
}

const REFUSED = { location: '/console/#error=oidc_refused', session: undefined }

test('the way to sign in is offered by its name', async () => {
  const ways = await openBrowser(api).send('GET', '/console/api/sign-in')
  expect(ways.json()).toEqual({ passkeys: true, oidc: { name: 'Single sign-on' }, local: false })
})

test('an invited person signs in by the verified address, and then whatever the address becomes', async () => {
  const person = await invite()
  const account = addAccount(person.email.toUpperCase())
  const first = await signInAs(account)
  expect(first.location).toBe('/console/')
  expect(first.session).toMatchObject({
    ...{ person: { id: person.id }, signed_in_by: 'oidc', must_add_passkey: false },
  })
  accounts.set(account, { email: 'other@example.com', email_verified: true })
  expect((await signInAs(account)).session).toMatchObject({ person: { id: person.id } })
})

test('the cookie between is sealed, for the console alone, and sent when the provider redirects', async () => {
  const { set = '' } = await begin(addAccount('someone@example.com'))
  expect(set).toMatch(
    /^__Host-console-oidc=test\.[^;]+; Max-Age=600; Path=\/; Secure; HttpOnly; SameSite=Lax$/,
  )
})

describe('no one is signed in', () => {
  test.each([false, 'true', 1, null])(
    'by an address that is verified as %j',
    async (isVerified) => {
      const person = await invite()
      expect(await signInAs(addAccount(person.email, isVerified))).toEqual(REFUSED)
    },
  )

  test('in a tenant that did not invite them', async () => {
    const other = await api.addTenant()
    const person = await invite()
    const account = addAccount(person.email)
    expect(await signInAs(account, `?tenant_id=${other.id}`)).toEqual(REFUSED)
    expect((await signInAs(account)).session).toMatchObject({ tenant: { id: api.tenant.id } })
    expect(await signInAs(account, `?tenant_id=${other.id}`)).toEqual(REFUSED)
  })

  test.each<[string, Forgery]>([
    ['another issuer', (claims) => ({ ...claims, iss: 'https://evil.example' })],
    ['another audience', (claims) => ({ ...claims, aud: 'another client' })],
    [
      'further audiences and another client',
      (claims) => ({ ...claims, aud: ['console', 'x'], azp: 'x' }),
    ],
    ['another nonce', (claims) => ({ ...claims, nonce: 'x' })],
    ['no nonce', ({ nonce: _left, ...claims }) => claims],
    ['no subject', ({ sub: _left, ...claims }) => claims],
    ['an expiry that has passed', (claims) => ({ ...claims, exp: 1 })],
  ])('by an ID token with %s', async (_name, forgery) => {
    const person = await invite()
    const account = addAccount(person.email)
    provider.forge(forgery)
    expect(await signInAs(account)).toEqual(REFUSED)
    provider.forge((claims) => claims)
    expect((await signInAs(account)).session).toMatchObject({ person: { id: person.id } })
    provider.forge(undefined)
  })

  test("by another's code under their own state, nor by their own code in a second flow", async () => {
    const [victim, attacker] = [await invite(), await invite()]
    const mine = await begin(addAccount(victim.email))
    const theirs = await begin(addAccount(attacker.email))
    const [code = ''] = /code=[^&]+/.exec(theirs.target) ?? []
    const injected = await comeBack(mine.target.replace(/code=[^&]+/, code), mine.cookie)
    expect(injected.headers.location).toBe(REFUSED.location)
    const crossed = await comeBack(mine.target, theirs.cookie)
    expect(crossed.headers.location).toBe(REFUSED.location)
  })

  test('by an answer that names another issuer', async () => {
    const person = await invite()
    const { target, cookie } = await begin(addAccount(person.email))
    expect(target).toContain('iss=')
    const answer = await comeBack(
      target.replace(/iss=[^&]+/, 'iss=https%3A%2F%2Fevil.example'),
      cookie,
    )
    expect(answer.headers.location).toBe(REFUSED.location)
  })

  test('by a start that another site leads to, which asks nothing of the provider', async () => {
    const headers = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' }
    const query = `?tenant_id=${api.tenant.id}`
    const started = await openBrowser(api).send('GET', `/console/api/session/oidc/start${query}`, {
      headers,
    })
    expect(started).toMatchObject({
      status: 302,
      headers: { location: '/console/#error=cross_origin' },
    })
    expect(started.headers['set-cookie']).toBeUndefined()
  })

  test('who was not invited', async () => {
    expect(await signInAs(addAccount('stranger@example.com'))).toEqual(REFUSED)
  })

  test('by an address that was bound to another account', async () => {
    const person = await invite()
    await signInAs(addAccount(person.email))
    expect(await signInAs(addAccount(person.email))).toEqual(REFUSED)
  })

  test('who was removed', async () => {
    const admin = await signIn(api)
    const person = await invite()
    const account = addAccount(person.email)
    await signInAs(account)
    await admin.send('DELETE', `/console/api/people/${person.id}`)
    expect(await signInAs(account)).toEqual(REFUSED)
  })

  test.each<[string, (given: { cookie: string; target: string }) => Promise<unknown>]>([
    ['in another browser', ({ target }) => comeBack(target, 'x=y')],
    [
      'with a cookie that was made up',
      ({ target }) => comeBack(target, '__Host-console-oidc=test.AAAA'),
    ],
    [
      'under another state',
      ({ target, cookie }) => comeBack(target.replace(/state=[^&]+/, 'state=x'), cookie),
    ],
    [
      'with another code',
      ({ target, cookie }) => comeBack(target.replace(/code=[^&]+/, 'code=x'), cookie),
    ],
    [
      'with a refusal',
      ({ target, cookie }) => comeBack(target.replace(/code=[^&]+/, 'error=access_denied'), cookie),
    ],
  ])('by an answer %s', async (_name, answer) => {
    const person = await invite()
    const given = await begin(addAccount(person.email))
    expect(await answer(given)).toMatchObject({
      status: 302,
      headers: { location: REFUSED.location },
    })
  })

  test('by an answer that is sent a second time, or after ten minutes', async () => {
    const person = await invite()
    const account = addAccount(person.email)
    const first = await begin(account)
    expect((await comeBack(first.target, first.cookie)).headers.location).toBe('/console/')
    expect((await comeBack(first.target, first.cookie)).headers.location).toBe(REFUSED.location)
    const second = await begin(account)
    now = new Date(now.getTime() + 10 * MINUTE_MS)
    expect((await comeBack(second.target, second.cookie)).headers.location).toBe(REFUSED.location)
    now = new Date()
  })
})

describe("another tenant's invitation does not break a person's sign-in", () => {
  async function prepare() {
    const other = await api.addTenant()
    const person = await invite()
    const same = await invite(other.id, person.email)
    return { other, person, same, account: addAccount(person.email) }
  }

  test('before their first: they arrive at the tenant that invited them first, and at the other if they name it', async () => {
    const { other, person, same, account } = await prepare()
    expect((await signInAs(account)).session).toMatchObject({ person: { id: person.id } })
    expect((await signInAs(account)).session).toMatchObject({ person: { id: person.id } })
    const chosen = await signInAs(account, `?tenant_id=${other.id}`)
    expect(chosen.session).toMatchObject({ tenant: { id: other.id }, person: { id: same.id } })
  })

  test('who belongs to both arrives where they were last', async () => {
    const { other, person, account } = await prepare()
    await signInAs(account)
    for (const tenant of [other, api.tenant, other]) {
      now = new Date(now.getTime() + MINUTE_MS)
      await signInAs(account, `?tenant_id=${tenant.id}`)
      expect((await signInAs(account)).session).toMatchObject({ tenant: { id: tenant.id } })
    }
    now = new Date()
    const mine = await signIn(api)
    await mine.send('DELETE', `/console/api/people/${person.id}`)
    expect((await signInAs(account)).session).toMatchObject({ tenant: { id: other.id } })
  })

  test('who has a session there arrives at the tenant that invited them second', async () => {
    const { other, same, account } = await prepare()
    const there = { people: peopleOf(other.id), person: same }
    await inTransaction(api.db, (tx) =>
      openSession(tx, there, { now }, { signedInBy: 'passkey', heldSince: undefined }),
    )
    expect((await signInAs(account)).session).toMatchObject({ person: { id: same.id } })
  })
})

test('a person keeps their identity when two identities of one address sign in at once', async () => {
  for (let round = 0; round < 5; round += 1) {
    const person = await invite()
    const flows = [await begin(addAccount(person.email)), await begin(addAccount(person.email))]
    const answers = await Promise.all(flows.map(({ target, cookie }) => comeBack(target, cookie)))
    const locations = answers.map(({ headers }) => String(headers.location)).sort()
    expect(locations).toEqual(['/console/', REFUSED.location])
  }
})

test('the session that the browser had before ends, though its cookie is not sent from the provider', async () => {
  const former = await signIn(api)
  const person = await invite()
  const copy = openBrowser(api, former.cookie)
  const { target, cookie } = await begin(addAccount(person.email), '', former)
  expect((await copy.send('GET', '/console/api/session')).status).toBe(200)
  expect((await comeBack(target, cookie)).headers.location).toBe('/console/')
  expectProblem(await copy.send('GET', '/console/api/session'), 401, 'session_required')
})

test('what other sites load of it takes no token of the address', async () => {
  await using limited = await startTestApi({
    env: {
      RATE_LIMITS: 'console_sign_in=0.001/1',
      CONSOLE_OIDC_ISSUER: provider.issuer,
      CONSOLE_OIDC_CLIENT_ID: CLIENT.client_id,
      CONSOLE_OIDC_CLIENT_SECRET: CLIENT.client_secret,
    },
  })
  const headers = { 'sec-fetch-site': 'cross-site' }
  for (const path of ['start', 'callback?state=x&code=x']) {
    for (let sent = 0; sent < 3; sent += 1) {
      const target = `/console/api/session/oidc/${path}`
      expect((await openBrowser(limited).send('GET', target, { headers })).status).toBe(302)
    }
  }
  const ways = await openBrowser(limited).send('GET', '/console/api/sign-in')
  expect(ways.status).toBe(200)
})

test('a person who signed in there and has no passkey revokes no key', async () => {
  const browser = await signIn(api, { signedInBy: 'oidc', role: 'developer', isConfirmed: false })
  const path = `/console/api/keys/${api.tenant.keyId}/revoke`
  expectProblem(await browser.send('POST', path), 403, 'passkey_required')
})

async function addPasskey(browser: Browser) {
  const authenticator = createAuthenticator(ORIGIN)
  const options = await browser.send('POST', '/console/api/passkeys/options')
  if (options.status !== 200) return { authenticator, answer: options }
  const body = { response: authenticator.create(options.json()), name: 'Laptop' }
  return { authenticator, answer: await browser.send('POST', '/console/api/passkeys', { body }) }
}

async function open(login: string, query = '', from = openBrowser(api)) {
  const { cookie, target } = await begin(login, query, from)
  const answer = await comeBack(target, cookie)
  const token = answer.headers['set-cookie']
    ?.map((set) => /^__Host-console=([^;]+)/.exec(set)?.[1])
    .find((value) => value !== undefined)
  return { location: answer.headers.location, browser: openBrowser(api, token) }
}

test('a first passkey is added after a new sign-in at the provider alone', async () => {
  const account = addAccount((await invite()).email)
  const { browser: stolen } = await open(account)
  expectProblem((await addPasskey(stolen)).answer, 403, 'passkey_required')
  const { browser } = await open(account, '?fresh=true')
  expect((await addPasskey(browser)).answer.status).toBe(201)
  expectProblem((await addPasskey(browser)).answer, 403, 'passkey_required')
})

test('who has a passkey is bound to an identity from a session that it confirmed', async () => {
  const member = { email: `bound${made}@example.com`, name: 'Ada', role: 'viewer' } as const
  const { token } = await inTransaction(api.db, (tx) =>
    inviteToTenant(tx, api.tenant.id, member, now),
  )
  const browser = openBrowser(api)
  await browser.send('POST', '/console/api/session/link', { body: { token } })
  const { authenticator } = await addPasskey(browser)
  const account = addAccount(member.email)
  expect((await open(account)).location).toBe(REFUSED.location)
  const options = await browser.send('POST', '/console/api/session/confirmation/options')
  const body = { response: authenticator.get(options.json()) }
  await browser.send('POST', '/console/api/session/confirmation', { body })
  expect((await open(account, '', browser)).location).toBe('/console/')
  expect((await open(account)).location).toBe('/console/')
})

test('a provider that does not answer is reported in the application', async () => {
  await using lone = await startTestApi({
    env: {
      CONSOLE_OIDC_ISSUER: 'http://localhost:1',
      CONSOLE_OIDC_CLIENT_ID: 'console',
      CONSOLE_OIDC_CLIENT_SECRET: CLIENT.client_secret,
    },
  })
  const started = await openBrowser(lone).send('GET', '/console/api/session/oidc/start')
  expect(started).toMatchObject({
    status: 302,
    headers: { location: '/console/#error=unavailable' },
  })
})

test('without a provider there is no such way', async () => {
  await using plain = await startTestApi()
  const start = await openBrowser(plain).send('GET', '/console/api/session/oidc/start')
  expectProblem(start, 401, 'session_required')
})
