import { createPrivateKey, createPublicKey } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { SCOPES } from '../../src/core/scopes.ts'
import { listKeys } from '../../src/domain/auth/keys.ts'
import { listRequiredDocuments } from '../../src/domain/onboarding/documents.ts'
import { listTenants } from '../../src/domain/tenants/tenants.ts'
import { readJson } from '../../src/local/private-file.ts'
import { seedDemoTenant, seedStoryTenant } from '../../src/local/seed.ts'
import { createTemporaryFolder } from '../support/process/temporary-folder.ts'
import { createTestDatabase } from '../support/stores/database.ts'

const NOW = new Date('2026-11-20T12:00:00Z')

test('the demo tenant has a key of every scope, with its private half in sandbox.json alone, and two documents', async () => {
  using folder = createTemporaryFolder()
  await using database = await createTestDatabase()
  const settings = { folder: folder.path, baseUrl: 'http://127.0.0.1:8080' }
  const credentials = await seedDemoTenant(settings, database.url, NOW)

  expect(readJson(join(folder.path, 'sandbox.json'))).toEqual(credentials)
  const [key] = await listKeys(database.db, credentials.tenant_id, NOW)
  expect(key).toMatchObject({ id: credentials.key_id, state: 'active', scopes: [...SCOPES] })
  const publicKey = createPublicKey(createPrivateKey(credentials.private_key_pem))
  expect(key?.publicKeyPem).toBe(publicKey.export({ format: 'pem', type: 'spki' }))
  const documents = await listRequiredDocuments(database.db, credentials.tenant_id)
  expect(
    documents.map((document) => `${document.contractType} ${document.contractVersion}`).sort(),
  ).toEqual(['borrower_disclosures 2026-11', 'master_loan_agreement 2026-11'])
})

test('stories have a tenant of their own, with its key in stories.json alone', async () => {
  using folder = createTemporaryFolder()
  await using database = await createTestDatabase()
  const settings = { folder: folder.path, baseUrl: 'http://127.0.0.1:8080' }
  const demo = await seedDemoTenant(settings, database.url, NOW)
  const stories = await seedStoryTenant(settings, database.url, NOW)

  expect(readJson(join(folder.path, 'stories.json'))).toEqual(stories)
  expect(readJson(join(folder.path, 'sandbox.json'))).toEqual(demo)
  expect(stories.tenant_id).not.toBe(demo.tenant_id)
  const [key] = await listKeys(database.db, stories.tenant_id, NOW)
  expect(key).toMatchObject({ id: stories.key_id, state: 'active', scopes: [...SCOPES] })
  expect(await listRequiredDocuments(database.db, stories.tenant_id)).toHaveLength(2)
  expect(await seedStoryTenant(settings, database.url, NOW)).toEqual(stories)
})

test('a second start keeps the tenant and follows a changed address', async () => {
  using folder = createTemporaryFolder()
  await using database = await createTestDatabase()
  const settings = { folder: folder.path, baseUrl: 'http://127.0.0.1:8080' }
  const first = await seedDemoTenant(settings, database.url, NOW)
  const moved = { ...settings, baseUrl: 'http://127.0.0.1:9090' }
  const second = await seedDemoTenant(moved, database.url, NOW)

  expect(second).toEqual({ ...first, base_url: 'http://127.0.0.1:9090' })
  expect(await listTenants(database.db)).toHaveLength(1)
})

test('a lost file and a fresh database each get new credentials', async () => {
  using folder = createTemporaryFolder()
  await using database = await createTestDatabase()
  await using fresh = await createTestDatabase()
  const settings = { folder: folder.path, baseUrl: 'http://127.0.0.1:8080' }
  const first = await seedDemoTenant(settings, database.url, NOW)
  rmSync(join(folder.path, 'sandbox.json'))
  const second = await seedDemoTenant(settings, database.url, NOW)
  const third = await seedDemoTenant(settings, fresh.url, NOW)

  expect(new Set([first.key_id, second.key_id, third.key_id]).size).toBe(3)
  expect((await listTenants(fresh.db)).map((tenant) => tenant.id)).toEqual([third.tenant_id])
})
