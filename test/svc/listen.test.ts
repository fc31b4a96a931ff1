import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { verifyWebhook } from '../../src/client/verify-webhook.ts'
import { findFreePorts } from '../../src/local/free-ports.ts'
import { newLocalSecret } from '../../src/svc/listen/webhook-secret.ts'
import { type Answer, keyId, privateKeyPem, startStubService } from '../client/stub-service.ts'
import { createTestBorrower, type TestApi } from '../support/api/api.ts'
import { startLendingApi } from '../support/lending/lending-api.ts'
import { LONG_SCENARIO_MS, waitFor } from '../support/process/patience.ts'
import { type Endpoint, startEndpoint } from '../support/servers/endpoint.ts'
import { createSvc } from './svc-program.ts'

let api: TestApi
let svc: ReturnType<typeof createSvc>
beforeAll(async () => {
  api = await startLendingApi()
  svc = createSvc(api)
})
afterAll(async () => {
  svc[Symbol.dispose]()
  await api[Symbol.asyncDispose]()
})

test('listen verifies, forwards and acknowledges deliveries, and deletes its webhook at the end', async () => {
  await using endpoint = await startEndpoint()
  const listening = svc.start(['listen', '--forward', endpoint.url])
  const { ready } = await listening.waitForLine((line) => line.ready)
  expect(ready).toMatchObject({ via: 'webhook', secret: expect.stringMatching(/^whsec_/) })

  const borrowerId = await makeEligible()
  const line = await listening.waitForLine((it) => it.event?.resource.id === borrowerId)
  expect(line).toMatchObject({
    event: { type: 'borrower.eligible' },
    how: 'signature verified',
    forwarded: { ok: true, status: 204 },
  })
  expect(typesVerifiedBy(endpoint, ready.secret)).toEqual(['borrower.eligible'])
  const { items } = await svc.read('deliveries', ready.webhook_id)
  expect(items.length).toBeGreaterThan(0)

  expect(await listening.stop()).toBe(0)
  expect((await svc.read('webhooks')).items).toEqual([])
})

test('listen refuses what the receiver refuses, so that the service tries again', async () => {
  await using endpoint = await startEndpoint(() => ({ status: 503 }))
  const listening = svc.start(['listen', '--forward', endpoint.url])
  const { ready } = await listening.waitForLine((line) => line.ready)
  const borrowerId = await makeEligible()
  await listening.waitForLine((it) => it.event?.resource.id === borrowerId)
  const { response } = JSON.parse((await svc.run(['trigger', 'facility.closed'])).out)
  expect(response).toMatchObject({ status: 503 })
  const { items } = await svc.read('deliveries', ready.webhook_id, '--state', 'pending')
  expect(items).toMatchObject([{ attempts: [{ status: 503 }] }])
  await listening.stop()
})

test('listen keeps the secret for the next time, for its owner alone, and replaces it on request', async () => {
  const file = join(svc.folder, 'webhook-secret.json')
  const secrets: string[] = []
  for (const options of [[], [], ['--new-secret']]) {
    const listening = svc.start(['listen', ...options])
    const { ready } = await listening.waitForLine((line) => line.ready)
    secrets.push(ready.secret)
    await listening.stop()
    expect(JSON.parse(readFileSync(file, 'utf8')).secret).toBe(ready.secret)
    expect(statSync(file).mode & 0o777).toBe(0o600)
  }
  expect(secrets[1]).toBe(secrets[0])
  expect(secrets[2]).not.toBe(secrets[0])
})

test('listen uses the secret that the example for registering a webhook made', async () => {
  await using endpoint = await startEndpoint()
  const register = async () => {
    const argv = ['docs/examples/register-webhook.ts', endpoint.url]
    const env = { ...process.env, LOCAL_DIR: svc.folder }
    return (await promisify(execFile)(process.execPath, argv, { env })).stdout
  }
  const stdout = await register()
  // What the receivers of before know stays in force.
  expect(await register()).toBe(stdout)
  const listening = svc.start(['listen'])
  const { ready } = await listening.waitForLine((line) => line.ready)
  expect(stdout).toBe(`${ready.secret}\n`)
  expect(listening.lines().some((line) => line.note)).toBe(false)
  await listening.stop()

  // A new secret is announced to those that rely on the old one.
  const replacing = svc.start(['listen', '--new-secret'])
  await replacing.waitForLine((line) => line.ready)
  expect(replacing.lines()[0]).toEqual({
    note: expect.stringMatching(new RegExp(`^The signing secret is replaced: .* ${endpoint.url}`)),
  })
  await replacing.stop()
  for (const { id } of await api.tenant.client.listWebhooks()) {
    await api.tenant.client.deleteWebhook(id)
  }
})

