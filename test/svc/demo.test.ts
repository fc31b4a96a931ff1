import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { verifyWebhook } from '../../src/client/verify-webhook.ts'
import { makeSecret, readKeptSecret } from '../../src/svc/listen/webhook-secret.ts'
import { startTestApi, type TestApi } from '../support/api/api.ts'
import { startEndpoint } from '../support/servers/endpoint.ts'
import { createSvc } from './svc-program.ts'

let api: TestApi
let svc: ReturnType<typeof createSvc>
beforeAll(async () => {
  api = await startTestApi()
  svc = createSvc(api)
})
afterAll(async () => {
  svc[Symbol.dispose]()
  await api[Symbol.asyncDispose]()
})

test('the demo uses the secret that other receivers have, and removes its webhook when it ends', async () => {
  await using endpoint = await startEndpoint()
  const { client } = api.tenant
  const { secret } = await makeSecret(client, keptFor())
  const webhookId = await client.registerWebhook({ url: endpoint.url })

  // No worker runs here: it waits for an event that does not come.
  const demo = startDemo()
  await until(demo, 'Signature')
  for (let sent = 0; sent < 2; sent += 1) demo.kill('SIGHUP')
  expect(await once(demo, 'exit')).toEqual([1, null])

  await svc.read('trigger', 'facility.closed')
  const [{ rawBody = '', headers = {} } = {}] = endpoint.seen
  expect(verifyWebhook({ rawBody, headers, secret, now: new Date() }).ok).toBe(true)
  expect((await client.listWebhooks()).map(({ id }) => id)).toEqual([webhookId])
  await client.deleteWebhook(webhookId)
})

test('the demo keeps the secret that it makes, and names the receivers that need it', async () => {
  const tenant = await api.addTenant()
  using fresh = createSvc({ ...api, tenant })
  const url = 'http://127.0.0.1:9/'
  await tenant.client.registerWebhook({ url })
  const demo = startDemo(fresh.folder)
  const printed = await until(demo, 'Webhook')
  expect(printed).toContain(
    `The signing secret is replaced: give the new one to what receives at ${url}`,
  )
  demo.kill('SIGINT')
  await once(demo, 'exit')
  expect(readKeptSecret(keptFor(fresh.folder, tenant))).toMatch(/^whsec_/)
})

test.each([
  ['was replaced elsewhere', true],
  ['is not kept', false],
])('the demo makes no new secret where the one in force %s, and prints that', async (_, isKept) => {
  await using endpoint = await startEndpoint()
  const { client } = api.tenant
  using fresh = createSvc(api)
  if (isKept) await makeSecret(client, keptFor(fresh.folder))
  const secret = await client.createSigningSecret()
  const webhookId = await client.registerWebhook({ url: endpoint.url })
  const demo = startDemo(fresh.folder)
  const printed = await until(demo, 'Signature')
  expect(printed).toContain('Deliveries are signed with a secret that is not known here.')
  expect(printed).toContain('SVC_WEBHOOK_SECRET')
  // What tried the secret is gone again; the demo's own webhook is there, and takes deliveries.
  const labels = (await client.listWebhooks()).map(({ label }) => label)
  expect(labels).toHaveLength(2)
  expect(labels).toEqual(expect.arrayContaining(['npm run demo', undefined]))
  const own = (await client.listWebhooks()).find(({ label }) => label === 'npm run demo')
  await fresh.read('trigger', 'facility.closed', '--webhook', own?.id ?? '')
  await fresh.read('trigger', 'facility.closed', '--webhook', webhookId)
  const [{ rawBody = '', headers = {} } = {}] = endpoint.seen
  expect(verifyWebhook({ rawBody, headers, secret, now: new Date() }).ok).toBe(true)
  demo.kill('SIGINT')
  await once(demo, 'exit')
  await client.deleteWebhook(webhookId)
})

test('the demo ends when its secret is replaced while it runs, and prints what to do', async () => {
  const { client } = api.tenant
  await makeSecret(client, keptFor())
  const demo = startDemo()
  const errors = text(demo.stderr)
  await until(demo, 'Signature')
  await client.createSigningSecret()
  await svc.run(['trigger', 'facility.closed'])
  expect(await once(demo, 'exit')).toEqual([1, null])
  expect(await errors).toMatch(/^A delivery was refused: signature_mismatch\. .*--new-secret\.\n$/)
})

test('the demo uses a secret that it is given, whatever secret is kept', async () => {
  const { client } = api.tenant
  await makeSecret(client, keptFor())
  const given = await client.createSigningSecret()
  const demo = startDemo(svc.folder, { SVC_WEBHOOK_SECRET: given })
  expect(await until(demo, 'Signature')).not.toContain('replaced elsewhere')
  demo.kill('SIGINT')
  await once(demo, 'exit')
})

function keptFor(folder = svc.folder, { keyId } = api.tenant) {
  return { folder, baseUrl: api.baseUrl, keyId }
}

function startDemo(folder = svc.folder, given: Record<string, string> = {}) {
  const { SVC_WEBHOOK_SECRET: _, ...env } = process.env
  return spawn(process.execPath, ['scripts/demo.ts'], {
    env: { ...env, LOCAL_DIR: folder, ...given },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

/** What it has printed up to this. */
async function until({ stdout }: ChildProcess, topic: string): Promise<string> {
  let printed = ''
  for await (const chunk of stdout?.iterator({ destroyOnReturn: false }) ?? []) {
    printed += chunk
    if (printed.includes(topic)) return printed
  }
  throw new Error(`It never came to ${topic}: ${printed}`)
}
