import { describe, expect, test } from 'vitest'
import { addMs, DAY_MS } from '../../../src/core/time.ts'
import { inTransaction } from '../../../src/db/database.ts'
import { LENDER } from '../../../src/db/sql/people-tables.ts'
import { actInvite } from '../../../src/domain/operators/people-acts.ts'
import type { OperatorRole } from '../../../src/domain/operators/roles.ts'
import { inviteLocally } from '../../../src/domain/people/people.ts'
import { createTestBorrower } from '../../support/api/api.ts'
import { createAuthenticator } from '../../support/api/authenticator.ts'
import { operatorApiForFile, type Sent } from '../../support/api/operators.ts'
import { inviteOperator } from '../../support/people.ts'

let now = new Date()
const { api, operators } = operatorApiForFile({ clock: () => now })

const own = () => api.resources.config.desk.origin
const POST = { method: 'POST' } as const
const fromDesk = (sent: Sent = {}): Sent => ({
  ...sent,
  headers: { origin: own(), ...sent.headers },
})

let count = 0
async function invite(role: OperatorRole = 'admin') {
  count += 1
  const email = `person${count}@lender.example`
  return await inTransaction(api.db, async (tx) => {
    return await inviteOperator(tx, { email, name: 'Ada', role }, now)
  })
}

const open = (token: string) =>
  operators.send('/session/link', fromDesk({ ...POST, body: { token } }))

const cookieOf = (answer: Awaited<ReturnType<typeof open>>) =>
  /__Host-desk=([^;]+)/.exec(String(answer.headers['set-cookie']))?.[1] ?? ''

const send = (cookie: string, path: string, sent: Sent = {}) =>
  operators.send(path, { ...sent, cookie })

/** Invited, with a passkey of their own. */
async function signUp(role: OperatorRole = 'admin') {
  const { operator, token } = await invite(role)
  const cookie = cookieOf(await open(token))
  const authenticator = createAuthenticator(own())
  const options = (await send(cookie, '/passkeys/options', POST)).json()
  const response = authenticator.create(options)
  const added = await send(cookie, '/passkeys', { ...POST, body: { response, name: 'Laptop' } })
  expect(added.status).toBe(201)
  return { operator, cookie, authenticator }
}

async function confirm(cookie: string, authenticator: ReturnType<typeof createAuthenticator>) {
  const options = (await send(cookie, '/session/confirmation/options', POST)).json()
  const body = { response: authenticator.get(options) }
  expect((await send(cookie, '/session/confirmation', { ...POST, body })).status).toBe(204)
}

describe('an invitation', () => {
  test('signs in once, and nothing but a passkey can be added then', async () => {
    const { token } = await invite()
    const first = await open(token)
    expect(first.json()).toMatchObject({ must_add_passkey: true, signed_in_by: 'invitation' })
    const cookie = cookieOf(first)
    const refused = await send(cookie, '/actions')
    expect([refused.status, refused.json().code]).toEqual([403, 'passkey_required'])
    const again = await open(token)
    expect([again.status, again.json().code]).toEqual([401, 'link_invalid'])
  })

  test('made again ends the former, and a day later what they had, if it is opened', async () => {
    const { operator, cookie, authenticator } = await signUp()
    const first = await inTransaction(api.db, (tx) =>
      actInvite(tx, operator, { now, isTrusted: false }),
    )
    const second = await inTransaction(api.db, (tx) =>
      actInvite(tx, operator, { now, isTrusted: false }),
    )
    expect((await open(first.result.token)).status).toBe(401)
    expect((await send(cookie, '/me')).status).toBe(200)
    expect((await open(second.result.token)).json()).toMatchObject({ passkeys: 0 })
    expect((await send(cookie, '/me')).status).toBe(200)
    const before = now
    now = addMs(now, DAY_MS)
    expect((await send(cookie, '/me')).json()).toMatchObject({ code: 'session_required' })
    const options = (await operators.send('/session/passkey/options', fromDesk(POST))).json()
    const response = authenticator.get(options)
    const refused = await operators.send(
      '/session/passkey',
      fromDesk({ ...POST, body: { response } }),
    )
    expect(refused.json()).toMatchObject({ code: 'passkey_invalid' })
    now = before
  })

  test('of a local stack opens nothing elsewhere', async () => {
    const token = await inTransaction(api.db, (tx) => inviteLocally(tx, LENDER, now))
    expect((await open(token)).json()).toMatchObject({ code: 'link_invalid' })
  })
})

describe('a passkey', () => {
  test('signs in again, and the former session of the browser ends', async () => {
    const { cookie, authenticator, operator } = await signUp()
    const options = (await send(cookie, '/session/passkey/options', POST)).json()
    const response = authenticator.get(options)
    const answer = await send(cookie, '/session/passkey', { ...POST, body: { response } })
    expect(answer.json()).toMatchObject({
      ...{ signed_in_by: 'passkey', must_add_passkey: false, passkeys: 1 },
      person: { id: operator.id },
      build: api.resources.build,
    })
    expect((await send(cookie, '/session')).json()).toMatchObject({ code: 'session_required' })
    expect((await send(cookieOf(answer), '/session')).status).toBe(200)
    const replayed = await send(cookie, '/session/passkey', { ...POST, body: { response } })
    expect(replayed.json()).toMatchObject({ code: 'passkey_invalid' })
  })

  test('is asked for before another passkey, an invitation and a token', async () => {
    const { cookie, authenticator, operator } = await signUp()
    const invitation = { email: 'new@lender.example', name: 'New', role: 'viewer' }
    const expires = addMs(now, DAY_MS).toISOString()
    const token = { operator_id: operator.id, name: 'stolen', expires_at: expires }
    for (const [path, body] of [
      ['/passkeys/options', undefined],
      ['/operators', invitation],
      [`/operators/${operator.id}/invitation`, { reason: 'lost' }],
      ['/tokens', token],
    ] as const) {
      const refused = await send(cookie, path, { ...POST, body })
      expect([path, refused.status, refused.json().code]).toEqual([path, 403, 'passkey_required'])
    }
    await confirm(cookie, authenticator)
    const invited = await send(cookie, '/operators', { ...POST, body: invitation })
    expect(invited.status).toBe(201)
    expect(invited.json().invitation_url).toMatch(`${own()}/desk/#token=opi.`)
  })
})

