import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { apiForFile, type TestTenant } from '../support/api/api.ts'
import { type SignedIn, signIn } from '../support/api/console.ts'
import { expectProblem } from '../support/api/expect-problem.ts'
import { waitFor } from '../support/process/patience.ts'

const SECRETS = '/v1/webhooks/secrets'

const api = apiForFile()
let tenant: TestTenant
let admin: SignedIn
beforeAll(async () => {
  tenant = await api.addTenant()
  admin = await signIn(api, { tenantId: tenant.id })
})

async function readActs() {
  const { items } = (await admin.send('GET', '/console/api/actions')).json()
  return items.filter(({ action }: { action: string }) => action !== 'signIn')
}

test('a signing secret that a key has made is shown again to that key alone, which is recorded', async () => {
  const idempotencyKey = randomUUID()
  const made = await tenant.send('POST', SECRETS, { idempotencyKey })
  expect(made.status).toBe(201)
  const other = await tenant.addKey()
  const stolen = await other.send('POST', SECRETS, { idempotencyKey })
  expectProblem(stolen, 409, 'secret_not_retrievable')
  expect(stolen.text).not.toContain('whsec_')
  expect(await readActs()).toEqual([])

  const again = await tenant.send('POST', SECRETS, { idempotencyKey })
  expect(again).toMatchObject({ status: 201, text: made.text })
  expect(await readActs()).toMatchObject([
    {
      action: 'showSecretAgain',
      key_id: tenant.keyId,
      person: null,
      subject_id: expect.stringMatching(/^sec_/),
      request_id: again.headers['x-svc-request-id'],
    },
  ])
})

test('a signing secret that a person has made in the console is shown again to that person alone, which is recorded', async () => {
  const idempotencyKey = randomUUID()
  const send = (person: SignedIn) => person.send('POST', `/console${SECRETS}`, { idempotencyKey })
  const made = await send(admin)
  expect(made.status).toBe(201)
  const colleague = await signIn(api, { tenantId: tenant.id, role: 'developer' })
  const stolen = await send(colleague)
  expectProblem(stolen, 409, 'secret_not_retrievable')
  expect(stolen.text).not.toContain('whsec_')

  expect((await send(admin)).text).toBe(made.text)
  expect((await readActs()).slice(0, 2)).toMatchObject([
    { action: 'showSecretAgain', key_id: null, person: { id: admin.personId } },
    { action: 'createSigningSecret', key_id: null, person: { id: admin.personId } },
  ])
})

test('the request log shows the idempotency key of a secret’s creation neither of a success nor of a refusal', async () => {
  const [idempotencyKey, refusedKey] = [randomUUID(), randomUUID()]
  await tenant.send('POST', SECRETS, { idempotencyKey })
  const signature = `${'A'.repeat(86)}==`
  const forged = { idempotencyKey: refusedKey, headers: { 'x-svc-signature': signature } }
  expectProblem(await tenant.send('POST', SECRETS, forged), 401, 'signature_invalid')
  const typed = { idempotencyKey: refusedKey, body: { mine: true } }
  expectProblem(await tenant.send('POST', SECRETS, typed), 422, 'validation_failed')
  const readLog = async () => {
    const query = `path=${encodeURIComponent(SECRETS)}&limit=3`
    return (await admin.send('GET', `/console/api/requests?${query}`)).json().items
  }
  await waitFor(async () => expect((await readLog())[0]).toMatchObject({ status: 422 }))
  const listed = await readLog()
  const details = await Promise.all(
    listed.map(async ({ id }: { id: string }) =>
      (await admin.send('GET', `/console/api/requests/${id}`)).json(),
    ),
  )
  expect(details.map(({ status }) => status)).toEqual([422, 401, 201])
  const shown = JSON.stringify([listed, details])
  expect(shown).not.toContain(idempotencyKey)
  expect(shown).not.toContain(refusedKey)
})
