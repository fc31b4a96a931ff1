import { expect, test } from 'vitest'
import { createClient } from '../../../src/client/client.ts'
import { generateKeyPair } from '../../../src/domain/auth/public-key.ts'
import { apiForFile, startTestApi, type TestResponse } from '../../support/api/api.ts'
import { createAuthenticator } from '../../support/api/authenticator.ts'
import { type Browser, type SignedIn, signIn } from '../../support/api/console.ts'
import { expectProblem } from '../../support/api/expect-problem.ts'
import { waitFor } from '../../support/process/patience.ts'

const api = apiForFile({ constants: { maxActiveKeys: 5, keyCacheSeconds: 1 } })

/** A person of a tenant of their own, so that keys of other tests do not count. */
async function start(): Promise<SignedIn> {
  return await signIn(api, { role: 'developer', tenantId: (await api.addTenant()).id })
}

async function addPasskey(browser: Browser) {
  const authenticator = createAuthenticator(api.resources.config.console.origin)
  const options = (await browser.send('POST', '/console/api/passkeys/options')).json()
  const body = { response: authenticator.create(options), name: 'Laptop' }
  expect((await browser.send('POST', '/console/api/passkeys', { body })).status).toBe(201)
  return authenticator
}

function register(browser: Browser, given: object = {}): Promise<TestResponse> {
  const { publicKeyPem } = generateKeyPair()
  const body = { name: 'desk', public_key_pem: publicKeyPem, scopes: ['borrower:read'], ...given }
  return browser.send('POST', '/console/api/keys', { body })
}

test('a key names the person who made it, after their removal too, and one from elsewhere no one', async () => {
  const maker = await start()
  const { tenantId } = maker
  const made = (await register(maker)).json()
  expect(made.made_by).toBe(maker.personId)
  const admin = await signIn(api, { tenantId })
  const other = (await register(admin, { name: 'other' })).json()
  expect((await admin.send('DELETE', `/console/api/people/${maker.personId}`)).status).toBe(204)
  const { items } = (await admin.send('GET', '/console/api/keys')).json()
  const makers = items.map(({ id, made_by }: { id: string; made_by: string }) => [id, made_by])
  expect(makers.slice(0, 2)).toEqual([
    [other.id, admin.personId],
    [made.id, maker.personId],
  ])
  expect(makers.slice(2)).toEqual([[expect.any(String), null]])
})

test('a key made in the console signs requests from outside until it is revoked with a passkey', async () => {
  const browser = await start()
  const authenticator = await addPasskey(browser)
  const { privateKeyPem, publicKeyPem } = generateKeyPair()
  const made = await register(browser, { public_key_pem: publicKeyPem })
  expect(made.status).toBe(201)
  const { id, fingerprint } = made.json()
  expect(fingerprint).toMatch(/^sha256:[0-9a-f]{64}$/)

  const { baseUrl } = api
  const client = createClient({ baseUrl, keyId: id, privateKeyPem, maxAttempts: 1 })
  await expect(client.listDocuments()).resolves.toHaveLength(1)
  await expect(client.listWebhooks()).rejects.toMatchObject({ code: 'scope_missing' })
  const readKey = async () => {
    const { items } = (await browser.send('GET', '/console/api/keys')).json()
    return items.find((key: { id: string }) => key.id === id)
  }
  await waitFor(async () => expect((await readKey()).last_used_at).not.toBeNull())

  const options = await browser.send('POST', `/console/api/keys/${id}/revoke/options`)
  const body = { response: authenticator.get(options.json()) }
  const revoked = await browser.send('POST', `/console/api/keys/${id}/revoke`, { body })
  expect(revoked.json()).toMatchObject({ id, state: 'revoked' })
  const use = () => client.listDocuments()
  const refused = () => expect(use()).rejects.toMatchObject({ code: 'signature_invalid' })
  await waitFor(refused, { timeout: 5_000 })
})

