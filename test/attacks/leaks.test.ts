import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { Writable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { loadConfig } from '../../src/config/config.ts'
import { startJobs } from '../../src/jobs/start-jobs.ts'
import { createLogger } from '../../src/telemetry/logger.ts'
import { startTracing } from '../../src/telemetry/tracing.ts'
import { startTestApi, type TestApi } from '../support/api/api.ts'
import { testEnvironment } from '../support/process/config.ts'
import { waitFor } from '../support/process/patience.ts'
import { startCollector } from '../support/servers/collector.ts'
import { listen } from '../support/servers/misbehaving-server.ts'
import { IMPATIENT } from '../support/servers/vendor-clients.ts'
import { signCallback, startVendors } from '../support/servers/vendor-server.ts'
import { testRedisUrl } from '../support/stores/redis.ts'
import { watchRedis } from '../support/stores/watch-redis.ts'

const SIGNER = {
  full_name: 'Canary Wintergreen',
  email: 'canary.wintergreen@example.com',
  ip_address: '198.51.100.77',
}
const HOOK_TOKEN = 'canary-hook-token'

/** Of the worst vendor's answers, in turn. A check that fails is not repeated within a minute. */
const STATUSES = [500, 200, 400, 302, 401, 503]

let owned: AsyncDisposableStack
let api: TestApi
let signingSecret: string
/** What was written where, as text. */
const written = { logs: '', redis: '', refusals: '', answers: '', metrics: '', traces: '' }
let environment: Record<string, string>
let echoed = 0

beforeAll(async () => {
  owned = new AsyncDisposableStack()
  const vendors = owned.use(await startVendors())
  const collector = owned.use(await startCollector())
  const echo = owned.use(await startEcho())
  environment = {
    ...vendors.environment,
    KYC_URL: `${echo.url}/kyc`,
    AML_URL: `${echo.url}/aml`,
  }
  const redisUrl = await testRedisUrl()
  using _watch = await watchRedis(redisUrl, ({ words }) => {
    written.redis += `${words.join(' ')}\n`
  })
  const settings = {
    stack: 'live' as const,
    otlpEndpoint: collector.url,
    otlpHeaders: {},
    traceRatio: 1,
  }
  const running = owned.use(new AsyncDisposableStack())
  api = running.use(
    await startTestApi({
      env: environment,
      constants: { vendorLimits: IMPATIENT, webhookAllowHttp: true },
      redisUrl,
      logger: createLogger({ logLevel: 'trace', stack: 'live', kind: 'api' }, capture()),
      tracing: await startTracing(settings, 'api'),
    }),
  )
  const jobs = startJobs(api.resources)
  running.defer(() => jobs.drain())

  await onboard(echo.url)
  await callBack()
  written.metrics = await api.resources.metrics.registry.metrics()
  await scan(redisUrl)
  // Ends what runs, which sends the last of the traces.
  await running.disposeAsync()
  written.traces = collector.text()
}, 60_000)
afterAll(() => owned.disposeAsync())

function capture(): Writable {
  return new Writable({
    write(chunk, _encoding, done) {
      written.logs += String(chunk)
      done()
    },
  })
}

async function scan(url: string): Promise<void> {
  const redis = new Redis(url)
  for (const key of await redis.keys('*')) {
    written.redis += `${key} ${(await redis.dumpBuffer(key))?.toString('latin1')}\n`
  }
  redis.disconnect()
}

/** The worst vendor: throws back whatever it was sent, tokens, signatures and all, in every way. */
async function startEcho() {
  const echo = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await buffer(request)
    const text = `${request.url} ${JSON.stringify(request.headers)} ${body}`
    const status = STATUSES[echoed % STATUSES.length] ?? 500
    echoed += 1
    const location = `http://127.0.0.1:9/?${encodeURIComponent(text)}`
    response.writeHead(status, { location, 'x-echo': encodeURIComponent(text) }).end(text)
  }
  const server = await listen(createServer((request, response) => void echo(request, response)))
  return {
    url: `http://127.0.0.1:${server.port}`,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}

async function send(...request: Parameters<TestApi['tenant']['send']>) {
  const answer = await api.tenant.send(...request)
  written.answers += answer.text
  if (answer.status >= 400) written.refusals += answer.text
  return answer
}

/** A borrower with checks that fail in every way that the vendor knows, and an unreachable webhook. */
async function onboard(echoUrl: string): Promise<void> {
  signingSecret = (await send('POST', '/v1/webhooks/secrets')).json().secret
  await send('POST', '/v1/webhooks', { body: { url: `${echoUrl}/${HOOK_TOKEN}` } })
  const borrower = { type: 'individual', kyc_attested: true, residency_country: 'DE' }
  for (let one = 0; one <= STATUSES.length; one += 1) {
    const { id } = (await send('POST', '/v1/borrowers', { body: borrower })).json()
    const contract = { contract_type: 'master_loan_agreement', contract_version: '2026-01' }
    const body = { ...SIGNER, ...contract, signed_at: new Date().toISOString() }
    await send('POST', `/v1/borrowers/${id}/signatures`, { body })
    await send('GET', `/v1/borrowers/${id}/signatures`)
    await send('POST', `/v1/borrowers/${id}/signatures`, { body: { ...body, x: SIGNER.email } })
  }
  await waitFor(() => expect(echoed).toBeGreaterThan(STATUSES.length))
  const { id: borrowerId } = (await send('POST', '/v1/borrowers', { body: borrower })).json()
  await send('POST', '/v1/facilities', {
    body: { borrower_id: borrowerId, limit: { amount: SIGNER.email, asset: SIGNER.full_name } },
  })
}

/** Callbacks that are right, and that are not and carry what must not be repeated. */
async function callBack(): Promise<void> {
  const right = signCallback(new Date(), 'kyc', { tenantId: api.tenant.id, callId: 'chk_x' })
  const { KYC_CALLBACK_SECRETS: secret = '' } = environment
  for (const change of [
    {},
    { body: `${secret} ${SIGNER.email}` },
    { headers: { ...right.headers, 'x-svc-signature': secret } },
    { headers: { ...right.headers, 'idempotency-key': `${SIGNER.email} ${secret}` } },
  ]) {
    const { target, ...request } = { ...right, ...change }
    const answer = await fetch(`${api.baseUrl}${target}`, { method: 'POST', ...request })
    written.refusals += await answer.text()
  }
  for (const page of ['/docs', '/errors', '/openapi.json', '/healthz', '/readyz', '/nowhere']) {
    written.refusals += await (await fetch(`${api.baseUrl}${page}?email=${SIGNER.email}`)).text()
  }
}

/** Every secret by its name, in each form in which it might slip out. */
function canaries(): Map<string, string> {
  const secrets = ['TOKEN', 'SIGNING_SECRET', 'CALLBACK_SECRETS'].flatMap((kind) =>
    ['KYC', 'CUSTODIAN', 'PAYMENTS'].map((vendor) => `${vendor}_${kind}`),
  )
  const plain = new Map([
    ...[...secrets, 'AML_API_KEY'].map((name) => [name, environment[name] ?? ''] as const),
    ['the signing secret', signingSecret.slice('whsec_'.length)],
    ['the private key', api.tenant.privateKeyPem.split('\n')[1] ?? ''],
    ['the signer’s name', 'Wintergreen'],
    ['the signer’s e-mail', SIGNER.email],
    ['the signer’s address', SIGNER.ip_address],
    ['the webhook’s path', HOOK_TOKEN],
    ...api.resources.config.encryptionKeys.flatMap(({ bytes }) => [
      ['the encryption key', bytes.toString('base64')] as const,
      ['the encryption key, in hex', bytes.toString('hex')] as const,
    ]),
  ])
  const coded = [...plain].flatMap(([name, text]) => [
    [
      `${name}, base64`,
      Buffer.from(text).toString('base64').replace(/=+$/, '').slice(0, -1),
    ] as const,
    [`${name}, percent-encoded`, encodeURIComponent(text)] as const,
  ])
  return new Map([...plain, ...coded])
}

/** The names of what `text` lets out. */
function leaks(text: string): string[] {
  const lower = text.toLowerCase()
  const found = [...canaries()].filter(([, canary]) => lower.includes(canary.toLowerCase()))
  return found.map(([name]) => name)
}

test('each secret and personal datum that must not leak is known to this test and was used by the service', () => {
  for (const [name, canary] of canaries()) expect(canary.length, name).toBeGreaterThan(8)
  expect(written.answers).toContain(SIGNER.email)
  expect(written.logs).toMatch(/kyc|checks/)
  expect(written.redis).toContain('evaluate-borrower')
  expect(written.metrics).toMatch(/svc_provider_calls_total\{[^}]*\} [1-9]/)
  expect(written.traces).toContain('evaluate-borrower')
  expect(written.refusals).toContain('signature_invalid')
})

