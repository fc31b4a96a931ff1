import { randomBytes, randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { Refusal } from '../../../src/core/errors.ts'
import { createSealer } from '../../../src/core/sealing.ts'
import { inTransaction } from '../../../src/db/database.ts'
import {
  fingerprintOf,
  type KeyedRequest,
  purgeRecords,
  runOnce,
  type SecretReplay,
} from '../../../src/domain/idempotency/idempotency.ts'
import { createTenant } from '../../../src/domain/tenants/tenants.ts'
import { databaseForFile } from '../../support/stores/database.ts'

const NOW = new Date('2026-11-20T12:00:00Z')
const secrets: SecretReplay = {
  sealer: createSealer([{ id: 'test', bytes: randomBytes(32) }]),
  replayHours: 24,
  currentSecretId: async () => undefined,
}

const database = databaseForFile()
let tenantId: string
beforeAll(async () => {
  const tenant = await inTransaction(database.db, (tx) => createTenant(tx, 'Test', NOW))
  tenantId = tenant.id
})

function request(key: string = randomUUID()): KeyedRequest {
  const fingerprint = fingerprintOf('POST', '/v1/things', 'hash')
  return { tenantId, key, fingerprint, sentBy: 'key_1' }
}

const answer = async () => ({ status: 201, body: '{"id":"x"}' })

function run(keyed: KeyedRequest, execute: Parameters<typeof runOnce>[3], now = NOW) {
  return runOnce(database.db, keyed, { secrets, now }, execute)
}

test('method, target and body each change the fingerprint, and are kept separate in it', () => {
  const parts: Parameters<typeof fingerprintOf>[] = [
    ['POST', '/v1/a', 'h'],
    ['PUT', '/v1/a', 'h'],
    ['POST', '/v1/b', 'h'],
    ['POST', '/v1/a', 'i'],
    ['POST', '/v1/ah', ''],
  ]
  const prints = parts.map((each) => fingerprintOf(...each).toString('hex'))
  expect(new Set(prints).size).toBe(parts.length)
})

test.each(['executes', 'refuses'])(
  'a record written between the read of the key and its lock is answered, when the second run %s',
  async (kind) => {
    const keyed = request()
    const second = await run(keyed, async () => {
      // The first request commits just now, after this transaction's read of the key.
      await database.db
        .insertInto('idempotency_records')
        .values({
          tenant_id: tenantId,
          key: keyed.key,
          fingerprint: keyed.fingerprint,
          status: 201,
          body: '{"id":"first"}',
          secret_id: null,
          recorded_at: NOW,
        })
        .execute()
      // What the first one did may well stand in the way of doing it again.
      if (kind === 'refuses') throw new Refusal('limit_reached', 'The last place is taken.')
      return await answer()
    })
    expect(second).toEqual({ status: 201, body: '{"id":"first"}', replayed: true })
  },
)

test('a refusal leaves the key unused, for the same request or another', async () => {
  const keyed = request()
  const refused = run(keyed, async () => {
    throw new Refusal('limit_reached', 'No.')
  })
  await expect(refused).rejects.toMatchObject({ code: 'limit_reached' })
  const other = { ...keyed, fingerprint: fingerprintOf('POST', '/v1/others', 'hash') }
  expect(await run(other, answer)).toMatchObject({ replayed: false })
})

test('records are kept for the whole retention and deleted after it, however many', async () => {
  const DAY_MS = 86_400_000
  await database.db.deleteFrom('idempotency_records').execute()
  const insert = (count: number, recordedAt: Date) =>
    database.db
      .insertInto('idempotency_records')
      .values(
        Array.from({ length: count }, () => ({
          tenant_id: tenantId,
          key: randomUUID(),
          fingerprint: Buffer.alloc(32),
          status: 201,
          body: '',
          secret_id: null,
          recorded_at: recordedAt,
        })),
      )
      .execute()
  await insert(2_500, new Date(NOW.getTime() - 30 * DAY_MS - 1))
  await insert(3, new Date(NOW.getTime() - 30 * DAY_MS))
  expect(await purgeRecords(database.db, 30, NOW)).toBe(2_500)
  expect(await purgeRecords(database.db, 30, NOW)).toBe(0)
  const left = await database.db.selectFrom('idempotency_records').select('key').execute()
  expect(left).toHaveLength(3)
})
