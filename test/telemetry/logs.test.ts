import { randomBytes } from 'node:crypto'
import { Writable } from 'node:stream'
import { Redis } from 'ioredis'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startJobs } from '../../src/jobs/start-jobs.ts'
import { createLogger } from '../../src/telemetry/logger.ts'
import { startTestApi, type TestApi, type TestResponse } from '../support/api/api.ts'
import { waitFor } from '../support/process/patience.ts'
import { type Receiver, startReceiver } from '../support/servers/endpoint.ts'
import { testRedisUrl } from '../support/stores/redis.ts'
import { watchRedis } from '../support/stores/watch-redis.ts'

type Line = {
  msg?: string
  requestId?: string
  job?: string
  tenantId?: string
  route?: string
  status?: number
  resourceId?: string
}

const ENCRYPTION_KEY = randomBytes(32)
const SIGNER = {
  full_name: 'Canary Wintergreen',
  email: 'canary.wintergreen@example.com',
  ip_address: '198.51.100.77',
}

let owned: AsyncDisposableStack
let api: TestApi
let receiver: Receiver
let secret = ''
const lines: Line[] = []
let logText = ''
/** Every command that reached Redis, and at the end every key and value. */
let redisText = ''
const refused: TestResponse[] = []
const answered: TestResponse[] = []

async function send(...request: Parameters<TestApi['tenant']['send']>): Promise<TestResponse> {
  const response = await api.tenant.send(...request)
  answered.push(response)
  if (response.status >= 400) refused.push(response)
  return response
}

const signature = (rest: object = {}) => ({
  ...SIGNER,
  signed_at: new Date().toISOString(),
  contract_type: 'master_loan_agreement',
  contract_version: '2026-01',
  ...rest,
})

beforeAll(async () => {
  owned = new AsyncDisposableStack()
  receiver = owned.use(await startReceiver())
  const redisUrl = await testRedisUrl()
  using _watch = await watchRedis(redisUrl, ({ words }) => {
    redisText += `${words.join(' ')}\n`
  })
  const logger = createLogger({ logLevel: 'trace', stack: 'sandbox', kind: 'api' }, capture())
  const env = { ENCRYPTION_KEYS: `canary:${ENCRYPTION_KEY.toString('base64')}` }
  api = owned.use(await startTestApi({ logger, env, redisUrl }))
  const jobs = startJobs(api.resources)
  owned.defer(() => jobs.drain())

  const borrowerId = await onboard()
  await beRefused(borrowerId)
  await failInside()
  await scan(redisUrl)
})
afterAll(() => owned.disposeAsync())

function capture(): Writable {
  return new Writable({
    write(chunk, _encoding, done) {
      logText += String(chunk)
      lines.push(JSON.parse(String(chunk)))
      done()
    },
  })
}

async function scan(url: string): Promise<void> {
  const redis = new Redis(url)
  for (const key of await redis.keys('*')) {
    const dump = await redis.dumpBuffer(key)
    redisText += `${key} ${dump?.toString('latin1')}\n`
  }
  redis.disconnect()
}

/** A whole story that goes well: a secret, a webhook, a borrower, a signature, a delivery. */
async function onboard(): Promise<string> {
  secret = (await send('POST', '/v1/webhooks/secrets')).json().secret
  await send('POST', '/v1/webhooks', { body: { url: `${receiver.url}/canary-hook-token` } })
  const body = { type: 'individual', kyc_attested: true, residency_country: 'DE' }
  const borrowerId = (await send('POST', '/v1/borrowers', { body })).json().id
  await send('POST', `/v1/borrowers/${borrowerId}/signatures`, { body: signature() })
  await waitFor(() => expect(receiver.seen).toHaveLength(1))
  await send('GET', `/v1/borrowers/${borrowerId}`)
  await send('GET', `/v1/borrowers/${borrowerId}/signatures`)
  return borrowerId
}

/** The refusals, each carrying what must not be repeated. */
async function beRefused(borrowerId: string): Promise<void> {
  const path = `/v1/borrowers/${borrowerId}/signatures`
  const idempotencyKey = crypto.randomUUID()
  await send('POST', path, { body: signature(), idempotencyKey })
  const bodies: unknown[] = [
    signature({ signed_at: '2099-01-01T00:00:00Z' }),
    signature({ contract_version: '2020-01' }),
    signature({ full_name: `${SIGNER.full_name}\n` }),
    signature({ email: `${SIGNER.email}@` }),
    signature({ ip_address: `${SIGNER.ip_address}.1` }),
    signature({ note: SIGNER.full_name }),
    `{"email":"${SIGNER.email}", broken`,
    `{"email":"${SIGNER.email}","email":"${SIGNER.email}"}`,
    JSON.stringify(signature()).replace('{', `{"x":"${'y'.repeat(70_000)}",`),
  ]
  for (const body of bodies) await send('POST', path, { body })
  await send('POST', path, { body: signature({ full_name: 'Another' }), idempotencyKey })
  await send('POST', path, { body: signature(), timestamp: '1000000000' })
  await send('POST', path, {
    body: signature(),
    headers: { 'x-svc-signature': Buffer.alloc(64).toString('base64') },
  })
  await send('POST', path, { body: signature(), headers: { 'content-type': 'text/plain' } })
  await send('POST', '/v1/borrowers/bor_unknown/signatures', { body: signature() })
  await send('GET', `/v1/nowhere?email=${encodeURIComponent(SIGNER.email)}`)
}