test('the same public key is registered once', async () => {
  const browser = await start()
  const { publicKeyPem } = generateKeyPair()
  const given = { public_key_pem: publicKeyPem }
  expect((await register(browser, given)).status).toBe(201)
  expectProblem(await register(browser, given), 409, 'already_exists')
})

test('what was registered is recorded once, with who did it', async () => {
  const browser = await start()
  const { id, fingerprint } = (await register(browser)).json()
  const { items } = (await browser.send('GET', '/console/api/actions')).json()
  const after = { name: 'desk', fingerprint, scopes: ['borrower:read'], expires_at: null }
  expect(items).toMatchObject([
    { action: 'createKey', subject_id: id, after, person: { id: browser.personId } },
    { action: 'signIn' },
  ])
})

test('a retry under its idempotency key gets the same key', async () => {
  const browser = await start()
  const { publicKeyPem } = generateKeyPair()
  const body = { name: 'desk', public_key_pem: publicKeyPem, scopes: ['borrower:read'] }
  const idempotencyKey = crypto.randomUUID()
  const send = () => browser.send('POST', '/console/api/keys', { body, idempotencyKey })
  const first = await send()
  const second = await send()
  expect(second.json()).toEqual(first.json())
  expect(second.headers['idempotent-replayed']).toBe('true')
})

test('a sixth active key is refused', async () => {
  const browser = await start()
  // The tenant was made with one.
  for (let more = 1; more < 5; more += 1) expect((await register(browser)).status).toBe(201)
  expectProblem(await register(browser), 409, 'limit_reached')
})

test.each([
  ['no scope', { scopes: [] }],
  ['a scope of the console', { scopes: ['person:write'] }],
  ['a private key', { public_key_pem: generateKeyPair().privateKeyPem }],
  ['no key', { public_key_pem: 'nonsense' }],
  ['an expiry that has passed', { expires_at: '2020-01-01T00:00:00Z' }],
  ['an unknown member', { label: 'x' }],
])('a key with %s is refused', async (_name, given) => {
  expectProblem(await register(await start(), given), 422, 'validation_failed')
})

test('a viewer sees keys and makes none', async () => {
  const viewer = await signIn(api, { role: 'viewer' })
  expect((await viewer.send('GET', '/console/api/keys')).json().items).toHaveLength(1)
  const problem = expectProblem(await register(viewer), 403, 'scope_missing')
  expect(problem.required_scope).toBe('key:write')
})

test('a key stays without a passkey', async () => {
  const browser = await signIn(api, { isConfirmed: false, tenantId: (await api.addTenant()).id })
  const [{ id }] = (await browser.send('GET', '/console/api/keys')).json().items
  const revoke = () => browser.send('POST', `/console/api/keys/${id}/revoke`)
  const options = await browser.send('POST', '/console/api/session/confirmation/options')
  expectProblem(options, 403, 'passkey_required')
  expectProblem(await revoke(), 403, 'passkey_required')
  expect((await browser.send('GET', '/console/api/keys')).json().items[0].state).toBe('active')
})

test("another tenant's key is unknown, and stays", async () => {
  const browser = await start()
  const { keyId } = api.tenant
  const answer = await browser.send('POST', `/console/api/keys/${keyId}/revoke`)
  expectProblem(answer, 404, 'not_found')
  expect((await api.tenant.send('GET', '/v1/documents')).status).toBe(200)
})

test('on a local stack the link is enough until there is a passkey', async () => {
  await using local = await startTestApi({ env: { CONSOLE: 'local' } })
  const path = `/console/api/keys/${local.tenant.keyId}/revoke`
  const browser = await signIn(local, { signedInBy: 'link', isConfirmed: false })
  const revoke = () => browser.send('POST', path)
  const byPasskey = await signIn(local, { isConfirmed: false })
  expectProblem(await byPasskey.send('POST', path), 403, 'passkey_required')
  expect((await revoke()).json()).toMatchObject({ state: 'revoked' })
  expectProblem(await revoke(), 404, 'not_found')
})