test('listen, and the example, make no secret where one is in force that they do not know', async () => {
  const tenant = await api.addTenant()
  using fresh = createSvc({ ...api, tenant })
  const secret = await tenant.client.createSigningSecret()
  await using endpoint = await startEndpoint()
  const webhookId = await tenant.client.registerWebhook({ url: endpoint.url })
  const { exitCode, err } = await fresh.run(['listen'])
  expect([exitCode, JSON.parse(err).error.code]).toEqual([2, 'secret'])
  const argv = ['docs/examples/register-webhook.ts', 'http://127.0.0.1:9/']
  const env = { ...process.env, LOCAL_DIR: fresh.folder }
  await expect(promisify(execFile)(process.execPath, argv, { env })).rejects.toMatchObject({
    stderr: expect.stringContaining('Pass your signing secret'),
  })
  const given = { ...env, SVC_WEBHOOK_SECRET: secret }
  const registered = await promisify(execFile)(process.execPath, argv, { env: given })
  expect(registered.stdout).toBe(`${secret}\n`)
  await fresh.read('trigger', 'facility.closed', '--webhook', webhookId)
  expect(typesVerifiedBy(endpoint, secret)).toEqual(['facility.closed'])
})

test('listen removes a webhook that an earlier listen left behind, and keeps that of another terminal', async () => {
  const [port] = await findFreePorts(1)
  const url = `http://127.0.0.1:${port}/webhooks`
  const left = await api.tenant.client.registerWebhook({ url, label: 'svc listen' })
  const elsewhere = svc.start(['listen'])
  const { ready } = await elsewhere.waitForLine((line) => line.ready)
  expect(elsewhere.lines()[0]).toEqual({ note: expect.stringContaining(left) })

  const listening = svc.start(['listen'])
  await listening.waitForLine((line) => line.ready)
  const ids = (await api.tenant.client.listWebhooks()).map(({ id }) => id)
  expect(ids).not.toContain(left)
  expect(ids).toContain(ready.webhook_id)
  for (const one of [elsewhere, listening]) expect(await one.stop()).toBe(0)
})

test.each([['SIGINT'], ['SIGTERM'], ['SIGHUP']] as const)(
  'a repeated %s ends listen, and its webhook is deleted',
  async (signal) => {
    await using program = await startProgram(['listen'])
    for (let sent = 0; sent < 2; sent += 1) program.child.kill(signal)
    expect(await program.exitCode).toBe(0)
    expect((await svc.read('webhooks')).items).toEqual([])
  },
)

test('listen ends silently when its output is no longer read', async () => {
  await using program = await startProgram(['listen'])
  program.child.stdout.destroy()
  await svc.run(['trigger', 'facility.closed'])
  expect(await program.exitCode).toBe(0)
  expect(await program.errors).toBe('')
  expect((await svc.read('webhooks')).items).toEqual([])
})

test('listen refuses what another secret signed, with what to do about it', async () => {
  const listening = svc.start(['listen', '--secret', 'whsec_of_yesterday'])
  await listening.waitForLine((line) => line.ready)
  const { exitCode } = await svc.run(['trigger', 'borrower.eligible'])
  expect(exitCode).toBe(1)
  expect(await listening.waitForLine((line) => line.refused)).toEqual({
    refused: 'signature_mismatch',
  })
  await listening.stop()
})

test('listen follows the log where no webhook leads here, and posts each event signed and in order', async () => {
  let refusals = 2
  await using endpoint = await startEndpoint(() => ({ status: refusals-- > 0 ? 500 : 204 }))
  const secret = newLocalSecret()
  const argv = ['listen', '--follow', '--forward', endpoint.url, '--secret', secret]
  const listening = svc.start([...argv, '--events', 'borrower.eligible'])
  const { ready } = await listening.waitForLine((line) => line.ready)
  expect(ready).toMatchObject({ via: 'log', forward: endpoint.url })

  const borrowerId = await makeEligible()
  const line = await listening.waitForLine((it) => it.forwarded?.ok === true)
  expect(line).toMatchObject({ event: { resource: { id: borrowerId } }, attempt: 3 })
  expect(typesVerifiedBy(endpoint, secret)).toEqual(Array(3).fill('borrower.eligible'))
  expect((await svc.read('webhooks')).items).toEqual([])
  expect(await listening.stop()).toBe(0)
})

test('a replay posts past events in pages, signed, up to a limit, and prints where to continue', async () => {
  await makeEligible()
  const first = (await svc.run(['replay', '--limit', '1'])).out.trim().split('\n')
  expect(first).toHaveLength(2)
  expect(JSON.parse(first[0] ?? '').event.sequence).toBe(1)
  const { next_cursor: cursor } = JSON.parse(first[1] ?? '')

  await using endpoint = await startEndpoint()
  const secret = newLocalSecret()
  const argv = ['replay', '--from', cursor, '--forward', endpoint.url, '--secret', secret]
  const { exitCode, out } = await svc.run(argv)
  expect(exitCode).toBe(0)
  const [second] = out.trim().split('\n')
  expect(JSON.parse(second ?? '')).toMatchObject({
    event: { sequence: 2 },
    forwarded: { ok: true },
  })
  expect(typesVerifiedBy(endpoint, secret).length).toBe(out.trim().split('\n').length - 1)
})

