import { type KyselyPlugin, sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { newId } from '../../../src/core/ids.ts'
import { type Db, inTransaction } from '../../../src/db/database.ts'
import { isDistributed } from '../../../src/db/distribution.ts'
import { createKeyCache } from '../../../src/domain/auth/key-cache.ts'
import { createKeyOwners } from '../../../src/domain/auth/key-owners.ts'
import { registerKey, revokeKey } from '../../../src/domain/auth/keys.ts'
import { generateKeyPair } from '../../../src/domain/auth/public-key.ts'
import { SCOPES } from '../../../src/domain/auth/scopes.ts'
import { openTenant } from '../../support/lending/onboarding.ts'
import { createTestDatabase, type TestDatabase } from '../../support/stores/database.ts'

let nowMs = Date.now()
const clock = () => new Date(nowMs)

let database: TestDatabase
let tenantId: string
/** The pool of the look-ups alone. */
let db: Db
/** Of each look-up, whether it names the tenant whose key it asks for. */
let asked: ('list' | 'node' | 'all nodes')[] = []
beforeAll(async () => {
  database = await createTestDatabase()
  await sql`UPDATE stack SET distributed_at = now()`.execute(database.db)
  tenantId = await openTenant(database.db)
  const watching: KyselyPlugin = {
    transformQuery({ node }) {
      const text = JSON.stringify(node)
      if (text.includes('"api_key_owners"')) asked.push('list')
      else asked.push(text.includes(tenantId) ? 'node' : 'all nodes')
      return node
    },
    transformResult: async ({ result }) => result,
  }
  db = database.db.withPlugin(watching)
  await isDistributed(db)
})
afterAll(() => database?.[Symbol.asyncDispose]())
beforeEach(() => {
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

const createCache = () => createKeyCache(db, { cacheSeconds: 4, clock, batchPauseMs: 1 })

test('a key is looked up on the node of its tenant, and again when its time is over', async () => {
  const findKey = createCache()
  const keyId = await addKey()
  expect(await findKey(keyId, healthy)).toMatchObject({ keyId, tenantId })
  expect(asked).toEqual(['list', 'node'])
  nowMs += 5_000
  expect(await findKey(keyId, healthy)).toMatchObject({ keyId, tenantId })
  expect(asked).toEqual(['list', 'node', 'node'])
})

test('an invented key is asked of no node', async () => {
  const findKey = createCache()
  expect(await findKey(newId('key'), healthy)).toBeUndefined()
  expect(asked).toEqual(['list'])
})

test('a thousand invented keys from an exhausted source are asked of no node, and hide no valid key', async () => {
  const findKey = createCache()
  const keyId = await addKey()
  const flood = Array.from({ length: 999 }, () => findKey(newId('key'), exhausted))
  expect(await findKey(keyId, exhausted)).toMatchObject({ keyId, tenantId })
  expect(new Set(await Promise.all(flood))).toEqual(new Set([undefined]))
  expect(asked.filter((place) => place !== 'list')).toEqual(['node'])
  expect(asked.length).toBeLessThan(5)
})

test('a revoked key is found no more, and its owner is still known', async () => {
  const keyId = await addKey()
  await inTransaction(database.db, (tx) => revokeKey(tx, tenantId, keyId, clock()))
  expect(await createCache()(keyId, healthy)).toBeUndefined()
  asked = []
  expect(await createKeyOwners(db)(keyId)).toBe(tenantId)
  expect(asked).toEqual(['list'])
})
