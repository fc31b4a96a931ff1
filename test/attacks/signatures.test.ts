import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newId } from '../../src/core/ids.ts'
import { inTransaction } from '../../src/db/database.ts'
import { scheduleWorks } from '../../src/domain/work/work.ts'
import { startTestApi, type TestApi } from '../support/api/api.ts'
import { type RawAnswer, rawRequest, sendRaw } from '../support/api/raw-http.ts'
import { LONG_SCENARIO_MS } from '../support/process/patience.ts'
import { signCallback, startVendors } from '../support/servers/vendor-server.ts'
import { type Snapshot, takeSnapshot } from './fuzz/snapshot.ts'

const NOW = new Date('2026-11-20T12:00:00Z')
const BURST = 5
const AT_ONCE = 20

let owned: AsyncDisposableStack
let api: TestApi
let before: Snapshot
beforeAll(async () => {
  owned = new AsyncDisposableStack()
  const vendors = owned.use(await startVendors(() => NOW))
  // Five tokens for money, and no other within the hour.
  const limits = `money=0.0002/${BURST},unverified=1000/100000`
  const env = { ...vendors.environment, RATE_LIMITS: limits }
  api = owned.use(await startTestApi({ env, clock: () => NOW }))
})
beforeEach(async () => {
  before = await takeSnapshot(api.db)
})
afterAll(() => owned.disposeAsync())

/** A request in the parts that are signed, every one of which travels as text. */
type Parts = { method: string; target: string; body: string; headers: Record<string, string> }

/** The text with each of its bits turned, one at a time. */
function turnBits(text: string): string[] {
  return Array.from({ length: text.length * 8 }, (_, bit) => {
    const bytes = Buffer.from(text, 'latin1')
    bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7))
    return bytes.toString('latin1')
  })
}

/** Every request that differs in one bit of what is signed, or of the signature. */
function forge(parts: Parts, signed: readonly string[]): Parts[] {
  const { method, target, body, headers } = parts
  return [
    ...turnBits(method).map((other) => ({ ...parts, method: other })),
    ...turnBits(target).map((other) => ({ ...parts, target: other })),
    ...turnBits(body).map((other) => ({ ...parts, body: other })),
    ...signed.flatMap((name) =>
      turnBits(headers[name] ?? '').map((other) => ({
        ...parts,
        headers: { ...headers, [name]: other },
      })),
    ),
  ]
}

function send({ method, target, body, headers }: Parts): Promise<RawAnswer | undefined> {
  const framed = {
    host: 'x',
    'content-type': 'application/json',
    'content-length': String(body.length),
    ...headers,
  }
  return sendRaw(api.port, rawRequest(`${method} ${target} HTTP/1.1`, framed, body))
}

/** Sends all of them, some at once, and gives what was not refused as it should be. */
async function findTaken(forged: readonly Parts[], verified: RegExp): Promise<unknown[]> {
  const taken: unknown[] = []
  for (let at = 0; at < forged.length; at += AT_ONCE) {
    const some = forged.slice(at, at + AT_ONCE)
    const answers = await Promise.all(some.map(send))
    for (const [index, answer] of answers.entries()) {
      const parts = some[index]
      // A path that no longer leads to what verifies signatures leads nowhere at all, or to a page.
      const expected = verified.test(parts?.target ?? '') ? [400, 401] : [400, 404, 405]
      const problem = JSON.parse(answer?.body || '{}')
      if (!expected.includes(problem.status)) taken.push({ parts, answer })
    }
  }
  return taken
}

describe('a request of a tenant', () => {
  const body = '{"type":"individual","kyc_attested":true,"residency_country":"DE"}'
  const target = '/v1/borrowers'
  const SIGNED = ['X-SVC-Key-Id', 'X-SVC-Timestamp', 'X-SVC-Signature', 'Idempotency-Key']

  test(
    'a tenant’s request with any one bit flipped is refused, spends no token and changes nothing',
    async () => {
      const idempotencyKey = '0b0f4f9a-3d0e-4b7e-9a51-6f0d9b1f2c3d'
      const headers = await api.tenant.sign('POST', target, { body, idempotencyKey })
      const parts = { method: 'POST', target, body, headers }
      const forged = forge(parts, SIGNED)
      expect(forged.length).toBeGreaterThan(1_500)
      expect(await findTaken(forged, /^\/v1([/?]|$)/)).toEqual([])
      expect(await takeSnapshot(api.db)).toEqual(before)
      // Unturned it is taken, with the first of the tokens.
      const taken = await send(parts)
      expect(taken).toMatchObject({ status: 201 })
      expect(taken?.headers['ratelimit-remaining']).toBe(String(BURST - 1))
    },
    LONG_SCENARIO_MS,
  )
})

describe('a callback of a provider', () => {
  test(
    'a provider’s callback with any one bit flipped is refused and changes nothing',
    async () => {
      const drawId = newId('drw')
      const work = {
        topic: 'release-draw',
        subjectId: drawId,
        dueAt: new Date('2026-11-20T13:00:00Z'),
      } as const
      await inTransaction(api.db, (tx) => scheduleWorks(tx, api.tenant.id, [work]))
      before = await takeSnapshot(api.db)

      const callback = { tenantId: api.tenant.id, callId: drawId }
      const { target, body, headers } = signCallback(NOW, 'payments', callback)
      const parts = { method: 'POST', target, body, headers }
      const signed = ['x-svc-timestamp', 'x-svc-signature', 'idempotency-key']
      // The signature is hexadecimal, in either case: there a letter's case is no other signature.
      const other = (each: Parts) => each.headers['x-svc-signature'] ?? ''
      const [own, same] = [other(parts), other(parts).toLowerCase()]
      const forged = forge(parts, signed).filter(
        (each) => other(each) === own || other(each).toLowerCase() !== same,
      )
      expect(forged.length).toBeGreaterThan(1_500)
      expect(await findTaken(forged, /^\/callbacks\/payments(\?|$)/)).toEqual([])
      expect(await takeSnapshot(api.db)).toEqual(before)
      expect(await send(parts)).toMatchObject({ status: 200, body: '{"outcome":"accepted"}' })
    },
    LONG_SCENARIO_MS,
  )
})
