import { join } from 'node:path'
import { z } from 'zod'
import { SCOPES } from '../core/scopes.ts'
import { createDatabase, type Db, inTransaction, type Tx } from '../db/database.ts'
import { listKeys, registerKey } from '../domain/auth/keys.ts'
import { generateKeyPair } from '../domain/auth/public-key.ts'
import { listResidencyRules } from '../domain/onboarding/residency.ts'
import { publishSampleDocuments, seedSampleResidency } from '../domain/onboarding/samples.ts'
import { createTenant } from '../domain/tenants/tenants.ts'
import { readJson, writePrivateJson } from './private-file.ts'

export type SandboxCredentials = z.output<typeof credentials>

const credentials = z.object({
  base_url: z.string(),
  tenant_id: z.string(),
  key_id: z.string(),
  private_key_pem: z.string(),
})

type SeedSettings = { folder: string; baseUrl: string }

const demoFile = (folder: string) => join(folder, 'sandbox.json')

/** Undefined where no stack was started from `folder`. */
export function readDemoTenant(folder: string): SandboxCredentials | undefined {
  return credentials.safeParse(readJson(demoFile(folder))).data
}

/** Keeps credentials that still work; a fresh database or a lost file gets new ones. */
export async function seedDemoTenant(
  settings: SeedSettings,
  databaseUrl: string,
  now: Date,
): Promise<SandboxCredentials> {
  const demo = { name: 'Demo Tenant', file: demoFile(settings.folder) }
  return await seedTenant(demo, settings.baseUrl, databaseUrl, now)
}

/** A tenant of its own, because stories change prices and the clock. */
export async function seedStoryTenant(
  settings: SeedSettings,
  databaseUrl: string,
  now: Date,
): Promise<SandboxCredentials> {
  const stories = { name: 'Story Tenant', file: join(settings.folder, 'stories.json') }
  return await seedTenant(stories, settings.baseUrl, databaseUrl, now)
}

async function seedTenant(
  { name, file }: { name: string; file: string },
  baseUrl: string,
  databaseUrl: string,
  now: Date,
): Promise<SandboxCredentials> {
  const db = createDatabase({ connectionString: databaseUrl, maxConnections: 1 })
  try {
    const kept = credentials.safeParse(readJson(file)).data
    const isUsable = kept !== undefined && (await isActiveKey(db, kept, now))
    const made = isUsable ? kept : await inTransaction(db, (tx) => createSeeded(tx, name, now))
    const current = { ...made, base_url: baseUrl }
    writePrivateJson(file, current)
    return current
  } finally {
    await db.destroy()
  }
}

async function isActiveKey(db: Db, kept: SandboxCredentials, now: Date): Promise<boolean> {
  const keys = await listKeys(db, kept.tenant_id, now)
  return keys.some((key) => key.id === kept.key_id && key.state === 'active')
}

async function createSeeded(tx: Tx, name: string, now: Date) {
  const tenant = await createTenant(tx, name, now)
  const { privateKeyPem, publicKeyPem } = generateKeyPair()
  const keyId = await registerKey(
    tx,
    tenant.id,
    { publicKeyPem, label: 'npm start', scopes: SCOPES, expiresAt: undefined },
    { maxActive: 1, now },
  )
  await publishSampleDocuments(tx, tenant.id, now)
  // An existing policy stays as it is.
  if ((await listResidencyRules(tx)).length === 0) await seedSampleResidency(tx, now)
  return { tenant_id: tenant.id, key_id: keyId, private_key_pem: privateKeyPem }
}