describe('a session', () => {
  test('ends when it is signed out, everywhere, and when its operator is removed', async () => {
    const [first, second, third] = [await signUp(), await signUp(), await signUp()]
    const signedOut = await send(first.cookie, '/session', { method: 'DELETE' })
    expect(signedOut.status).toBe(204)
    expect(String(signedOut.headers['set-cookie'])).toMatch(/^__Host-desk=; Max-Age=0;/)
    await send(second.cookie, '/sessions', { method: 'DELETE' })
    const removal = { ...POST, body: { reason: 'left' } }
    const { cookie, authenticator } = await signUp()
    await confirm(cookie, authenticator)
    expect((await send(cookie, `/operators/${third.operator.id}/remove`, removal)).status).toBe(204)
    for (const ended of [first, second, third]) {
      expect((await send(ended.cookie, '/me')).json()).toMatchObject({ code: 'session_required' })
    }
  })

  test('is stored as a hash, in a cookie for this host alone, and on record', async () => {
    const { token, operator } = await invite()
    const answer = await open(token)
    const [given] = [answer.headers['set-cookie']].flat()
    expect(given).toMatch(
      /^__Host-desk=ops\.[\w-]{43}; Max-Age=604800; Path=\/; Secure; HttpOnly; SameSite=Strict$/,
    )
    const rows = await api.db.selectFrom('operator_sessions').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain(cookieOf(answer))
    const { token: bearer } = await operators.addOperator('viewer')
    const path = `/actions?subject_id=${operator.id}`
    const { items } = (await operators.send(path, { token: bearer })).json()
    expect(items[0]).toMatchObject({ action: 'operators.sign_in', actor: operator.email })
  })

  test('has the role as it is at each request, and what it does is recorded under its operator', async () => {
    const { cookie, operator } = await signUp('viewer')
    const borrowerId = await createTestBorrower(api.tenant)
    const path = `/tenants/${api.tenant.id}/borrowers/${borrowerId}/block`
    const body = { reason: 'order' }
    const refused = await send(cookie, path, { ...POST, body })
    expect([refused.status, refused.json().code]).toEqual([403, 'scope_missing'])
    const admin = await signUp()
    await confirm(admin.cookie, admin.authenticator)
    const change = { method: 'PATCH', body: { role: 'risk', reason: 'new duties' } } as const
    expect((await send(admin.cookie, `/operators/${operator.id}`, change)).status).toBe(200)
    const done = await send(cookie, path, { ...POST, body })
    const { items } = (await send(cookie, `/actions?subject_id=${borrowerId}`)).json()
    expect(items).toMatchObject([
      {
        ...{ actor: operator.email, operator_id: operator.id, action: 'borrowers.block' },
        request_id: done.headers['x-svc-request-id'],
      },
    ])
  })
})

describe('another site', () => {
  test.each([
    ['another origin', { origin: 'https://evil.example' }],
    ['another port of this machine', { origin: 'http://localhost:8080' }],
    ['a null origin', { origin: 'null' }],
    ['a site that the browser reports', { 'sec-fetch-site': 'same-site' }],
    ['a name that leads here', { host: 'rebound.example:9090' }],
  ])('changes nothing by %s', async (_what, headers) => {
    const { cookie } = await signUp()
    const borrowerId = await createTestBorrower(api.tenant)
    const path = `/tenants/${api.tenant.id}/borrowers/${borrowerId}/block`
    const answer = await send(cookie, path, { ...POST, body: { reason: 'order' }, headers })
    expect([answer.status, answer.json().code]).toEqual([403, 'cross_origin'])
    const { token } = await invite()
    const link = await operators.send(
      '/session/link',
      fromDesk({ ...POST, body: { token }, headers }),
    )
    expect(link.json()).toMatchObject({ code: 'cross_origin' })
    expect((await open(token)).status).toBe(200)
  })

  test('changes nothing without an origin, and a token needs none', async () => {
    const { cookie } = await signUp()
    const answer = await operators.server.inject({
      ...{ method: 'DELETE', url: '/operator/v1/sessions' },
      headers: { host: new URL(own()).host, cookie: `__Host-desk=${cookie}` },
    })
    expect(answer.json()).toMatchObject({ code: 'cross_origin' })
    const { token } = await operators.addOperator('admin')
    const sent = { token, ...POST, body: { topic: 'evaluate-borrower', reason: 'again' } }
    const headers = { host: 'tools.internal', origin: 'https://tools.example' }
    expect((await operators.send('/work/retry', { ...sent, headers })).status).toBe(200)
  })
})