test('a replay is signed with the kept secret, which the receiver has, and ends on request', async () => {
  const listening = svc.start(['listen'])
  const { ready } = await listening.waitForLine((line) => line.ready)
  await listening.stop()
  await makeEligible()
  await makeEligible()
  let release = () => {}
  await using endpoint = await startEndpoint(async () => {
    await new Promise<void>((resolve) => {
      release = resolve
    })
    return { status: 204 }
  })
  const replaying = svc.start(['replay', '--limit', '5', '--forward', endpoint.url])
  await waitFor(() => expect(endpoint.seen).toHaveLength(1))
  const stopped = replaying.stop()
  release()
  expect(await stopped).toBe(1)
  expect(typesVerifiedBy(endpoint, ready.secret)).toEqual(['borrower.eligible'])
  expect(replaying.lines()).toMatchObject([{ forwarded: { ok: true } }, {}])
})

test('a replay stops at an event that is refused, and prints where to continue', async () => {
  await makeEligible()
  await using endpoint = await startEndpoint(() => ({ status: 500 }))
  using stranger = createSvc(api)
  const { exitCode, out } = await stranger.run(['replay', '--forward', endpoint.url])
  expect(exitCode).toBe(1)
  const [secret, refused, end] = out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(secret).toEqual({ secret: expect.stringMatching(/^whsec_/) })
  expect(refused).toMatchObject({ event: { sequence: 1 }, forwarded: { status: 500 } })
  expect(end).toEqual({})
  expect(typesVerifiedBy(endpoint, secret.secret)).toEqual(['borrower.eligible'])
})

test('listen follows the log without repeating an event after the service was away', {
  timeout: LONG_SCENARIO_MS,
}, async () => {
  const event = (sequence: number) => ({
    ...{ id: `evt_${sequence}`, type: 'facility.closed', occurred_at: '2026-11-20T12:00:00.000Z' },
    ...{ sequence, resource: { type: 'facility', id: 'fac_1' }, data: {} },
  })
  const page = (items: object[], cursor: string, hasMore = false): Answer => ({
    status: 200,
    body: JSON.stringify({ items, next_cursor: cursor, has_more: hasMore }),
  })
  const gone = Array.from({ length: 5 }, () => 'hang up' as const)
  await using stub = await startStubService([
    page([], 'a'),
    page([event(1)], 'b'),
    ...gone,
    page([event(1), event(2)], 'c'),
  ])
  const env = { SVC_BASE_URL: stub.baseUrl, SVC_KEY_ID: keyId, SVC_PRIVATE_KEY: privateKeyPem }
  const listening = svc.start(['listen', '--follow'], { env })
  await listening.waitForLine((line) => line.event?.sequence === 2)
  await listening.stop()
  const printed = listening.lines().flatMap((line) => line.event?.sequence ?? line.note ?? [])
  expect(printed).toEqual([1, expect.stringContaining('Trying again.'), 2])
  expect(stub.requests.at(7)?.target).toBe('/v1/events?from=a')
})

test('listen registers a public address as given, and it leads to the named port', async () => {
  const [port = 0] = await findFreePorts(1)
  const url = `http://127.0.0.1:${port}/through/a/tunnel`
  const listening = svc.start(['listen', '--public-url', url, '--port', String(port)])
  const { ready } = await listening.waitForLine((line) => line.ready)
  expect(ready).toMatchObject({ via: 'webhook', url })
  expect(await svc.read('trigger', 'draw.failed')).toMatchObject({ response: { status: 204 } })
  await listening.waitForLine((line) => line.event?.type === 'draw.failed')
  expect(await listening.stop()).toBe(0)
})

test('listen never replaces a secret without a request where others may rely on it', async () => {
  const argv = ['listen', '--public-url', 'http://127.0.0.1:9/hook', '--text']
  using fresh = createSvc(api)
  const { exitCode, err } = await fresh.run(argv)
  expect(exitCode).toBe(2)
  expect(err).toContain('--new-secret')
})

/** A borrower with the signature that makes it eligible; its id. */
async function makeEligible(): Promise<string> {
  const id = await createTestBorrower(api.tenant)
  await svc.read('borrower', 'sign', id, '--name', 'Ada Example', '--email', 'ada@example.com')
  return id
}

/** The command line as a process of its own, once it has printed something. */
async function startProgram(argv: readonly string[]) {
  const child = spawn(process.execPath, ['src/svc/svc.ts', ...argv], {
    env: { ...process.env, LOCAL_DIR: svc.folder },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const exitCode = once(child, 'exit').then(([code]) => code)
  const errors = text(child.stderr)
  await once(child.stdout, 'data')
  return {
    child,
    exitCode,
    errors,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL')
      await exitCode
    },
  }
}

function typesVerifiedBy({ seen }: Endpoint, secret: string): string[] {
  return seen.map(({ rawBody, headers }) => {
    const verdict = verifyWebhook({ rawBody, headers, secret, now: new Date() })
    if (!verdict.ok) return verdict.reason
    const { 'x-svc-webhook-signature': _ours, ...standard } = headers
    const second = verifyWebhook({ rawBody, headers: standard, secret, now: new Date() })
    return second.ok ? verdict.event.type : second.reason
  })
}
