import { afterAll, beforeAll, expect, test } from 'vitest'
import { generateKeyPair } from '../../src/domain/auth/public-key.ts'
import { startTestApi, type TestApi } from '../support/api/api.ts'
import { openBrowser, signIn } from '../support/api/console.ts'
import { type OperatorApi, openOperatorApi } from '../support/api/operators.ts'
import { createDatabaseCli } from './database-cli.ts'

let api: TestApi
let operators: OperatorApi
let cli: ReturnType<typeof createDatabaseCli>
beforeAll(async () => {
  api = await startTestApi()
  operators = await openOperatorApi(api)
  cli = createDatabaseCli(api.resources.config.databaseUrl)
})
afterAll(async () => {
  await operators[Symbol.asyncDispose]()
  await api[Symbol.asyncDispose]()
})

type Invited = { id: string; role: string; invitation_url: string }

const env = { PUBLIC_URL: 'https://api.example.com' }
const invite = (email: string, role: string) =>
  cli.read<Invited>(
    ['console', 'invite', '--tenant', api.tenant.id, '--email', email, '--role', role],
    { env },
  )

const open = (url: string) =>
  openBrowser(api).send('POST', '/console/api/session/link', {
    body: { token: url.split('#token=')[1] },
  })

test('the operator invites the first admin by a link that opens once', async () => {
  const invited = await invite('Ada@example.com', 'admin')
  expect(invited.invitation_url).toMatch(/^https:\/\/api\.example\.com\/console\/#token=ten_/)
  const opened = await open(invited.invitation_url)
  expect(opened.json()).toMatchObject({
    ...{ signed_in_by: 'invitation', must_add_passkey: true },
    person: { id: invited.id, email: 'ada@example.com', role: 'admin' },
  })
  expect((await open(invited.invitation_url)).status).toBe(401)
})

test('a second invitation is for the same person, ends the first, and sets the role', async () => {
  const first = await invite('grace@example.com', 'viewer')
  const second = await invite('grace@example.com', 'developer')
  expect(second).toMatchObject({ id: first.id, role: 'developer' })
  expect((await open(first.invitation_url)).status).toBe(401)
  expect((await open(second.invitation_url)).json()).toMatchObject({
    person: { role: 'developer' },
  })
})

test('an invitation without an address to open it at is refused', async () => {
  const command = ['console', 'invite', '--tenant', api.tenant.id]
  const refused = await cli.run([...command, '--email', 'x@example.com', '--role', 'viewer'])
  expect(refused).toMatchObject({ exitCode: 1, error: expect.stringContaining('PUBLIC_URL') })
})

test('the operator is shown the keys that a removed person made, which are revoked next', async () => {
  const person = await signIn(api, { role: 'developer' })
  const body = {
    ...{ name: 'billing', public_key_pem: generateKeyPair().publicKeyPem },
    scopes: ['borrower:read'],
  }
  const { id: keyId } = (await person.send('POST', '/console/api/keys', { body })).json()
  const { token } = await operators.addOperator('viewer')
  const path = `/tenants/${api.tenant.id}/keys`
  const listed = (await operators.send(path, { token })).json().items
  expect(listed.filter((key: { made_by: string }) => key.made_by === person.personId)).toEqual([
    expect.objectContaining({ id: keyId, state: 'active' }),
  ])
  const shown = await cli.show(`console remove ${person.personId} --tenant ${api.tenant.id}`)
  const command = `keys revoke ${keyId} --tenant ${api.tenant.id}`
  expect(shown).toContain(`They made the key billing, which goes on working.`)
  expect(shown).toContain(command)
  expect(await cli.show(command)).toContain('is revoked')
})

test('the operator sees the people of a tenant and signs one out everywhere, recorded as the operator’s', async () => {
  const person = await signIn(api)
  const { items: people } = await cli.read<{ items: { id: string }[] }>(
    `console people --tenant ${api.tenant.id}`,
  )
  expect(people.map(({ id }) => id)).toContain(person.personId)
  const end = `console sessions end ${person.personId} --tenant ${api.tenant.id}`
  expect(await cli.read<object>(end)).toEqual({ id: person.personId, sessions_ended: 1 })
  expect((await person.send('GET', '/console/api/session')).status).toBe(401)
  const admin = await signIn(api)
  const { items } = (await admin.send('GET', '/console/api/actions')).json()
  expect(items[1]).toMatchObject({
    ...{ person: null, action: 'signOutEverywhere', subject_id: person.personId },
  })
})
