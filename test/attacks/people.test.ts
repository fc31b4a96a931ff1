// Who may act: one person who would be two, an operator at a tenant's door, a thief of a session.
import { beforeEach, describe, expect, test } from 'vitest'
import { addMs, DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/core/time.ts'
import { inTransaction } from '../../src/db/database.ts'
import { LENDER } from '../../src/db/sql/people-tables.ts'
import { actInvite } from '../../src/domain/operators/people-acts.ts'
import type { Operator } from '../../src/domain/operators/roles.ts'
import { redeem } from '../../src/domain/people/links/invitations.ts'
import { lockPerson } from '../../src/domain/people/people-queries.ts'
import { signInByIdentity } from '../../src/domain/people/sign-in/identities.ts'
import { createAuthenticator } from '../support/api/authenticator.ts'
import { openBrowser } from '../support/api/console.ts'
import { type AtDesk, doorsForFile, newEmail, POST } from '../support/api/doors.ts'
import { inviteToTenant } from '../support/people.ts'

let now = new Date()
const doors = doorsForFile(() => now)
beforeEach(() => {
  now = new Date()
})

const { api, operators, atDesk, deskOrigin, openDeskLink, addPasskey, signInToDesk, confirm } =
  doors
const { addOperator, linkFor, openAsThief } = doors
const { addTenantPerson, addConsolePasskey, confirmConsole } = doors

let countries = 0
/** By this operator; the id of the proposal. */
async function propose(desk: AtDesk): Promise<string> {
  const country = ['FR', 'DE', 'ES', 'IT', 'NL', 'BE'][countries]
  countries += 1
  const body = { country, borrower_type: 'business', allowed: true, reason: 'board' }
  const answer = await desk.send('/residency', { ...POST, body })
  expect(answer.json()).toMatchObject({ outcome: 'proposed' })
  return answer.json().approval_id
}

const confirmApproval = (desk: AtDesk, id: string) => desk.send(`/approvals/${id}/confirm`, POST)
const tokenOf = (url: string) => url.split('#token=')[1] ?? ''

test('an admin who makes a link for another operator does not hold it: a second operator is asked', async () => {
  const admin = await addOperator()
  const victim = await addOperator()
  now = addMs(now, 1_000)
  expect((await confirm(admin.desk, admin.authenticator)).status).toBe(204)
  const path = `/operators/${victim.operator.id}/invitation`
  const made = await admin.desk.send(path, { ...POST, body: { reason: 'lost the phone' } })
  expect(made.json()).toMatchObject({ outcome: 'proposed', invitation_url: null })
  expect((await confirmApproval(admin.desk, made.json().approval_id)).status).toBe(403)
  const other = await addOperator()
  await confirm(other.desk, other.authenticator)
  const confirmed = await confirmApproval(other.desk, made.json().approval_id)
  expect(confirmed.json().invitation_url).toContain('/desk/#token=')
  // The person sees it at once, and signs in as before until a day after it was made.
  expect((await victim.desk.send('/session')).json().notices).toContainEqual({
    ...{ action: 'operators.invite', about: victim.operator.email },
    ...{ by: other.operator.email, at: now.toISOString() },
  })
  const { answer } = await openDeskLink(tokenOf(confirmed.json().invitation_url))
  expect(answer.status).toBe(200)
  now = addMs(now, DAY_MS - 1)
  const again = await signInToDesk(victim.authenticator)
  expect((await again.send('/session')).json().replaced_at).not.toBeNull()
  now = addMs(now, 1)
  expect((await again.send('/session')).status).toBe(401)
})

test('a stranger who came by a link hides from the person nothing of what was done', async () => {
  const victim = await addOperator()
  const { email, name, role } = victim.operator
  const { result } = await inTransaction(api.db, (tx) =>
    actInvite(tx, { email, name, role }, { now, isTrusted: false }),
  )
  now = addMs(now, MINUTE_MS)
  const stranger = atDesk((await openDeskLink(result.token)).cookie)
  expect((await addPasskey(stranger, createAuthenticator(deskOrigin()))).status).toBe(201)
  now = addMs(now, MINUTE_MS)
  const body = { until: '9999-01-01T00:00:00.000Z' }
  const marked = await stranger.send('/session/notices/seen', { ...POST, body })
  expect(marked.status).toBe(204)
  expect((await stranger.send('/session')).json().notices).toEqual([])
  const told = (await victim.desk.send('/session')).json().notices
  expect(told).toContainEqual(expect.objectContaining({ action: 'operators.add_passkey' }))
})

test('notices that are marked as seen until the far future hide nothing of what is done later', async () => {
  const { desk, authenticator } = await addOperator()
  now = addMs(now, 1_000)
  const notices = async () => (await desk.send('/session')).json().notices
  const body = { until: '9999-01-01T00:00:00.000Z' }
  expect((await desk.send('/session/notices/seen', { ...POST, body })).status).toBe(204)
  expect(await notices()).toEqual([])
  now = addMs(now, 1_000)
  await confirm(desk, authenticator)
  expect((await addPasskey(desk, createAuthenticator(deskOrigin()))).status).toBe(201)
  expect(await notices()).toMatchObject([{ action: 'operators.add_passkey' }])
})

test('a link that is opened in its 24th hour confirms nothing 5 seconds later', async () => {
  const attacker = await addOperator()
  const id = await propose(attacker.desk)
  const given = { email: newEmail(), name: 'Real', role: 'admin' } as const
  const { result } = await inTransaction(api.db, (tx) =>
    actInvite(tx, given, { now, isTrusted: false }),
  )
  now = addMs(now, 24 * HOUR_MS - 10_000)
  const { cookie } = await openDeskLink(result.token)
  const authenticator = createAuthenticator(deskOrigin())
  expect((await addPasskey(atDesk(cookie), authenticator)).status).toBe(201)
  now = addMs(now, 5_000)
  const puppet = await signInToDesk(authenticator)
  const refused = await confirmApproval(puppet, id)
  expect([refused.status, refused.json().code]).toEqual([403, 'scope_missing'])
  now = addMs(now, DAY_MS)
  const later = await signInToDesk(authenticator)
  expect((await confirmApproval(later, id)).status).toBe(200)
})

test('a passkey that was added a minute ago counts, wherever it is given within the session', async () => {
  const { desk, authenticator } = await addOperator()
  const proposer = await addOperator()
  const id = await propose(proposer.desk)
  await confirm(desk, authenticator)
  const fresh = createAuthenticator(deskOrigin())
  expect((await addPasskey(desk, fresh)).status).toBe(201)
  expect((await confirm(desk, fresh)).status).toBe(204)
  expect((await confirmApproval(desk, id)).status).toBe(403)
  // A session of the passkey that is held for long is as before.
  expect((await confirmApproval(await signInToDesk(authenticator), id)).status).toBe(200)
})

test('who proposes by a link of a minute ago is not confirmed before a day', async () => {
  const puppet = await addOperator(false)
  const other = await addOperator()
  const id = await propose(puppet.desk)
  expect((await confirmApproval(other.desk, id)).status).toBe(403)
  now = addMs(now, DAY_MS + MINUTE_MS)
  expect((await confirmApproval(await signInToDesk(other.authenticator), id)).status).toBe(200)
})

test('a person refuses a link that was opened in their name: what it opened ends', async () => {
  const victim = await addOperator()
  const { email, name, role } = victim.operator
  const { result } = await inTransaction(api.db, (tx) =>
    actInvite(tx, { email, name, role }, { now, isTrusted: true }),
  )
  const thief = atDesk((await openDeskLink(result.token)).cookie)
  const stolen = createAuthenticator(deskOrigin())
  expect((await addPasskey(thief, stolen)).status).toBe(201)
  await confirm(victim.desk, victim.authenticator)
  expect((await victim.desk.send('/session/refuse-link', POST)).status).toBe(204)
  expect((await thief.send('/session')).status).toBe(401)
  now = addMs(now, 2 * DAY_MS)
  const back = await signInToDesk(victim.authenticator)
  expect((await back.send('/passkeys')).json().items).toHaveLength(1)
})

describe('a link that is refused leaves nothing behind', () => {
  test('also where a second link was opened after it: the first one keeps no passkey', async () => {
    const victim = await addOperator()
    const first = await openAsThief(await linkFor(victim.operator))
    now = addMs(now, MINUTE_MS)
    const second = await openAsThief(await linkFor(victim.operator))
    expect((await confirm(victim.desk, victim.authenticator)).status).toBe(204)
    expect((await victim.desk.send('/session/refuse-link', POST)).status).toBe(204)
    expect((await first.desk.send('/session')).status).toBe(401)
    expect((await second.desk.send('/session')).status).toBe(401)
    const back = await signInToDesk(victim.authenticator)
    expect((await back.send('/passkeys')).json().items).toHaveLength(1)
    expect((await back.send('/session')).json().replaced_at).toBeNull()
  })

  test('who was let in by the first link refuses the second, and what was there before still ends', async () => {
    const person = await addOperator()
    const first = await openAsThief(await linkFor(person.operator))
    const endsAt = addMs(now, DAY_MS)
    now = addMs(now, MINUTE_MS)
    const second = await openAsThief(await linkFor(person.operator))
    await confirm(first.desk, first.authenticator)
    expect((await first.desk.send('/session/refuse-link', POST)).status).toBe(204)
    expect((await second.desk.send('/session')).status).toBe(401)
    expect((await first.desk.send('/session')).json().replaced_at).toBeNull()
    const before = (await person.desk.send('/session')).json()
    expect(before.replaced_at).toBe(endsAt.toISOString())
  })

  test('the proposals that were made meanwhile end, and the tokens of a link of the system user', async () => {
    const victim = await addOperator()
    const other = await addOperator()
    const thief = await openAsThief(await linkFor(victim.operator, true))
    await confirm(thief.desk, thief.authenticator)
    const body = {
      ...{ operator_id: victim.operator.id, name: 'laptop', reason: 'theft' },
      expires_at: addMs(now, 10 * DAY_MS).toISOString(),
    }
    const made = await thief.desk.send('/tokens', { ...POST, body })
    const { token } = made.json()
    expect((await operators.send('/me', { token })).status).toBe(200)
    const id = await propose(thief.desk)
    await confirm(victim.desk, victim.authenticator)
    expect((await victim.desk.send('/session/refuse-link', POST)).status).toBe(204)
    expect((await operators.send('/me', { token })).status).toBe(401)
    now = addMs(now, DAY_MS + MINUTE_MS)
    const refused = await confirmApproval(await signInToDesk(other.authenticator), id)
    expect([refused.status, refused.json().code]).toEqual([409, 'approval_not_open'])
  })
})

describe('a link that someone has kept', () => {
  test('opens nothing once its person can sign in without it', async () => {
    const email = newEmail()
    const kept = await linkFor({ email, name: 'Bob', role: 'admin' })
    const identity = { subject: `subject of ${email}`, email, isEmailVerified: true }
    const signIn = { people: LENDER, former: undefined, isFresh: false }
    await inTransaction(api.db, (tx) =>
      signInByIdentity(tx, { ...identity, authenticatedAt: undefined }, signIn, { now }),
    )
    const { answer } = await openDeskLink(kept)
    expect([answer.status, answer.json().code]).toEqual([401, 'link_invalid'])
  })
})

test('who signs in while a new link is opened has a session that the link replaces', async () => {
  const person = await addOperator()
  const token = await linkFor(person.operator)
  const key = { ...LENDER, personId: person.operator.id }
  const signedIn = await inTransaction(api.db, async (tx) => {
    await lockPerson(tx, key)
    const signIn = signInToDesk(person.authenticator)
    // Until it waits for the person.
    await new Promise((resolve) => setTimeout(resolve, 1_000))
    await redeem(tx, 'lender', token, { now, allowsLinks: false })
    return { signIn }
  })
  const session = (await (await signedIn.signIn).send('/session')).json()
  expect(session.replaced_at).toBe(addMs(now, DAY_MS).toISOString())
})

test('a stolen session and a token confirm neither a link nor a key', async () => {
  const proposer = await addOperator()
  const victim = await addOperator()
  const second = await addOperator()
  const { token } = await operators.addOperator('admin')
  await confirm(proposer.desk, proposer.authenticator)
  const path = `/operators/${victim.operator.id}/invitation`
  const made = await proposer.desk.send(path, { ...POST, body: { reason: 'lost the phone' } })
  const id = made.json().approval_id
  expect((await confirmApproval(second.desk, id)).json().code).toBe('passkey_required')
  const byToken = await operators.send(`/approvals/${id}/confirm`, { ...POST, token })
  expect(byToken.json().code).toBe('session_required')
  await confirm(second.desk, second.authenticator)
  expect((await confirmApproval(second.desk, id)).json().invitation_url).toContain('#token=')
})

describe("an operator at a tenant's door", () => {
  test("a link into a tenant's console takes two operators and stands in the tenant's record", async () => {
    const tenant = await api.addTenant()
    const cfo = await addTenantPerson(tenant.id)
    const { desk, authenticator } = await addOperator()
    await confirm(desk, authenticator)
    const body = { email: 'new@example.com', name: 'New', role: 'admin', reason: 'asked' }
    const made = await desk.send(`/tenants/${tenant.id}/people`, { ...POST, body })
    expect(made.json()).toMatchObject({ outcome: 'proposed', invitation_url: null, person: null })
    const second = await addOperator()
    await confirm(second.desk, second.authenticator)
    const confirmed = await confirmApproval(second.desk, made.json().approval_id)
    expect(confirmed.json().invitation_url).toContain('/console/#token=')
    const actions = (await cfo.browser.send('GET', '/console/api/actions')).json().items
    expect(actions[0]).toMatchObject({ action: 'invitePerson', person: null })
  })

  test("it never replaces a person's credentials, by whomever", async () => {
    const tenant = await api.addTenant()
    const cfo = await addTenantPerson(tenant.id)
    const { desk, authenticator } = await addOperator()
    await confirm(desk, authenticator)
    const { email, name, role } = cfo.person
    const body = { email, name, role, reason: 'lost the phone' }
    const refused = await desk.send(`/tenants/${tenant.id}/people`, { ...POST, body })
    expect([refused.status, refused.json().code]).toEqual([409, 'already_exists'])
    expect((await cfo.browser.send('GET', '/console/api/session')).status).toBe(200)
  })
})

describe('a thief of a session', () => {
  test('does nothing in the console that outlives it, and the person may for five minutes', async () => {
    const tenant = await api.addTenant()
    const { browser, authenticator, person } = await addTenantPerson(tenant.id)
    now = addMs(now, 6 * MINUTE_MS)
    const attempts = () =>
      [
        [
          'POST',
          '/console/api/keys',
          { name: 'k', public_key_pem: 'x', scopes: ['borrower:read'] },
        ],
        ['POST', '/console/api/keys/key_01m7vssyfde8js5xf2gf4d71jy/revoke', undefined],
        ['POST', '/console/v1/webhooks/secrets', undefined],
        ['POST', '/console/v1/webhooks', { url: 'https://thief.example.com/hook' }],
        ['DELETE', '/console/v1/webhooks/whk_01m7vssyfde8js5xf2gf4d71jy', undefined],
        ['POST', '/console/api/people', { email: 'thief@example.com', name: 'T', role: 'admin' }],
        ['POST', `/console/api/people/${person.id}/invitation`, undefined],
        ['PATCH', `/console/api/people/${person.id}`, { role: 'viewer' }],
        ['DELETE', `/console/api/people/${person.id}`, undefined],
        ['DELETE', '/console/api/passkeys/psk_01m7vssyfde8js5xf2gf4d71jy', undefined],
        ['POST', '/console/api/session/refuse-link', undefined],
      ] as const
    const codesOf = async () => {
      const codes: (string | undefined)[] = []
      for (const [method, path, body] of attempts()) {
        const answer = await browser.send(method, path, body === undefined ? {} : { body })
        codes.push(answer.text === '' ? undefined : answer.json().code)
      }
      return codes
    }
    expect(new Set(await codesOf())).toEqual(new Set(['passkey_required']))
    const thief = createAuthenticator(api.resources.config.console.origin)
    expect((await addConsolePasskey(browser, thief)).json().code).toBe('passkey_required')
    expect((await confirmConsole(browser, authenticator)).status).toBe(204)
    expect(await codesOf()).not.toContain('passkey_required')
    // What was begun in those minutes is not ended after them.
    now = addMs(now, 4 * MINUTE_MS)
    const options = (await browser.send('POST', '/console/api/passkeys/options')).json()
    now = addMs(now, MINUTE_MS)
    const body = { response: thief.create(options), name: 'Late' }
    const late = await browser.send('POST', '/console/api/passkeys', { body })
    expect(late.json().code).toBe('passkey_required')
  })

  test('does nothing at the desk that outlives it; a token does none of it at all', async () => {
    const { desk, operator } = await addOperator()
    const { token } = await operators.addOperator('admin')
    now = addMs(now, 6 * MINUTE_MS)
    const person = { email: 'thief@lender.example', name: 'T', role: 'admin' }
    const expiresAt = addMs(now, HOUR_MS).toISOString()
    for (const [method, path, body] of attemptsOf(operator, person, expiresAt)) {
      const bySession = await desk.send(path, { method, body })
      expect([path, bySession.json().code]).toEqual([path, 'passkey_required'])
      const byToken = await operators.send(path, { method, body, token })
      expect([path, byToken.json().code]).toEqual([path, 'session_required'])
    }
  })

  test('a first passkey is added within five minutes of the link alone', async () => {
    const tenant = await api.addTenant()
    const member = { email: 'late@example.com', name: 'Late', role: 'viewer' } as const
    const { token } = await inTransaction(api.db, (tx) =>
      inviteToTenant(tx, tenant.id, member, now),
    )
    const browser = openBrowser(api)
    await browser.send('POST', '/console/api/session/link', { body: { token } })
    now = addMs(now, 5 * MINUTE_MS)
    const authenticator = createAuthenticator(api.resources.config.console.origin)
    expect((await addConsolePasskey(browser, authenticator)).json().code).toBe('passkey_required')
  })
})

function attemptsOf(operator: Operator, person: object, expiresAt: string) {
  const reason = 'theft'
  return [
    ['POST', '/operators', person],
    ['POST', `/operators/${operator.id}/invitation`, { reason }],
    ['PATCH', `/operators/${operator.id}`, { role: 'viewer' }],
    ['POST', `/operators/${operator.id}/remove`, { reason }],
    ['POST', '/tokens', { operator_id: operator.id, name: 'thief', expires_at: expiresAt }],
    ['POST', '/tokens/opt_01m7vssyfde8js5xf2gf4d71jy/revoke', { reason }],
    ['POST', `/tenants/${api.tenant.id}/people`, { ...person, reason }],
    ['POST', `/tenants/${api.tenant.id}/people/per_01m7vssyfde8js5xf2gf4d71jy/remove`, { reason }],
    ['POST', `/tenants/${api.tenant.id}/keys/${api.tenant.keyId}/revoke`, { reason }],
  ] as const
}
