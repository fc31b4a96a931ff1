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

test('the demo goes on with the secret that other receivers know, and removes its webhook when it is ended', async () => {
  await using endpoint = await startEndpoint()
  const { client } = api.tenant
  const { secret } = await makeSecret(client, whose())
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

test('the demo keeps the secret that it makes, and names whose receivers must be told', async () => {
  using fresh = createSvc(api)
  const url = 'http://127.0.0.1:9/'
  const webhookId = await api.tenant.client.registerWebhook({ url })
  const demo = startDemo(fresh.folder)
  const told = await until(demo, 'Webhook')
  expect(told).toContain(
    `The signing secret is replaced: give the new one to what receives at ${url}`,
  )
  demo.kill('SIGINT')
  await once(demo, 'exit')
  expect(readKeptSecret(whose(fresh.folder))).toMatch(/^whsec_/)
  await api.tenant.client.deleteWebhook(webhookId)
})

test('the demo makes a new secret where the kept one was replaced elsewhere, and says so', async () => {
  const { client } = api.tenant
  const { secret: replaced } = await makeSecret(client, whose())
  const elsewhere = await client.createSigningSecret()
  const demo = startDemo()
  const told = await until(demo, 'Signature')
  expect(told).toContain('The kept signing secret was replaced elsewhere, so a new one is made.')
  const kept = readKeptSecret(whose()) ?? ''
  expect(kept).toMatch(/^whsec_/)
  expect([replaced, elsewhere]).not.toContain(kept)
  // What tried the old one is gone again; the demo's own webhook is there.
  expect((await client.listWebhooks()).map(({ label }) => label)).toEqual(['npm run demo'])
  demo.kill('SIGINT')
  await once(demo, 'exit')
})

test('the demo ends when its secret is replaced while it runs, and says what to do', async () => {
  const { client } = api.tenant
  await makeSecret(client, whose())
  const demo = startDemo()
  const errors = text(demo.stderr)
  await until(demo, 'Signature')
  await client.createSigningSecret()
  await svc.run(['trigger', 'facility.closed'])
  expect(await once(demo, 'exit')).toEqual([1, null])
  expect(await errors).toMatch(/^A delivery was refused: signature_mismatch\. .*--new-secret\.\n$/)
})

test('the demo goes on with a secret that it is given, whatever is kept', async () => {
  const { client } = api.tenant
  await makeSecret(client, whose())
  const given = await client.createSigningSecret()
  const demo = startDemo(svc.folder, { SVC_WEBHOOK_SECRET: given })
  expect(await until(demo, 'Signature')).not.toContain('replaced elsewhere')
  demo.kill('SIGINT')
  await once(demo, 'exit')
})

function whose(folder = svc.folder) {
  return { folder, baseUrl: api.baseUrl, keyId: api.tenant.keyId }
}

function startDemo(folder = svc.folder, given: Record<string, string> = {}) {
  const { SVC_WEBHOOK_SECRET: _, ...env } = process.env
  return spawn(process.execPath, ['scripts/demo.ts'], {
    env: { ...env, LOCAL_DIR: folder, ...given },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

/** What it has said until it told of this. */
async function until({ stdout }: ChildProcess, topic: string): Promise<string> {
  let said = ''
  for await (const chunk of stdout?.iterator({ destroyOnReturn: false }) ?? []) {
    said += chunk
    if (said.includes(topic)) return said
  }
  throw new Error(`It never came to ${topic}: ${said}`)
}