test.each(['logs', 'redis', 'refusals', 'metrics', 'traces'] as const)(
  'no secret and no personal datum is in the %s',
  (where) => {
    expect(leaks(written[where])).toEqual([])
  },
)

test.each([
  ['DATABASE_URL', 'canary-of-a-secret'],
  ['DATABASE_URL', 'mysql://user:canary-of-a-secret@host/database'],
  ['REDIS_URL', 'http://:canary-of-a-secret@host'],
  ['ENCRYPTION_KEYS', 'canary-of-a-secret'],
  ['ENCRYPTION_KEYS', 'k:canary-of-a-secret'],
  ['KYC_TOKEN', 'canary-of-a-se'],
  ['KYC_URL', 'ftp://user:canary-of-a-secret@host/'],
  ['KYC_SIGNING_SECRET', 'canary-of-a-secret'],
  ['KYC_CALLBACK_SECRETS', 'canary-of-a-secret,x'],
  ['AML_API_KEY', 'canary-of-a-secret\n'],
])('a process that refuses to start because of %s=%j does not print the value', (name, value) => {
  const stores = { databaseUrl: 'postgres://localhost/none', redisUrl: 'redis://localhost' }
  const start = () => loadConfig(testEnvironment(stores, { ...environment, [name]: value }))
  expect(start).toThrow(name)
  expect(start).not.toThrow(/canary-of/)
})
