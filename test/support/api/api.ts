import { randomUUID } from 'node:crypto'
import { Agent, request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { afterAll, beforeAll } from 'vitest'
import { type ArrivalLimits, buildApp } from '../../../src/app.ts'
import { type Client, createClient } from '../../../src/client/client.ts'
import { createSigner, type Signer } from '../../../src/client/private-key.ts'
import { signRequest } from '../../../src/client/sign-request.ts'
import { type Config, loadConfig } from '../../../src/config/config.ts'
import { LIMIT_CLASSES } from '../../../src/core/limits/limit-classes.ts'
import { SCOPES, type Scope } from '../../../src/core/scopes.ts'
import { type Db, inTransaction, type Tx } from '../../../src/db/database.ts'
import { registerKey } from '../../../src/domain/auth/keys.ts'
import { generateKeyPair } from '../../../src/domain/auth/public-key.ts'
import { publishDocument } from '../../../src/domain/onboarding/documents.ts'
import { setResidencyRule } from '../../../src/domain/onboarding/residency.ts'
import { createTenant } from '../../../src/domain/tenants/tenants.ts'
import type { Deprecation } from '../../../src/http/deprecations.ts'
import {
  createResources,
  type ResourceOverrides,
  type Resources,
} from '../../../src/process/resources.ts'
import { NO_AUDIT } from '../process/config.ts'
import { createTestDatabase } from '../stores/database.ts'
import { serviceRedisUrl } from '../stores/redis.ts'
import { testKey } from '../stores/sealer.ts'

/** So many tokens that no test meets a limit by accident. */
const NO_LIMITS = Object.keys(LIMIT_CLASSES)
  .map((limitClass) => `${limitClass}=1000/100000`)
  .join(',')

const SAMPLE_RESIDENCIES = [
  { country: 'US', state: undefined, allowed: true },
  { country: 'US', state: 'HI', allowed: false },
  { country: 'DE', state: undefined, allowed: true },
]

export type TestApi = AsyncDisposable & {
  app: FastifyInstance
  resources: Resources
  /** A pool beside the service's own. */
  db: Db
  /** The service listens here, on 127.0.0.1. */
  port: number
  baseUrl: string
  /** The first tenant, with a key of every scope. */
  tenant: TestTenant
  /** Another tenant, with the same documents and a key of its own. */
  addTenant(): Promise<TestTenant>
}

export type TestTenant = TestKey & {
  id: string
  /** A further key of this tenant. */
  addKey(options?: { scopes?: readonly Scope[]; expiresAt?: Date }): Promise<TestKey>
}

export type TestKey = {
  keyId: string
  privateKeyPem: string
  /** The client library with this key, by the service's clock. */
  client: Client
  /** Signs a request as the client does and sends it over a socket, byte for byte as given. */
  send(method: string, target: string, options?: SendOptions): Promise<TestResponse>
  /** The headers that `send` would add. */
  sign(method: string, target: string, options?: SendOptions): Promise<Record<string, string>>
}

export type SendOptions = {
  /** Text and bytes go as they are; anything else as JSON. */
  body?: unknown
  /** Signed as given; `null` for none. By default a new UUID on everything but GET. */
  idempotencyKey?: string | null
  /** Unix seconds; by default of the service's clock. */
  timestamp?: string
  /** Sent unsigned, over those that signing adds. */
  headers?: Record<string, string>
  /** The loopback address the request comes from, for instance 127.0.0.2. */
  from?: string
}

export type TestResponse = {
  status: number
  headers: IncomingHttpHeaders
  text: string
  /** The body as JSON; throws when it is none. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers of every shape.
  json(): any
}

export type TestApiOptions = ResourceOverrides & {
  /** Environment variables over those of a sandbox without limits. */
  env?: Record<string, string>
  /** Puts something between the service and its database: returns the address to use. */
  through?: (databaseUrl: string) => Promise<string>
  /** In place of what no variable sets. */
  constants?: Partial<Config>
  /** By default this test file's own database of the run's store. */
  redisUrl?: string
  /** Shorter limits for tests of requests that never end. */
  arrival?: ArrivalLimits
  /** By default any that is free. */
  port?: number
  /** By default those of the interface. */
  deprecations?: readonly Deprecation[]
}

/**
 * The API of a sandbox over a database, as the role it has there, and a Redis of its own, listening,
 * with one tenant that has
 * documents, a key, and a residency policy (DE and US but Hawaii). Rate limits are out of the way;
 * `env: { RATE_LIMITS: '' }` brings the real ones back.
 */
export async function startTestApi(options: TestApiOptions = {}): Promise<TestApi> {
  const { env, constants, redisUrl, arrival, through, deprecations, ...others } = options
  const { port: wanted = 0, ...overrides } = others
  await using cleanup = new AsyncDisposableStack()
  const database = cleanup.use(await createTestDatabase({ maxConnections: 3 }))
  const config = loadConfig({
    STACK: 'sandbox',
    DATABASE_URL: (await through?.(database.appUrl)) ?? database.appUrl,
    REDIS_URL: redisUrl ?? (await serviceRedisUrl()),
    ENCRYPTION_KEYS: `test:${testKey('test').bytes.toString('base64')}`,
    LOG_LEVEL: 'silent',
    RATE_LIMITS: NO_LIMITS,
    WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
    ...NO_AUDIT,
    ...env,
  })
  if (config.stack === 'live') await sql`UPDATE stack SET name = 'live'`.execute(database.db)
  // A busy machine is no outage of the shared store; a test's own may be made to hang.
  const limiterAnswerMs = redisUrl === undefined ? 10_000 : config.limiterAnswerMs
  const resources = createResources({ ...config, limiterAnswerMs, ...constants }, overrides)
  cleanup.defer(() => resources.dispose())
  const app = await buildApp(resources, arrival, deprecations)
  cleanup.defer(() => app.close())
  const agent = new Agent({ keepAlive: true })
  cleanup.defer(() => agent.destroy())
  await app.listen({ host: '127.0.0.1', port: wanted })
  const { port } = app.server.address() as AddressInfo

  const context = { db: database.db, resources, port, agent }
  await inTransaction(database.db, (tx) => setSamplePolicy(tx, resources.clock()))
  const api = {
    app,
    resources,
    db: database.db,
    port,
    baseUrl: `http://127.0.0.1:${port}`,
    tenant: await addTenant(context),
    addTenant: () => addTenant(context),
  }
  const owned = cleanup.move()
  return { ...api, [Symbol.asyncDispose]: () => owned.disposeAsync() }
}

/** One that all tests of a file share: it is there once they begin. */
export function apiForFile(options: TestApiOptions = {}, start = startTestApi): TestApi {
  const api = {} as TestApi
  beforeAll(async () => {
    Object.assign(api, await start(options))
  })
  afterAll(() => api[Symbol.asyncDispose]())
  return api
}

/** A new borrower of `key`'s tenant, by its id. */
export async function createTestBorrower(key: TestKey): Promise<string> {
  const body = { type: 'individual', kyc_attested: true, residency_country: 'DE' }
  const response = await key.send('POST', '/v1/borrowers', { body })
  return response.json().id
}

type Context = { db: Db; resources: Resources; port: number; agent: Agent }

async function addTenant(context: Context): Promise<TestTenant> {
  const now = context.resources.clock()
  const id = await inTransaction(context.db, async (tx) => {
    const tenant = await createTenant(tx, 'Test Tenant', now)
    await publishSampleDocument(tx, tenant.id, now)
    return tenant.id
  })
  const addKey: TestTenant['addKey'] = (options) => addTestKey(context, id, options)
  return { id, addKey, ...(await addKey()) }
}

async function addTestKey(
  context: Context,
  tenantId: string,
  options: { scopes?: readonly Scope[]; expiresAt?: Date } = {},
): Promise<TestKey> {
  const { privateKeyPem, publicKeyPem } = generateKeyPair()
  const { scopes = SCOPES, expiresAt } = options
  const keyId = await inTransaction(context.db, (tx) =>
    registerKey(
      tx,
      tenantId,
      { publicKeyPem, label: 'test', scopes, expiresAt },
      { maxActive: 1_000, now: context.resources.clock() },
    ),
  )
  const signer = await createSigner(privateKeyPem)
  const sign: TestKey['sign'] = (method, target, given = {}) =>
    signParts(context, keyId, signer, { method, target, ...given })
  return {
    keyId,
    privateKeyPem,
    client: createClient({
      baseUrl: `http://127.0.0.1:${context.port}`,
      keyId,
      privateKeyPem,
      now: context.resources.clock,
      maxAttempts: 1,
    }),
    sign,
    send: async (method, target, given = {}) => {
      // The key is drawn once, for the signature and the request alike.
      const { idempotencyKey = method === 'GET' ? null : randomUUID() } = given
      const signed = await sign(method, target, { ...given, idempotencyKey })
      return await sendHttp(context, method, target, given, signed)
    },
  }
}

async function signParts(
  { resources }: Context,
  keyId: string,
  signer: Signer,
  parts: SendOptions & { method: string; target: string },
): Promise<Record<string, string>> {
  const seconds = Math.floor(resources.clock().getTime() / 1_000)
  const { method, target, timestamp = String(seconds), idempotencyKey } = parts
  const body = toBytes(parts.body)
  return await signRequest(
    { keyId, timestamp, method, target, idempotencyKey: idempotencyKey ?? undefined, body },
    signer,
  )
}

function sendHttp(
  { port, agent }: Context,
  method: string,
  path: string,
  { body, from, headers }: SendOptions,
  signed: Record<string, string>,
): Promise<TestResponse> {
  const bytes = toBytes(body)
  const framing = bytes && {
    'content-type': 'application/json',
    'content-length': String(bytes.length),
  }
  return new Promise((resolve, reject) => {
    const request = httpRequest({
      host: '127.0.0.1',
      port,
      agent,
      method,
      path,
      ...(from === undefined ? {} : { localAddress: from }),
      headers: { ...framing, ...signed, ...headers },
    })
    request.on('error', reject)
    request.on('response', (response) => {
      const chunks: Buffer[] = []
      response.on('error', reject)
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString()
        const { statusCode: status = 0, headers: answered } = response
        resolve({ status, headers: answered, text, json: () => JSON.parse(text) })
      })
    })
    request.end(bytes)
  })
}

function toBytes(body: unknown): Buffer<ArrayBuffer> | undefined {
  if (body === undefined) return undefined
  if (body instanceof Uint8Array) return Buffer.from(body)
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
}

async function publishSampleDocument(tx: Tx, tenantId: string, now: Date): Promise<void> {
  const document = {
    contractType: 'master_loan_agreement',
    contractVersion: '2026-01',
    title: 'Master Loan Agreement',
    downloadUrl: 'https://example.com/contracts/master-loan-agreement.pdf',
    contentType: 'application/pdf',
  }
  await publishDocument(tx, tenantId, document, now)
}

async function setSamplePolicy(tx: Tx, now: Date): Promise<void> {
  for (const place of SAMPLE_RESIDENCIES) {
    for (const borrowerType of ['individual', 'business'] as const) {
      const rule = { ...place, borrowerType, ratePpm: undefined, maxLimitCents: undefined }
      await setResidencyRule(tx, rule, now)
    }
  }
}
