// A new link for a person who can sign in: what its holder may do while it waits, what its person can
// refuse, and what ends when it takes effect.
import { randomBytes } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { newId } from '../../src/core/ids.ts'
import { addMs, DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/core/time.ts'
import { inTransaction, type Tx } from '../../src/db/database.ts'
import { LENDER, peopleOf } from '../../src/db/sql/people-tables.ts'
import { addPerson, inviteAgain } from '../../src/domain/people/people.ts'
import { lockPeople, lockPerson } from '../../src/domain/people/people-queries.ts'
import type { PersonKey } from '../../src/domain/people/person.ts'
import { signInByIdentity } from '../../src/domain/people/sign-in/identities.ts'
import { insertPasskey } from '../../src/domain/people/sign-in/passkey-queries.ts'
import { createAuthenticator } from '../support/api/authenticator.ts'
import { type Browser, openBrowser } from '../support/api/console.ts'
import { type AtDesk, doorsForFile, newEmail, POST } from '../support/api/doors.ts'
import { expectProblem } from '../support/api/expect-problem.ts'
import { inviteToTenant } from '../support/people.ts'

let now = new Date()
const doors = doorsForFile(() => now)
beforeEach(() => {
  now = new Date()
})

const { api, operators, addOperator, linkFor, openAsThief, signInToDesk, confirm, atDesk } = doors
const { addTenantPerson, openInConsole, confirmConsole } = doors

/** As their tenant's admin makes it. */
async function linkInTenant(tenantId: string, personId: string): Promise<string> {
  const of = { ...peopleOf(tenantId), now }
  return (await inTransaction(api.db, (tx) => inviteAgain(tx, of, personId))).token
}

/** At the provider, whose subject is named after the address. */
async function signInAtProvider(
  audience: 'tenant' | 'lender',
  email: string,
  { isFresh = false, subject = `subject of ${email}` } = {},
): Promise<string> {
  const people = audience === 'lender' ? LENDER : { audience, tenantId: api.tenant.id }
  const identity = { subject, email, isEmailVerified: true }
  return await inTransaction(api.db, (tx) =>
    signInByIdentity(
      tx,
      { ...identity, authenticatedAt: isFresh ? now : undefined },
      { people, former: undefined, isFresh },
      { now },
    ),
  )
}

/** Who has no passkey. */
async function addOidcOperator() {
  const email = newEmail()
  await linkFor({ email, name: 'Oda', role: 'admin' })
  const desk = atDesk(await signInAtProvider('lender', email))
  const { person } = (await desk.send('/session')).json()
  return { operator: person, desk }
}

async function addOidcPerson() {
  const email = `oda${newEmail()}`
  const member = { email, name: 'Oda', role: 'admin' } as const
  const { person } = await inTransaction(api.db, (tx) =>
    inviteToTenant(tx, api.tenant.id, member, now),
  )
  const browser = openBrowser(api, await signInAtProvider('tenant', email))
  return { person, browser }
}

const closedListInConsole = (personId: string) =>
  [
    ['POST', '/console/api/keys', { name: 'k', public_key_pem: 'x', scopes: ['borrower:read'] }],
    ['POST', '/console/api/keys/key_01m7vssyfde8js5xf2gf4d71jy/revoke', undefined],
    ['POST', '/console/v1/webhooks/secrets', undefined],
    ['POST', '/console/v1/webhooks', { url: 'https://thief.example.com/hook' }],
    ['DELETE', '/console/v1/webhooks/whk_01m7vssyfde8js5xf2gf4d71jy', undefined],
    ['POST', '/console/api/people', { email: 'thief@example.com', name: 'T', role: 'admin' }],
    ['POST', `/console/api/people/${personId}/invitation`, undefined],
    ['PATCH', `/console/api/people/${personId}`, { role: 'viewer' }],
    ['DELETE', `/console/api/people/${personId}`, undefined],
    ['DELETE', '/console/api/passkeys/psk_01m7vssyfde8js5xf2gf4d71jy', undefined],
    ['POST', '/console/api/passkeys/options', undefined],
  ] as const

async function codesInConsole(browser: Browser, personId: string) {
  const codes = []
  for (const [method, path, body] of closedListInConsole(personId)) {
    const answer = await browser.send(method, path, body === undefined ? {} : { body })
    codes.push(answer.text === '' ? answer.status : answer.json().code)
  }
  return codes
}

async function codesAtDesk(desk: AtDesk, operatorId: string) {
  const reason = 'theft'
  const person = { email: 'thief@lender.example', name: 'T', role: 'admin' }
  const token = { operator_id: operatorId, name: 'thief', expires_at: addMs(now, HOUR_MS) }
  const attempts = [
    ['POST', '/operators', person],
    ['POST', `/operators/${operatorId}/invitation`, { reason }],
    ['PATCH', `/operators/${operatorId}`, { role: 'viewer' }],
    ['POST', `/operators/${operatorId}/remove`, { reason }],
    ['POST', '/tokens', token],
    ['POST', '/tokens/opt_01m7vssyfde8js5xf2gf4d71jy/revoke', { reason }],
    ['POST', `/tenants/${api.tenant.id}/people`, { ...person, reason }],
    ['POST', `/tenants/${api.tenant.id}/keys/${api.tenant.keyId}/revoke`, { reason }],
    ['DELETE', '/passkeys/psk_01m7vssyfde8js5xf2gf4d71jy', undefined],
    ['POST', '/passkeys/options', undefined],
  ] as const
  const codes = []
  for (const [method, path, body] of attempts) {
    codes.push((await desk.send(path, { method, body })).json().code)
  }
  return codes
}

describe('while a link that replaces what a person has waits', () => {
  test('its holder does nothing in the console that outlives a session, and may a day after it was made', async () => {
    const { person } = await addTenantPerson(api.tenant.id)
    const thief = await openInConsole(await linkInTenant(api.tenant.id, person.id))
    const until = addMs(now, DAY_MS)
    expect((await confirmConsole(thief.browser, thief.authenticator)).status).toBe(204)
    expect(new Set(await codesInConsole(thief.browser, person.id))).toEqual(
      new Set(['link_waiting']),
    )
    const refused = await thief.browser.send('POST', '/console/v1/webhooks/secrets')
    expectProblem(refused, 409, 'link_waiting')
    expect(refused.json().detail).toContain(until.toISOString())
    now = until
    const browser = await doors.signInToConsole(thief.authenticator)
    await confirmConsole(browser, thief.authenticator)
    const secret = await browser.send('POST', '/console/v1/webhooks/secrets')
    expect(secret.status).toBe(201)
  })

  test('its holder waits too where the passkey is added by a process whose clock is behind', async () => {
    const { person } = await addTenantPerson(api.tenant.id)
    const browser = openBrowser(api)
    const token = await linkInTenant(api.tenant.id, person.id)
    now = addMs(now, 500)
    await browser.send('POST', '/console/api/session/link', { body: { token } })
    now = addMs(now, -500)
    const authenticator = createAuthenticator(doors.consoleOrigin())
    expect((await doors.addConsolePasskey(browser, authenticator)).status).toBe(201)
    now = addMs(now, 1_000)
    const again = await doors.signInToConsole(authenticator)
    expect((await confirmConsole(again, authenticator)).status).toBe(204)
    expect(new Set(await codesInConsole(again, person.id))).toEqual(new Set(['link_waiting']))
  })

  test('a refusal leaves nothing of two links, whichever was made first', async () => {
    const own = await addTenantPerson(api.tenant.id)
    const { person } = own
    const first = await linkInTenant(api.tenant.id, person.id)
    const thief = await openInConsole(first)
    // Made by a process whose clock is behind.
    now = addMs(now, -500)
    await openInConsole(await linkInTenant(api.tenant.id, person.id))
    now = addMs(now, MINUTE_MS)
    const browser = await doors.signInToConsole(own.authenticator)
    await confirmConsole(browser, own.authenticator)
    const refused = await browser.send('POST', '/console/api/session/refuse-link')
    expect(refused.status).toBe(204)
    const passkeys = (await browser.send('GET', '/console/api/passkeys')).json()
    expect(passkeys.items).toHaveLength(1)
    expect((await thief.browser.send('GET', '/console/api/session')).status).toBe(401)
  })

  test('nor at the desk, nor in a new session by the passkey that it led to', async () => {
    const { operator } = await addOperator()
    const thief = await openAsThief(await linkFor(operator))
    for (const desk of [thief.desk, await signInToDesk(thief.authenticator)]) {
      expect((await confirm(desk, thief.authenticator)).status).toBe(204)
      expect(new Set(await codesAtDesk(desk, operator.id))).toEqual(new Set(['link_waiting']))
    }
  })

  test('nor in a stolen session of before, by the passkey that it led to', async () => {
    const { person, browser, authenticator } = await addTenantPerson(api.tenant.id)
    now = addMs(now, MINUTE_MS)
    const thief = await openInConsole(await linkInTenant(api.tenant.id, person.id))
    await confirmConsole(browser, authenticator)
    expect((await browser.send('POST', '/console/v1/webhooks/secrets')).status).toBe(201)
    await confirmConsole(browser, thief.authenticator)
    const again = await browser.send('POST', '/console/v1/webhooks/secrets')
    expectProblem(again, 409, 'link_waiting')
  })

  test('no identity at a provider is bound, whoever confirmed', async () => {
    const { operator, authenticator } = await addOperator()
    const thief = await openAsThief(await linkFor(operator))
    await confirm(thief.desk, thief.authenticator)
    await expect(signInAtProvider('lender', operator.email)).rejects.toMatchObject({
      code: 'oidc_refused',
    })
    // Of before, the person has a passkey still.
    const other = await addOperator()
    await linkFor(other.operator).then(doors.openDeskLink)
    await expect(signInAtProvider('lender', other.operator.email)).rejects.toMatchObject({
      code: 'oidc_refused',
    })
    await signInToDesk(authenticator)
  })

  test('a link that replaces nothing waits for nothing, and what was open without a passkey ends', async () => {
    const tenant = await api.addTenant()
    const member = { email: 'new@example.com', name: 'New', role: 'admin' } as const
    const { person, token } = await inTransaction(api.db, (tx) =>
      inviteToTenant(tx, tenant.id, member, now),
    )
    const first = openBrowser(api)
    await first.send('POST', '/console/api/session/link', { body: { token } })
    const { browser, authenticator } = await openInConsole(await linkInTenant(tenant.id, person.id))
    await confirmConsole(browser, authenticator)
    expect((await browser.send('POST', '/console/v1/webhooks/secrets')).status).toBe(201)
    expectProblem(await first.send('GET', '/console/api/session'), 401, 'session_required')
  })

  test('a token that is made in a session of before ends with it', async () => {
    const victim = await addOperator()
    await openAsThief(await linkFor(victim.operator))
    await confirm(victim.desk, victim.authenticator)
    const body = {
      ...{ operator_id: victim.operator.id, name: 'laptop' },
      expires_at: addMs(now, 10 * DAY_MS).toISOString(),
    }
    const { token } = (await victim.desk.send('/tokens', { ...POST, body })).json()
    expect((await operators.send('/me', { token })).status).toBe(200)
    now = addMs(now, DAY_MS)
    expect((await operators.send('/me', { token })).status).toBe(401)
  })
})

describe('who signs in at a provider alone', () => {
  test('refuses a link to the desk by a new sign-in there, and has the identity afterwards', async () => {
    const { operator } = await addOidcOperator()
    const thief = await openAsThief(await linkFor(operator))
    now = addMs(now, 2 * HOUR_MS)
    const stale = atDesk(await signInAtProvider('lender', operator.email))
    expect((await stale.send('/session')).json().replaced_at).not.toBeNull()
    expect((await stale.send('/session/refuse-link', POST)).json().code).toBe('passkey_required')
    const fresh = atDesk(await signInAtProvider('lender', operator.email, { isFresh: true }))
    expect((await fresh.send('/session/refuse-link', POST)).status).toBe(204)
    expect((await thief.desk.send('/session')).status).toBe(401)
    now = addMs(now, DAY_MS)
    const back = atDesk(await signInAtProvider('lender', operator.email))
    expect((await back.send('/session')).json().replaced_at).toBeNull()
  })

  test('refuses a link to the console likewise, for five minutes', async () => {
    const { person } = await addOidcPerson()
    const thief = await openInConsole(await linkInTenant(api.tenant.id, person.id))
    const signIn = () => signInAtProvider('tenant', person.email, { isFresh: true })
    const late = openBrowser(api, await signIn())
    now = addMs(now, 5 * MINUTE_MS)
    const refuse = '/console/api/session/refuse-link'
    expectProblem(await late.send('POST', refuse), 403, 'passkey_required')
    const fresh = openBrowser(api, await signIn())
    expect((await fresh.send('POST', refuse)).status).toBe(204)
    const ended = await thief.browser.send('GET', '/console/api/session')
    expectProblem(ended, 401, 'session_required')
  })
})

describe('when a link takes effect', () => {
  test('the identity at the provider and its sessions end, and it comes back by the passkey alone', async () => {
    const { operator, desk } = await addOidcOperator()
    const link = await openAsThief(await linkFor(operator))
    const during = atDesk(await signInAtProvider('lender', operator.email))
    now = addMs(now, DAY_MS)
    expect((await desk.send('/session')).status).toBe(401)
    expect((await during.send('/session')).status).toBe(401)
    await expect(signInAtProvider('lender', operator.email)).rejects.toMatchObject({
      code: 'oidc_refused',
    })
    await signInToDesk(link.authenticator)
    // Nor does it open the account of another.
    const email = newEmail()
    await linkFor({ email, name: 'Other', role: 'viewer' })
    const subject = `subject of ${operator.email}`
    await expect(signInAtProvider('lender', email, { subject })).rejects.toMatchObject({
      code: 'oidc_refused',
    })
  })

  test('in the console too, where no passkey was added', async () => {
    const { person, browser } = await addOidcPerson()
    const token = await linkInTenant(api.tenant.id, person.id)
    const opened = openBrowser(api)
    await opened.send('POST', '/console/api/session/link', { body: { token } })
    now = addMs(now, DAY_MS)
    expectProblem(await browser.send('GET', '/console/api/session'), 401, 'session_required')
    await expect(signInAtProvider('tenant', person.email)).rejects.toMatchObject({
      code: 'oidc_refused',
    })
  })

  test("an operator's tokens end, and a refused link leaves them", async () => {
    const [replaced, refusing] = [await addOperator(), await addOperator()]
    const expiresAt = addMs(now, 10 * DAY_MS).toISOString()
    const makeToken = async ({ desk, authenticator, operator }: typeof replaced) => {
      await confirm(desk, authenticator)
      const body = { operator_id: operator.id, name: 'laptop', expires_at: expiresAt }
      return (await desk.send('/tokens', { ...POST, body })).json().token
    }
    const [ended, kept] = [await makeToken(replaced), await makeToken(refusing)]
    for (const { operator } of [replaced, refusing]) await openAsThief(await linkFor(operator))
    await confirm(refusing.desk, refusing.authenticator)
    expect((await refusing.desk.send('/session/refuse-link', POST)).status).toBe(204)
    now = addMs(now, DAY_MS - 1)
    expect((await operators.send('/me', { token: ended })).status).toBe(200)
    now = addMs(now, 1)
    expect((await operators.send('/me', { token: ended })).status).toBe(401)
    expect((await operators.send('/me', { token: kept })).status).toBe(200)
  })
})

/** As its person would add it, in another transaction. */
async function addCredential(tx: Tx, key: PersonKey) {
  await insertPasskey(tx, key, {
    ...{ passkeyId: newId('psk'), credentialId: randomBytes(16), publicKey: randomBytes(32) },
    ...{ counter: 0, transports: [], name: 'Laptop', createdAt: now },
    ...{ heldSince: now, endsAt: undefined },
  })
}

/** What is asked while the person adds a passkey, and waits for that. */
async function whileAdding<Answer>(key: PersonKey, ask: () => Promise<Answer>): Promise<Answer> {
  const { asked } = await inTransaction(api.db, async (tx) => {
    await lockPerson(tx, key)
    const asked = ask()
    // Until it waits for the person.
    await new Promise((resolve) => setTimeout(resolve, 1_000))
    await addCredential(tx, key)
    return { asked }
  })
  return await asked
}

describe('credentials that appear while a link is made', () => {
  test('a second operator is asked for a link to the desk', async () => {
    const admin = await addOperator()
    const { person } = await inTransaction(api.db, (tx) =>
      addPerson(tx, { ...LENDER, now }, { email: newEmail(), name: 'New', role: 'viewer' }),
    )
    await confirm(admin.desk, admin.authenticator)
    const made = await whileAdding({ ...LENDER, personId: person.id }, () =>
      admin.desk.send(`/operators/${person.id}/invitation`, { ...POST, body: { reason: 'asked' } }),
    )
    expect(made.json()).toMatchObject({ outcome: 'proposed', invitation_url: null })
  })

  test('an operator who was invited meanwhile is not invited again by one', async () => {
    const admin = await addOperator()
    const given = { email: newEmail(), name: 'New', role: 'viewer' } as const
    await confirm(admin.desk, admin.authenticator)
    const { asked } = await inTransaction(api.db, async (tx) => {
      await lockPeople(tx, LENDER)
      const asked = admin.desk.send('/operators', { ...POST, body: given })
      await new Promise((resolve) => setTimeout(resolve, 1_000))
      const { person } = await addPerson(tx, { ...LENDER, now }, given)
      await addCredential(tx, { ...LENDER, personId: person.id })
      return { asked }
    })
    expect((await asked).json().code).toBe('already_exists')
  })

  test("a link into a tenant's console is refused", async () => {
    const [admin, second] = [await addOperator(), await addOperator()]
    const tenant = await api.addTenant()
    const member = { email: 'new@example.com', name: 'New', role: 'admin' } as const
    const { person } = await inTransaction(api.db, (tx) =>
      inviteToTenant(tx, tenant.id, member, now),
    )
    for (const { desk, authenticator } of [admin, second]) await confirm(desk, authenticator)
    const body = { ...member, reason: 'asked' }
    const made = await admin.desk.send(`/tenants/${tenant.id}/people`, { ...POST, body })
    const confirmed = await whileAdding({ ...peopleOf(tenant.id), personId: person.id }, () =>
      second.desk.send(`/approvals/${made.json().approval_id}/confirm`, POST),
    )
    expect([confirmed.status, confirmed.json().code]).toEqual([409, 'already_exists'])
  })
})
