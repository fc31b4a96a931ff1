import type { KyselyPlugin } from 'kysely'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { newId } from '../../../src/core/ids.ts'
import { SCOPES } from '../../../src/core/scopes.ts'
import { type Db, inTransaction } from '../../../src/db/database.ts'
import { createKeyCache } from '../../../src/domain/auth/key-cache.ts'
import { createKeyOwners } from '../../../src/domain/auth/key-owners.ts'
import { registerKey, revokeKey } from '../../../src/domain/auth/keys.ts'
import { generateKeyPair } from '../../../src/domain/auth/public-key.ts'
import { openTenant } from '../../support/lending/onboarding.ts'
import { createTestDatabase, databaseForFile } from '../../support/stores/database.ts'

const START = Date.now()
const CACHE_SECONDS = 4
let nowMs = START
const clock = () => new Date(nowMs)

const database = databaseForFile()
let tenantId: string
/** The pool of the look-ups alone. */
let db: Db
/** Of each look-up, whether it asks for the owner, or for a key by its tenant. */
let asked: ('owner' | 'key of tenant' | 'key')[] = []
beforeAll(async () => {
  tenantId = await openTenant(database.db)
  const watching: KyselyPlugin = {
    transformQuery({ node }) {
      const text = JSON.stringify(node)
      if (text.includes('"api_key_owners"')) asked.push('owner')
      else asked.push(text.includes(tenantId) ? 'key of tenant' : 'key')
      return node
    },
    transformResult: async ({ result }) => result,
  }
  db = database.db.withPlugin(watching)
})
beforeEach(() => {
  nowMs = START
  asked = []
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
const createCache = (waitMs = 1) =>
  createKeyCache(db, { cacheSeconds: CACHE_SECONDS, clock, waitMs })

test('a key is looked up by its owner, whom it keeps, and an invented key by nothing else', async () => {
  const findKey = createCache()
  const keyId = await addKey()
  expect(await findKey(keyId, healthy)).toMatchObject({ keyId, tenantId })
  expect(asked).toEqual(['owner', 'key of tenant'])
  nowMs += CACHE_SECONDS * 1_000
  expect(await findKey(keyId, healthy)).toMatchObject({ keyId, tenantId })
  expect(asked).toEqual(['owner', 'key of tenant', 'key of tenant'])
  expect(await findKey(newId('key'), healthy)).toBeUndefined()
  expect(asked).toEqual(['owner', 'key of tenant', 'key of tenant', 'owner'])
})

test('unknown ids of sources over their failure limit reach the database as one query, however many they are', async () => {
  const findKey = createCache(20)
  const found = await Promise.all(madeUp(900).map((keyId) => findKey(keyId, exhausted)))
  expect(new Set(found)).toEqual(new Set([undefined]))
  expect(asked).toEqual(['owner'])
})

test('a valid key from a source over its failure limit is found among thousands of unknown ids', async () => {
  const findKey = createCache()
  const keyId = await addKey()
  const flood = madeUp(5_000).map((unknown) => findKey(unknown, exhausted))
  expect(await findKey(keyId, exhausted)).toMatchObject({ keyId, tenantId })
  await Promise.all(flood)
  expect(asked.filter((one) => one !== 'owner')).toEqual(['key of tenant'])
  expect(asked.length).toBeLessThanOrEqual(8)
})

test('the failure limit of a source is checked only before an unknown id is looked up', async () => {
  const findKey = createCache()
  const [keyId, unknown] = [await addKey(), newId('key')]
  let checks = 0
  const isExhausted = async () => {
    checks += 1
    return true
  }
  await findKey(keyId, isExhausted)
  await findKey(unknown, isExhausted)
  expect(checks).toBe(2)
  await findKey(keyId, isExhausted)
  await findKey(unknown, isExhausted)
  nowMs += CACHE_SECONDS * 1_000
  expect(await findKey(keyId, isExhausted)).toMatchObject({ keyId })
  expect(checks).toBe(2)
  await findKey(unknown, isExhausted)
  expect(checks).toBe(3)
})

test('unknown ids do not displace keys, however many they are', async () => {
  const findKey = createCache()
  const keyId = await addKey()
  await findKey(keyId, healthy)
  await Promise.all(madeUp(25_000).map((unknown) => findKey(unknown, exhausted)))
  asked = []
  expect(await findKey(keyId, healthy)).toMatchObject({ keyId })
  expect(asked).toEqual([])
})

test('an unknown id is not queried again while its answer is cached', async () => {
  const findKey = createCache()
  const unknown = newId('key')
  for (let count = 0; count < 5; count += 1) await findKey(unknown, healthy)
  expect(asked.length).toBe(1)
  nowMs += CACHE_SECONDS * 1_000
  await findKey(unknown, healthy)
  expect(asked.length).toBe(2)
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
    expect(await createKeyOwners(db)(keyId)).toBe(tenantId)
  }
})

test('a query that fails is reported to all callers that share it, and the next one succeeds', async () => {
  const closed = await createTestDatabase()
  const findKey = createKeyCache(closed.db, { cacheSeconds: 4, clock, waitMs: 1 })
  await closed[Symbol.asyncDispose]()
  const ids = madeUp(3)
  const outcomes = await Promise.allSettled(ids.map((keyId) => findKey(keyId, exhausted)))
  expect(outcomes.map(({ status }) => status)).toEqual(Array(3).fill('rejected'))
  await expect(findKey(ids[0] ?? '', exhausted)).rejects.toThrow()
})