/** Faults of ours, in a request and in a job: the database refuses the row and quotes it. */
async function failInside(): Promise<void> {
  const body = { type: 'individual', kyc_attested: true, residency_country: 'DE' }
  const borrowerId = (await send('POST', '/v1/borrowers', { body })).json().id
  const path = `/v1/borrowers/${borrowerId}/signatures`
  await sql`ALTER TABLE compliance_checks ADD CHECK (kind <> 'aml') NOT VALID`.execute(api.db)
  await send('POST', path, { body: signature() })
  await waitFor(() => expect(lines).toContainEqual(expect.objectContaining({ msg: 'job failed' })))
  await sql`ALTER TABLE signatures ADD CHECK (number < 2) NOT VALID`.execute(api.db)
  const failed = await send('POST', path, { body: signature() })
  expect(failed.status).toBe(500)
}

/** Every canary in the forms in which it might slip out. */
function canaries(): Map<string, string> {
  const pem = api.tenant.privateKeyPem.split('\n')[1] ?? ''
  return new Map([
    ['the signing secret', secret.slice('whsec_'.length)],
    ['the encryption key', ENCRYPTION_KEY.toString('base64')],
    ['the encryption key in hex', ENCRYPTION_KEY.toString('hex')],
    ['the private key', pem],
    ['the signer’s name', 'wintergreen'],
    ['the signer’s e-mail', SIGNER.email],
    ['the signer’s address', SIGNER.ip_address],
    ['the webhook’s path', 'canary-hook-token'],
  ])
}

/** The names of the canaries that `text` lets out. */
function leaks(text: string): string[] {
  const lower = text.toLowerCase()
  const found = [...canaries()].filter(([, canary]) => lower.includes(canary.toLowerCase()))
  return found.map(([name]) => name)
}

test('each secret and personal datum is known to the test and was really there', () => {
  for (const canary of canaries().values()) expect(canary.length).toBeGreaterThan(8)
  expect(answered.map((response) => response.text).join()).toContain(SIGNER.email)
  expect(new Set(refused.map((response) => response.status))).toEqual(
    new Set([400, 401, 404, 413, 415, 422, 500]),
  )
})

test('no secret and no personal datum is in a log line of the API or the worker', () => {
  expect(logText).toContain('job failed')
  expect(logText).toContain('request failed')
  expect(leaks(logText)).toEqual([])
})

test('no secret and no personal datum reached Redis, in commands, keys or values', () => {
  expect(redisText).toContain(api.tenant.id)
  expect(redisText).toContain('evaluate-borrower')
  expect(leaks(redisText)).toEqual([])
})

test('no secret and no personal datum is in an error body', () => {
  expect(refused.length).toBeGreaterThan(10)
  for (const { text } of refused) expect({ text, leaks: leaks(text) }).toEqual({ text, leaks: [] })
})

/** A body that is too long is not read, so its signature is not either. */
const isVerified = (status: number) => status !== 401 && status !== 413

test('the canonical line is written once for each request, with caller, action and outcome', () => {
  const requests = lines.filter((line) => line.msg === 'request')
  for (const { status, headers } of answered) {
    const own = requests.filter((line) => line.requestId === headers['x-svc-request-id'])
    expect(own).toHaveLength(1)
    expect(own[0]).toMatchObject({
      method: expect.stringMatching(/^(GET|POST)$/),
      route: expect.stringMatching(/^(\/v1\/|unmatched)/),
      status,
      durationMs: expect.any(Number),
      ...(isVerified(status)
        ? { tenantId: api.tenant.id, keyId: api.tenant.keyId, class: expect.any(String) }
        : { class: 'unverified' }),
    })
  }
  expect(requests).toHaveLength(answered.length)
})

test('the canonical line names what the request has made, else what its path names', () => {
  const requests = lines.filter((line) => line.msg === 'request')
  const made = requests.find((line) => line.route === '/v1/borrowers' && line.status === 201)
  expect(made?.resourceId).toMatch(/^bor_[0-9a-z]{26}$/)
  const signed = requests.find(
    (line) => line.route === '/v1/borrowers/:borrower_id/signatures' && line.status === 202,
  )
  expect(signed?.resourceId).toMatch(/^bor_[0-9a-z]{26}$/)
  for (const { resourceId } of requests.filter((line) => line.tenantId === undefined)) {
    expect(resourceId).toBeUndefined()
  }
})

test('the canonical line names the route by its pattern and the class that was counted', () => {
  expect(lines).toContainEqual(
    expect.objectContaining({
      msg: 'request',
      route: '/v1/borrowers/:borrower_id/signatures',
      status: 202,
      class: 'money',
    }),
  )
})

test('the canonical line is written for each job, with its ids and its duration', () => {
  // A wake-up concerns no tenant: it has the worker claim what is ready.
  const isWake = (line: { job?: unknown }) => line.job === 'claim-work'
  const jobs = lines.filter((line) => line.job !== undefined && !isWake(line))
  for (const wake of lines.filter(isWake))
    expect((wake as { topic?: unknown }).topic).toEqual(expect.any(String))
  for (const line of jobs) {
    expect(line).toMatchObject({
      msg: expect.stringMatching(/^job (done|failed)$/),
      tenantId: api.tenant.id,
      durationMs: expect.any(Number),
    })
  }
  expect(new Set(jobs.map((line) => line.job))).toEqual(new Set(['evaluate-borrower']))
})

test('the canonical line of a failure names the error by its kind and place', () => {
  expect(lines).toContainEqual(
    expect.objectContaining({
      msg: 'job failed',
      err: expect.objectContaining({
        code: '23514',
        message: expect.stringContaining('violates check constraint'),
        stack: expect.stringContaining('evaluate-borrower.ts'),
      }),
    }),
  )
})
