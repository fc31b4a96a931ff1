import { createPrivateKey } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import Fastify from 'fastify'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  createMemoryStore,
  createPostgresStore,
  createSigner,
  fastifyReceiver,
  INBOX_TABLES,
  nodeReceiver,
  ProblemError,
  signRequest,
  stringToSign,
  UnreachableError,
  verifyEventChain,
  verifyWebhook,
} from '../../src/client/index.ts'
import { retryDelayMs } from '../../src/client/retry.ts'
import { databaseForFile } from '../support/stores/database.ts'
import { conformance } from './conformance.ts'
import { playScenario } from './play-scenario.ts'

const database = databaseForFile()
let pool: pg.Pool
beforeAll(async () => {
  pool = new pg.Pool({ connectionString: database.url, max: 2 })
  await pool.query(INBOX_TABLES)
})
afterAll(() => pool.end())

test.for(conformance.signing)('signing: $name', async ({ string_to_sign, signature, ...given }) => {
  const parts = { keyId: conformance.key.id, idempotencyKey: given.idempotency_key, ...given }
  expect(await stringToSign(parts)).toBe(string_to_sign)
  const signed = await signRequest(parts, await createSigner(conformance.key.pkcs8_pem))
  expect(signed['X-SVC-Signature']).toBe(signature)
})

test('the key of the conformance file is one that Node reads too', () => {
  const { pkcs8_pem, seed_hex } = conformance.key
  const der = createPrivateKey(pkcs8_pem).export({ type: 'pkcs8', format: 'der' })
  expect(der.subarray(-32).toString('hex')).toBe(seed_hex)
})

test.for(conformance.verifying)('verifying: $name', ({ secrets, headers, now, ...given }) => {
  const rawBody = Buffer.from(
    given.body ?? given.body_base64 ?? '',
    given.body === undefined ? 'base64' : 'utf8',
  )
  const at = new Date(Math.round(now * 1_000))
  const verdict = verifyWebhook({ rawBody, headers, secret: secrets, now: at })
  expect(verdict.ok ? 'ok' : verdict.reason).toBe(given.verdict)
})

test.each([[''], [[]], [['whsec_x', '']]])(
  'the secret %j is a mistake of the receiver',
  (secret) => {
    const verify = () => verifyWebhook({ rawBody: '', headers: {}, secret, now: new Date() })
    expect(verify).toThrow(TypeError)
  },
)

test.for(conformance.retries)('retries: $name', (given) => {
  const headers = new Headers()
  if (given.retry_after !== undefined) headers.set('retry-after', String(given.retry_after))
  const error =
    given.status === 0
      ? new UnreachableError('no answer')
      : new ProblemError(new Response(null, { status: given.status, headers }), {
          code: given.code,
        })
  const delay = retryDelayMs(error, given.failed_attempts, given.random)
  expect(delay ?? null).toBe(given.delay_ms)
})

test.for(conformance.chains)('hash chain: $name', ({ items, after, verdict }) => {
  expect(
    verifyEventChain(
      items.map((item) => JSON.parse(item)),
      after,
    ),
  ).toEqual(verdict)
})

test.for(conformance.inbox)('inbox in memory: $name', async (scenario) => {
  await playScenario(scenario, createMemoryStore())
})

test.for(conformance.inbox)('inbox in PostgreSQL: $name', async (scenario) => {
  await playScenario(scenario, createPostgresStore(pool))
})

/** Answers what it is asked to, and keeps what it received. */
function createRecorder(answer: () => Promise<204 | 400>) {
  const bodies: string[] = []
  return {
    bodies,
    receive: ({ rawBody }: { rawBody: Uint8Array | string }) => {
      bodies.push(Buffer.from(rawBody as Uint8Array).toString('latin1'))
      return answer()
    },
  }
}

const ADAPTERS = {
  async node(inbox: Parameters<typeof nodeReceiver>[0]) {
    const server = createServer(nodeReceiver(inbox))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    return { url: `http://127.0.0.1:${port}/`, close: () => server.close() }
  },
  async fastify(inbox: Parameters<typeof fastifyReceiver>[0]) {
    const app = Fastify()
    await app.register(fastifyReceiver(inbox, '/hook'))
    app.post('/other', async ({ body }) => body)
    const url = await app.listen({ host: '127.0.0.1', port: 0 })
    return { url: `${url}/hook`, close: () => app.close() }
  },
}

test.for(['node', 'fastify'] as const)(
  'the adapter of %s passes on the bytes as they arrived, and answers what the inbox decides',
  async (kind) => {
    const answers = [
      async () => 204 as const,
      async () => 400 as const,
      () => Promise.reject(new Error('no store')),
    ]
    let posted = 0
    const inbox = createRecorder(() => (answers[posted - 1] ?? answers[2])?.() ?? Promise.reject())
    const server = await ADAPTERS[kind](inbox)
    const post = async (body: string, init: RequestInit = {}) => {
      posted += 1
      const bytes = Buffer.from(body, 'latin1')
      const type = { 'content-type': 'application/json' }
      return (await fetch(server.url, { method: 'POST', headers: type, body: bytes, ...init }))
        .status
    }
    try {
      expect([await post('{ "a" : 1 }'), await post('\xff'), await post('{}')]).toEqual([
        204, 400, 503,
      ])
      expect(inbox.bodies).toEqual(['{ "a" : 1 }', '\xff', '{}'])
      expect(await post('x'.repeat(1_048_577))).toBe(413)
      const other = (await fetch(server.url)).status
      expect(other).toBe(kind === 'node' ? 405 : 404)
      expect(inbox.bodies).toHaveLength(3)
    } finally {
      await server.close()
    }
  },
)

test('other routes beside the Fastify plugin keep their parsers', async () => {
  const app = Fastify()
  await app.register(
    fastifyReceiver(
      createRecorder(async () => 204),
      '/hook',
    ),
  )
  app.post('/other', async ({ body }) => body)
  const answer = await app.inject({ method: 'POST', url: '/other', payload: { a: 1 } })
  expect(answer.json()).toEqual({ a: 1 })
})
