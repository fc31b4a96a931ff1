import { randomBytes, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { createClient } from '../../src/client/client.ts'
import { createSigner } from '../../src/client/private-key.ts'
import { inTransaction } from '../../src/db/database.ts'
import { revokeKey } from '../../src/domain/auth/keys.ts'
import { stringToSign } from '../../src/domain/auth/verify-signature.ts'
import {
  apiForFile,
  createTestBorrower,
  type SendOptions,
  type TestKey,
} from '../support/api/api.ts'
import { expectProblem, type ReceivedProblem } from '../support/api/expect-problem.ts'
import { rawRequest, sendRaw } from '../support/api/raw-http.ts'

const START = Math.floor(Date.now() / 1_000) * 1_000
let nowMs = START
const api = apiForFile({ clock: () => new Date(nowMs) })
beforeEach(() => {
  nowMs = START
})

const HASH_OF_NOTHING = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'
const BORROWER = { type: 'individual', kyc_attested: true, residency_country: 'DE' } as const
const nowSeconds = () => String(Math.floor(nowMs / 1_000))

/** Sends exactly these headers, whatever they are. */
function sendUnsigned(headers: Record<string, string> | string[], target = '/v1/documents') {
  const lines = Array.isArray(headers)
    ? headers
    : Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  return sendRaw(api.port, rawRequest(`GET ${target} HTTP/1.1`, ['host: x', ...lines]))
}

test('a key with an id of an earlier release signs requests', async () => {
  const { keyId: now, privateKeyPem } = await api.tenant.addKey()
  const keyId = now.replace('key_', 'key_eu1_')
  for (const table of ['api_keys', 'api_key_owners']) {
    await sql`UPDATE ${sql.table(table)} SET key_id = ${keyId} WHERE key_id = ${now}`.execute(
      api.db,
    )
  }
  const baseUrl = `http://127.0.0.1:${api.port}`
  const client = createClient({ baseUrl, keyId, privateKeyPem, now: api.resources.clock })
  expect(await client.listDocuments()).toHaveLength(1)
  expect(await client.createBorrower(BORROWER)).toMatchObject({ type: 'individual' })
})

describe('the signature headers', () => {
  test.each(['X-SVC-Key-Id', 'X-SVC-Timestamp', 'X-SVC-Signature'])(
    'a request without %s is refused as signature_missing',
    async (missing) => {
      const { [missing]: _, ...headers } = await api.tenant.sign('GET', '/v1/documents')
      expectProblem(await sendUnsigned(headers), 401, 'signature_missing')
    },
  )

  const SIGNATURE = `${'A'.repeat(85)}A==`
  test.each([
    ['X-SVC-Key-Id', ''],
    ['X-SVC-Key-Id', 'nonsense'],
    ['X-SVC-Key-Id', `key_${'8'.repeat(26)}`],
    ['X-SVC-Key-Id', `bor_${'0'.repeat(26)}`],
    ['X-SVC-Key-Id', `KEY_${'0'.repeat(26)}`],
    ['X-SVC-Timestamp', ''],
    ['X-SVC-Timestamp', '17000000000'],
    ['X-SVC-Timestamp', '170000000'],
    ['X-SVC-Timestamp', '0170000000'],
    ['X-SVC-Timestamp', '1700000000.0'],
    ['X-SVC-Timestamp', '-170000000'],
    ['X-SVC-Timestamp', '0x6553f100'],
    ['X-SVC-Timestamp', '2026-11-20T12:00:00Z'],
    ['X-SVC-Signature', ''],
    ['X-SVC-Signature', 'A'.repeat(86)],
    ['X-SVC-Signature', `${'A'.repeat(85)}B==`],
    ['X-SVC-Signature', `${SIGNATURE}=`],
    ['X-SVC-Signature', `${'A'.repeat(84)}-A==`],
    ['X-SVC-Signature', `${'A'.repeat(84)}_A==`],
    ['X-SVC-Signature', `${'A'.repeat(42)} ${'A'.repeat(43)}==`],
    ['X-SVC-Signature', 'A'.repeat(88)],
    ['X-SVC-Signature', '00'.repeat(64)],
  ])('%s: %s is refused as signature_malformed', async (name, value) => {
    const headers = await api.tenant.sign('GET', '/v1/documents')
    const answer = await sendUnsigned({ ...headers, [name]: value })
    expectProblem(answer, 401, 'signature_malformed')
  })

  test.each(['X-SVC-Key-Id', 'X-SVC-Timestamp', 'X-SVC-Signature', 'Idempotency-Key'])(
    '%s given twice is refused as malformed_request, even with one value',
    async (name) => {
      const idempotencyKey = randomUUID()
      const headers = await api.tenant.sign('GET', '/v1/documents', { idempotencyKey })
      const lines = Object.entries(headers).map(([each, value]) => `${each}: ${value}`)
      const again = `${name.toLowerCase()}: ${headers[name]}`
      expectProblem(await sendUnsigned([...lines, again]), 400, 'malformed_request')
    },
  )
})

describe('the timestamp', () => {
  const at = (seconds: number) => String(Math.floor(nowMs / 1_000) + seconds)

  test.each([-60, -1, 0, 1, 60])(
    'a timestamp %i seconds away from our clock is accepted',
    async (seconds) => {
      const response = await api.tenant.send('GET', '/v1/documents', { timestamp: at(seconds) })
      expect(response.status).toBe(200)
    },
  )

  test.each([-61, 61, -3_600, 1_000_000])(
    'a timestamp %i seconds away from our clock is refused, and the answer shows our clock',
    async (seconds) => {
      const response = await api.tenant.send('GET', '/v1/documents', { timestamp: at(seconds) })
      const problem = expectProblem(response, 401, 'timestamp_out_of_range')
      expect(problem).toMatchObject({ server_time: new Date(nowMs).toISOString() })
    },
  )

  test("the timestamp's tolerance is exact to the millisecond", async () => {
    const timestamp = at(0)
    nowMs += 60_001
    const response = await api.tenant.send('GET', '/v1/documents', { timestamp })
    expectProblem(response, 401, 'timestamp_out_of_range')
  })
})

describe('the signature', () => {
  const TARGET = '/v1/borrowers?a=%2f&b'
  const idempotencyKey = '0b0f4f9a-3d0e-4b7e-9a51-6f0d9b1f2c3d'
  const body = JSON.stringify(BORROWER)
  const lines = (signed: Record<string, string>) => ({
    keyId: signed['X-SVC-Key-Id'] ?? '',
    timestamp: signed['X-SVC-Timestamp'] ?? '',
    idempotencyKey: signed['Idempotency-Key'] ?? '',
  })

  async function sendSigned(
    change: (signed: Record<string, string>) => Record<string, string>,
    sent: { method?: string; target?: string; body?: string } = {},
  ) {
    const signed = await api.tenant.sign('POST', TARGET, { body, idempotencyKey })
    const text = sent.body ?? body
    const headers = {
      host: 'x',
      'content-type': 'application/json',
      'content-length': String(text.length),
      ...change(signed),
    }
    const start = `${sent.method ?? 'POST'} ${sent.target ?? TARGET} HTTP/1.1`
    return await sendRaw(api.port, rawRequest(start, headers, text))
  }
  const same = (signed: Record<string, string>) => signed

  /** The last character with its lowest bit turned. */
  const turnBit = (text: string) =>
    text.slice(0, -1) + String.fromCharCode(text.charCodeAt(text.length - 1) ^ 1)

  test('a signature verifies for what was signed', async () => {
    // The operation has no use for that query, and reports that only after the signature is verified.
    expectProblem(await sendSigned(same), 422, 'validation_failed')
  })

  test('a signature does not hold with one character of the key id changed', async () => {
    const answer = await sendSigned((signed) => ({
      ...signed,
      // Another key id in form: not every letter is one of theirs.
      'X-SVC-Key-Id': (signed['X-SVC-Key-Id'] ?? '').replace(/.$/, (last) =>
        last === '0' ? '1' : '0',
      ),
    }))
    expectProblem(answer, 401, 'signature_invalid')
  })

  test('a signature does not hold with one bit of the timestamp turned', async () => {
    const answer = await sendSigned((signed) => ({
      ...signed,
      'X-SVC-Timestamp': turnBit(signed['X-SVC-Timestamp'] ?? ''),
    }))
    expectProblem(answer, 401, 'signature_invalid')
  })

  test('a signature does not hold for another method', async () => {
    expectProblem(await sendSigned(same, { method: 'PUT' }), 401, 'signature_invalid')
  })

  test.each([
    ['one bit turned', turnBit(TARGET)],
    ['its query in another order', '/v1/borrowers?b&a=%2f'],
    ['an escape in another case', '/v1/borrowers?a=%2F&b'],
    ['an escape decoded', '/v1/borrowers?a=/&b'],
    ['a fragment added', `${TARGET}#`],
    ['no query', '/v1/borrowers'],
  ])('a signature does not hold for a target with %s', async (_name, target) => {
    expectProblem(await sendSigned(same, { target }), 401, 'signature_invalid')
  })

  test.each([
    ['turned by one bit', turnBit(idempotencyKey)],
    ['in another case', idempotencyKey.toUpperCase()],
    ['empty', ''],
  ])('a signature does not hold for an Idempotency-Key %s', async (_name, key) => {
    const answer = await sendSigned((signed) => ({ ...signed, 'Idempotency-Key': key }))
    expectProblem(answer, 401, 'signature_invalid')
  })

  test('a signature does not hold without the Idempotency-Key', async () => {
    const answer = await sendSigned(({ 'Idempotency-Key': _, ...signed }) => signed)
    expectProblem(answer, 401, 'signature_invalid')
  })

  test('a signature does not hold with an Idempotency-Key that was not signed', async () => {
    const signed = await api.tenant.sign('GET', '/v1/documents')
    const answer = await sendUnsigned({ ...signed, 'Idempotency-Key': randomUUID() })
    expectProblem(answer, 401, 'signature_invalid')
  })

  test.each([
    ['one bit turned', turnBit(body)],
    ['a space added', `${body} `],
    ['no body', ''],
    ['broken JSON', '{{{{'],
  ])('a signature does not hold for a body with %s', async (_name, other) => {
    expectProblem(await sendSigned(same, { body: other }), 401, 'signature_invalid')
  })

  test('a signature does not hold under another scheme line', async () => {
    const signed = await api.tenant.sign('GET', '/v1/documents')
    const sign = await createSigner(api.tenant.privateKeyPem)
    const parts = { ...lines(signed), method: 'GET', target: '/v1/documents' }
    const text = stringToSign({ ...parts, bodyHash: HASH_OF_NOTHING })
    for (const [scheme, status] of [
      ['SVC-ED25519-V1', 200],
      ['SVC-ED25519-V2', 401],
      ['svc-ed25519-v1', 401],
    ] as const) {
      const message = new TextEncoder().encode(text.replace('SVC-ED25519-V1', scheme))
      const signature = Buffer.from(await sign(message)).toString('base64')
      const answer = await sendUnsigned({ ...signed, 'X-SVC-Signature': signature })
      expect(answer).toMatchObject({ status })
    }
  })

  test('a refusal shows the seven lines as we read them', async () => {
    const answer = await sendSigned(same, { body: '{}' })
    const problem = expectProblem(answer, 401, 'signature_invalid')
    expect(problem.string_to_sign).toBe(
      [
        'SVC-ED25519-V1',
        api.tenant.keyId,
        nowSeconds(),
        'POST',
        TARGET,
        idempotencyKey,
        '44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a',
      ].join('\n'),
    )
  })

  test('a signature with S raised by the order of the group is refused', async () => {
    const order = 2n ** 252n + 27_742_317_777_372_353_535_851_937_790_883_648_493n
    const headers = await api.tenant.sign('GET', '/v1/documents')
    const bytes = Buffer.from(headers['X-SVC-Signature'] ?? '', 'base64')
    const s = BigInt(`0x${Buffer.from(bytes.subarray(32)).reverse().toString('hex')}`) + order
    const raised = Buffer.from(s.toString(16).padStart(64, '0'), 'hex').reverse()
    const signature = Buffer.concat([bytes.subarray(0, 32), raised]).toString('base64')
    const answer = await sendUnsigned({ ...headers, 'X-SVC-Signature': signature })
    expectProblem(answer, 401, 'signature_invalid')
  })

  test('a signature of all zeros is refused', async () => {
    const headers = await api.tenant.sign('GET', '/v1/documents')
    const signature = Buffer.alloc(64).toString('base64')
    const answer = await sendUnsigned({ ...headers, 'X-SVC-Signature': signature })
    expectProblem(answer, 401, 'signature_invalid')
  })
})

describe('the key', () => {
  /** What a refusal holds, except what differs between any two requests. */
  const comparable = ({ request_id: _, string_to_sign: __, ...rest }: ReceivedProblem) => rest

  async function revoke(key: TestKey): Promise<void> {
    await inTransaction(api.db, (tx) =>
      revokeKey(tx, api.tenant.id, key.keyId, api.resources.clock()),
    )
  }

  test('unknown, revoked and expired keys and wrong signatures are one answer', async () => {
    const revoked = await api.tenant.addKey()
    await revoke(revoked)
    const expired = await api.tenant.addKey({ expiresAt: new Date(nowMs + 1) })
    nowMs += 1
    const signed = await api.tenant.sign('GET', '/v1/documents')
    const requests = {
      unknown: { ...signed, 'X-SVC-Key-Id': `key_${'0'.repeat(26)}` },
      revoked: await revoked.sign('GET', '/v1/documents'),
      expired: await expired.sign('GET', '/v1/documents'),
      wrong: { ...signed, 'X-SVC-Signature': randomBytes(64).toString('base64') },
      foreign: { ...signed, 'X-SVC-Key-Id': (await api.addTenant()).keyId },
    }
    const answers = []
    for (const headers of Object.values(requests)) {
      const answer = await sendUnsigned(headers)
      const problem = expectProblem(answer, 401, 'signature_invalid')
      const names = Object.keys(answer?.headers ?? {}).sort()
      const length = answer?.body.length
      answers.push({ problem: comparable(problem), order: Object.keys(problem), names, length })
    }
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
  })

  test('an API key works until the instant it expires', async () => {
    const key = await api.tenant.addKey({ expiresAt: new Date(nowMs + 10_000) })
    nowMs += 9_999
    expect((await key.send('GET', '/v1/documents')).status).toBe(200)
    nowMs += 1
    expectProblem(await key.send('GET', '/v1/documents'), 401, 'signature_invalid')
  })

  test('an API key works no longer than 4 seconds after its revocation', async () => {
    const key = await api.tenant.addKey()
    expect((await key.send('GET', '/v1/documents')).status).toBe(200)
    await revoke(key)
    nowMs += 4_000
    expectProblem(await key.send('GET', '/v1/documents'), 401, 'signature_invalid')
  })

  test('an API key is not kept for longer by a clock that is set back', async () => {
    const key = await api.tenant.addKey()
    expect((await key.send('GET', '/v1/documents')).status).toBe(200)
    await revoke(key)
    nowMs -= 1
    expectProblem(await key.send('GET', '/v1/documents'), 401, 'signature_invalid')
  })

  test('an API key that was used before it existed works within 4 seconds', async () => {
    const key = await api.tenant.addKey()
    await api.db
      .updateTable('api_keys')
      .set({ revoked_at: new Date(nowMs) })
      .where('key_id', '=', key.keyId)
      .execute()
    expectProblem(await key.send('GET', '/v1/documents'), 401, 'signature_invalid')
    await api.db
      .updateTable('api_keys')
      .set({ revoked_at: null })
      .where('key_id', '=', key.keyId)
      .execute()
    nowMs += 4_000
    expect((await key.send('GET', '/v1/documents')).status).toBe(200)
  })
})

describe('the frame', () => {
  test.each(['GET', 'DELETE', 'HEAD'])('a body on %s is refused', async (method) => {
    for (const [framing, body] of [
      ['content-length: 2', '{}'],
      ['transfer-encoding: chunked', '2\r\n{}\r\n0\r\n\r\n'],
    ]) {
      const signed = await api.tenant.sign(method, '/v1/documents', { body: '{}' })
      const lines = Object.entries(signed).map(([name, value]) => `${name}: ${value}`)
      const start = `${method} /v1/documents HTTP/1.1`
      const bytes = rawRequest(start, ['host: x', `${framing}`, ...lines], body)
      const answer = await sendRaw(api.port, bytes)
      if (method === 'HEAD') expect(answer?.status).toBe(400)
      else expectProblem(answer, 400, 'malformed_request')
    }
  })

  test.each(['GET', 'DELETE'])('an empty body of unknown length on %s is none', async (method) => {
    const webhook = { url: 'http://127.0.0.1:9/' }
    const { id } = (await api.tenant.send('POST', '/v1/webhooks', { body: webhook })).json()
    const signed = await api.tenant.sign(method, `/v1/webhooks/${id}`)
    const lines = Object.entries(signed).map(([name, value]) => `${name}: ${value}`)
    const start = `${method} /v1/webhooks/${id} HTTP/1.1`
    const headers = ['host: x', 'transfer-encoding: chunked', ...lines]
    const answer = await sendRaw(api.port, rawRequest(start, headers, '0\r\n\r\n'))
    expect(answer?.status).toBe(method === 'GET' ? 200 : 204)
  })

  test.each(['gzip', 'identity', 'br', ''])('Content-Encoding: %s is refused', async (encoding) => {
    const options: SendOptions = { body: BORROWER, headers: { 'content-encoding': encoding } }
    const response = await api.tenant.send('POST', '/v1/borrowers', options)
    expectProblem(response, 400, 'malformed_request')
  })

  test('a target in absolute form is refused, signed in either form', async () => {
    const absolute = 'http://x/v1/documents'
    for (const target of [absolute, '/v1/documents']) {
      const answer = await sendUnsigned(await api.tenant.sign('GET', target), absolute)
      expectProblem(answer, 400, 'malformed_request')
    }
  })
})

describe('the same bytes sent twice', () => {
  test('a read is answered again', async () => {
    const id = await createTestBorrower(api.tenant)
    const target = `/v1/borrowers/${id}`
    const signed = await api.tenant.sign('GET', target)
    const first = await sendUnsigned(signed, target)
    const second = await sendUnsigned(signed, target)
    expect(first).toMatchObject({ status: 200 })
    expect(second?.body).toBe(first?.body)
  })

  test('a mutation is answered from its record', async () => {
    const idempotencyKey = randomUUID()
    const signed = await api.tenant.sign('POST', '/v1/borrowers', {
      body: BORROWER,
      idempotencyKey,
    })
    const body = JSON.stringify(BORROWER)
    const headers = {
      host: 'x',
      'content-type': 'application/json',
      'content-length': String(body.length),
      ...signed,
    }
    const bytes = rawRequest('POST /v1/borrowers HTTP/1.1', headers, body)
    const first = await sendRaw(api.port, bytes)
    const second = await sendRaw(api.port, bytes)
    expect(first).toMatchObject({ status: 201 })
    expect(second).toMatchObject({ status: 201, body: first?.body })
    expect(second?.headers['idempotent-replayed']).toBe('true')
  })
})
