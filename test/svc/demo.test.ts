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
  using fresh = createSvc(api)
  const url = 'http://127.0.0.1:9/'
  const webhookId = await api.tenant.client.registerWebhook({ url })
  const demo = startDemo(fresh.folder)
  const printed = await until(demo, 'Webhook')
  expect(printed).toContain(
    `The signing secret is replaced: give the new one to what receives at ${url}`,
  )
  demo.kill('SIGINT')
  await once(demo, 'exit')
  expect(readKeptSecret(keptFor(fresh.folder))).toMatch(/^whsec_/)
  await api.tenant.client.deleteWebhook(webhookId)
})

test('the demo makes a new secret where the kept one was replaced elsewhere, and prints that', async () => {
  const { client } = api.tenant
  const { secret: replaced } = await makeSecret(client, keptFor())
  const elsewhere = await client.createSigningSecret()
  const demo = startDemo()
  const printed = await until(demo, 'Signature')
  expect(printed).toContain('The kept signing secret was replaced elsewhere, so a new one is made.')
  const kept = readKeptSecret(keptFor()) ?? ''
  expect(kept).toMatch(/^whsec_/)
  expect([replaced, elsewhere]).not.toContain(kept)
  // What tried the old one is gone again; the demo's own webhook is there.
  expect((await client.listWebhooks()).map(({ label }) => label)).toEqual(['npm run demo'])
  demo.kill('SIGINT')
  await once(demo, 'exit')
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

function keptFor(folder = svc.folder) {
  return { folder, baseUrl: api.baseUrl, keyId: api.tenant.keyId }
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
