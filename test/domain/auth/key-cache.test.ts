import type { KyselyPlugin } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { newId } from '../../../src/core/ids.ts'
import { type Db, inTransaction } from '../../../src/db/database.ts'
import { isDistributed } from '../../../src/db/distribution.ts'
import { createKeyCache } from '../../../src/domain/auth/key-cache.ts'
import { registerKey, revokeKey } from '../../../src/domain/auth/keys.ts'
import { generateKeyPair } from '../../../src/domain/auth/public-key.ts'
import { SCOPES } from '../../../src/domain/auth/scopes.ts'
import { openTenant } from '../../support/lending/onboarding.ts'
import { createTestDatabase, type TestDatabase } from '../../support/stores/database.ts'

const START = Date.now()
const CACHE_SECONDS = 4
let nowMs = START
const clock = () => new Date(nowMs)

let database: TestDatabase
let tenantId: string
/** The pool of the cache alone, which counts what it is asked. */
let db: Db
let queries = 0
beforeAll(async () => {
  database = await createTestDatabase()
  tenantId = await openTenant(database.db)
  const counting: KyselyPlugin = {
    transformQuery({ node }) {
      queries += 1
      return node
    },
    transformResult: async ({ result }) => result,
  }
  db = database.db.withPlugin(counting)
  // Read once, whatever is looked up afterwards.
  await isDistributed(db)
})
afterAll(() => database?.[Symbol.asyncDispose]())
beforeEach(() => {
  nowMs = START
  queries = 0
})

const healthy = async () => false
const exhausted = async () => true

async function addKey(): Promise<string> {
  const { publicKeyPem } = generateKeyPair()
  const key = { publicKeyPem, label: 'test', scopes: SCOPES, expiresAt: undefined }
  return await inTransaction(database.db, (tx) =>
    registerKey(tx, tenantId, key, { maxActive: 1_000, now: clock() }),
  )
}

const madeUp = (count: number) => Array.from({ length: count }, () => newId('key'))
const createCache = (batchPauseMs = 1) =>
  createKeyCache(db, { cacheSeconds: CACHE_SECONDS, clock, batchPauseMs })

test('unknown ids of sources over their failure limit reach the database as one query, however many they are', async () => {
  const findKey = createCache(20)
  const found = await Promise.all(madeUp(900).map((keyId) => findKey(keyId, exhausted)))
  expect(new Set(found)).toEqual(new Set([undefined]))
  expect(queries).toBe(1)
})

test('a valid key from a source over its failure limit is found among thousands of unknown ids', async () => {
  const findKey = createCache()
  const keyId = await addKey()
  const flood = madeUp(5_000).map((unknown) => findKey(unknown, exhausted))
  expect(await findKey(keyId, exhausted)).toMatchObject({ keyId, tenantId })
  await Promise.all(flood)
  expect(queries).toBeLessThanOrEqual(6)
})

test('the failure limit of a source is checked only before an unknown id is looked up', async () => {
  const findKey = createCache()
  const [keyId, unknown] = [await addKey(), newId('key')]
  let asked = 0
  const isExhausted = async () => {
    asked += 1
    return true
  }
  await findKey(keyId, isExhausted)
  await findKey(unknown, isExhausted)
  expect(asked).toBe(2)
  await findKey(keyId, isExhausted)
  await findKey(unknown, isExhausted)
  nowMs += CACHE_SECONDS * 1_000
  expect(await findKey(keyId, isExhausted)).toMatchObject({ keyId })
  expect(asked).toBe(2)
  await findKey(unknown, isExhausted)
  expect(asked).toBe(3)
})

test('unknown ids do not displace keys, however many they are', async () => {
  const findKey = createCache()
  const keyId = await addKey()
  await findKey(keyId, healthy)
  await Promise.all(madeUp(25_000).map((unknown) => findKey(unknown, exhausted)))
  queries = 0
  expect(await findKey(keyId, healthy)).toMatchObject({ keyId })
  expect(queries).toBe(0)
})

test('an unknown id is not queried again while its answer is cached', async () => {
  const findKey = createCache()
  const unknown = newId('key')
  for (let count = 0; count < 5; count += 1) await findKey(unknown, healthy)
  expect(queries).toBe(1)
  nowMs += CACHE_SECONDS * 1_000
  await findKey(unknown, healthy)
  expect(queries).toBe(2)
})

test('a revoked key is unknown once its cache entry has expired, to any source', async () => {
  for (const source of [healthy, exhausted]) {
    const findKey = createCache()
    const keyId = await addKey()
    expect(await findKey(keyId, source)).toMatchObject({ keyId })
    await inTransaction(database.db, (tx) => revokeKey(tx, tenantId, keyId, clock()))
    nowMs += CACHE_SECONDS * 1_000
    expect(await findKey(keyId, source)).toBeUndefined()
    expect(await findKey(keyId, source)).toBeUndefined()
  }
})

test('a query that fails is reported to all callers that share it, and the next one succeeds', async () => {
  const closed = await createTestDatabase()
  const findKey = createKeyCache(closed.db, { cacheSeconds: 4, clock, batchPauseMs: 1 })
  await closed[Symbol.asyncDispose]()
  const ids = madeUp(3)
  const outcomes = await Promise.allSettled(ids.map((keyId) => findKey(keyId, exhausted)))
  expect(outcomes.map(({ status }) => status)).toEqual(Array(3).fill('rejected'))
  await expect(findKey(ids[0] ?? '', exhausted)).rejects.toThrow()
})
