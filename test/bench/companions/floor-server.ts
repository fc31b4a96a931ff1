// The floor of the signed routes: what no implementation can leave out, and nothing else. It verifies
// the same signature, makes one EVALSHA, and reads one row by its key or runs one transaction with
// the statements of ours. No checks, no logs, no metrics, no problem objects.
import { createPublicKey, hash, randomUUID } from 'node:crypto'
import fastify, { type FastifyRequest } from 'fastify'
import { Redis } from 'ioredis'
import pg from 'pg'
import sodium from 'sodium-native'
import { takeScript } from '../../../src/http/limits/token-bucket-scripts.ts'
import type { Signatory } from '../../support/world/tenants.ts'
import { answerQuestions } from './answer-questions.ts'

export type FloorOptions = {
  databaseUrl: string
  redisUrl: string
  connections: number
  signatory: Signatory
}

answerQuestions(async (options: FloorOptions) => ({ port: await startFloor(options) }))

async function startFloor(options: FloorOptions): Promise<number> {
  const pool = new pg.Pool({ connectionString: options.databaseUrl, max: options.connections })
  const redis = new Redis(options.redisUrl)
  redis.defineCommand('take', { numberOfKeys: 1, lua: takeScript })
  const scripts = redis as unknown as { take(...args: string[]): Promise<number> }
  const { tenantId, publicKeyPem } = options.signatory
  const publicKey = createPublicKey(publicKeyPem)
    .export({ format: 'der', type: 'spki' })
    .subarray(12)

  const app = fastify()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) =>
    done(null, body),
  )
  const admit = async (request: FastifyRequest) => {
    assertSigned(request, publicKey)
    const tokens = await scripts.take(`floor:{${tenantId}}`, '1', '1000000')
    if (tokens < 0) throw new Error('no token')
  }

  app.get<{ Params: { id: string } }>('/v1/borrowers/:id', async (request) => {
    await admit(request)
    const { rows } = await pool.query(prepared(SELECT_BORROWER, [tenantId, request.params.id]))
    return rows[0]
  })
  app.post('/v1/borrowers', async (request, reply) => {
    await admit(request)
    const borrower = await createBorrower(pool, tenantId, request)
    reply.code(201)
    return borrower
  })
  app.put<{ Params: { id: string } }>('/v1/borrowers/:id/portfolio', async (request) => {
    await admit(request)
    return await putPortfolio(pool, [tenantId, request.params.id], request)
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  const [address] = app.addresses()
  if (!address || typeof address === 'string') throw new Error('the floor has no port')
  return address.port
}

function assertSigned({ raw, body }: FastifyRequest, publicKey: Buffer): void {
  const { headers, method, url } = raw
  const bodyHash = hash('sha256', body instanceof Buffer ? body : '', 'hex')
  const key = headers['idempotency-key'] ?? ''
  const text = `SVC-ED25519-V1\n${headers['x-svc-key-id']}\n${headers['x-svc-timestamp']}\n${method}\n${url}\n${key}\n${bodyHash}`
  const signature = Buffer.from(String(headers['x-svc-signature']), 'base64')
  if (!sodium.crypto_sign_verify_detached(signature, Buffer.from(text), publicKey)) {
    throw new Error('the signature does not verify')
  }
}

/** Parsed and planned once a connection, as ours are. Named by its beginning, in which no two are alike. */
const prepared = (text: string, values: unknown[]): pg.QueryConfig => ({
  ...{ name: text.slice(0, 40), text, values },
})

const SELECT_CLOCK = 'SELECT clock_offset_ms FROM tenants WHERE tenant_id = $1'

const SELECT_BORROWER = 'SELECT * FROM borrowers WHERE tenant_id = $1 AND borrower_id = $2'

const UPSERT_PORTFOLIO = `
  INSERT INTO portfolios (tenant_id, borrower_id, as_of, digest, positions, received_at)
  VALUES ($1, $2, $3, $4, $5, $6)
  ON CONFLICT (tenant_id, borrower_id) DO UPDATE SET as_of = excluded.as_of,
    digest = excluded.digest, positions = excluded.positions, received_at = excluded.received_at`

const LOCK_KEY = `
  SELECT l.acquired, r.fingerprint, r.status, r.body
  FROM (SELECT pg_try_advisory_xact_lock(hashtextextended($1 || '/' || $2, 0)) AS acquired) l
  LEFT JOIN idempotency_records r ON r.tenant_id = $1 AND r.key = $2::uuid`

const SELECT_POLICY = `
  SELECT allowed FROM residency_policy
  WHERE country = $1 AND state IN ($2, '') AND borrower_type = $3 ORDER BY state DESC LIMIT 1`

const INSERT_BORROWER = `
  INSERT INTO borrowers (tenant_id, borrower_id, type, kyc_attested, residency_country, created_at,
                         updated_at)
  VALUES ($1, $2, $3, $4, $5, $6, $6)`

const INSERT_WORK = `
  INSERT INTO work (tenant_id, topic, clock, priority, subject_id, due_at, ready)
  VALUES ($1, $2, 'real', 4, $3, $4, true)
  ON CONFLICT (tenant_id, topic, subject_id) DO UPDATE SET generation = work.generation + 1`

const INSERT_RECORD = `
  INSERT INTO idempotency_records (tenant_id, key, fingerprint, status, body, recorded_at)
  VALUES ($1, $2, $3, $4, $5, $6)`

/** One upsert, whatever is there. */
async function putPortfolio(
  pool: pg.Pool,
  key: readonly [tenantId: string, borrowerId: string],
  { body }: FastifyRequest,
) {
  const { as_of, positions } = JSON.parse(String(body))
  const digest = hash('sha256', String(body), 'buffer')
  const micros = Date.parse(as_of) * 1_000
  const row = [...key, micros, digest, JSON.stringify(positions), new Date()]
  const client = await pool.connect()
  try {
    await client.query('BEGIN')
    await client.query(prepared(UPSERT_PORTFOLIO, row))
    await client.query('COMMIT')
    return { applied: true, as_of }
  } finally {
    client.release()
  }
}

/** The eight statements of ours, one after the other. */
async function createBorrower(pool: pg.Pool, tenantId: string, { raw, body }: FastifyRequest) {
  const key = String(raw.headers['idempotency-key'])
  const input = JSON.parse(String(body))
  const client = await pool.connect()
  try {
    await client.query('BEGIN')
    await client.query(prepared(LOCK_KEY, [tenantId, key]))
    await client.query(prepared(SELECT_CLOCK, [tenantId]))
    await client.query(prepared(SELECT_POLICY, [input.residency_country, '', input.type]))
    const now = new Date()
    const borrower = { id: `bor_${randomUUID()}`, ...input, eligible: false, created_at: now }
    const { id, type, kyc_attested, residency_country } = borrower
    const row = [tenantId, id, type, kyc_attested, residency_country, now]
    await client.query(prepared(INSERT_BORROWER, row))
    await client.query(prepared(INSERT_WORK, [tenantId, 'floor', id, now]))
    const text = JSON.stringify(borrower)
    const fingerprint = hash('sha256', String(body), 'buffer')
    const record = [tenantId, key, fingerprint, 201, text, now]
    await client.query(prepared(INSERT_RECORD, record))
    await client.query('COMMIT')
    return borrower
  } finally {
    client.release()
  }
}
