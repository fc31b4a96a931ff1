import { expect, test } from 'vitest'
import { loadConfig } from '../../src/config/config.ts'
import { CONSTANTS } from '../../src/config/constants.ts'
import { LEASE_MS } from '../../src/domain/work/claim.ts'
import { testEnvironment } from '../support/process/config.ts'

const stores = { databaseUrl: 'postgres://localhost/lending', redisUrl: 'redis://localhost' }

test('a call to a provider ends before another worker may claim its work', () => {
  expect(CONSTANTS.vendorLimits.deadlineSeconds * 1_000).toBeLessThan(LEASE_MS)
})

test('a revoked key is refused within five seconds', () => {
  expect(CONSTANTS.keyCacheSeconds).toBeLessThan(5)
})

test('a constant is not read from the environment', () => {
  const env = testEnvironment(stores, { MAX_ACTIVE_KEYS: '1', PROVIDER_DEADLINE_SECONDS: '1' })
  expect(loadConfig(env)).toMatchObject(CONSTANTS)
})
