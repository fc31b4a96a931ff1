import { createPrivateKey, createPublicKey } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { SCOPES } from '../../src/core/scopes.ts'
import { createKeyCache } from '../../src/domain/auth/key-cache.ts'
import { generateKeyPair } from '../../src/domain/auth/public-key.ts'
import { createTestDatabase } from '../support/stores/database.ts'
import { createDatabaseCli } from './database-cli.ts'

type Key = {
  id: string
  state: string
  label: string
  scopes: string[]
  public_key_pem: string
  expires_at?: string
  revoked_at?: string
}
type NewKey = Omit<Key, 'public_key_pem'> & { private_key_pem?: string; private_key_file?: string }

const database = await createTestDatabase()
const folder = mkdtempSync(join(tmpdir(), 'cli-keys-'))
afterAll(async () => {
  rmSync(folder, { recursive: true })
  await database[Symbol.asyncDispose]()
})
const cli = createDatabaseCli(database.url)

const listKeys = async (tenantId: string) =>
  (await cli.read<{ items: Key[] }>(`keys list --tenant ${tenantId}`)).items

function publicHalfOf(privateKeyPem: string): string {
  const key = createPublicKey(createPrivateKey(privateKeyPem))
  return key.export({ format: 'pem', type: 'spki' }).toString()
}

/** Whether the text of any row of the database holds `needle`. */
async function isStored(needle: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  try {
    const tables = await client.query<{ name: string }>(
      `SELECT format('%I', tablename) AS name FROM pg_tables WHERE schemaname = 'public'`,
    )
    for (const { name } of tables.rows) {
      const { rowCount } = await client.query(
        `SELECT FROM ${name} AS whole WHERE position($1 in whole::text) > 0`,
        [needle],
      )
      if (rowCount !== 0) return true
    }
    return false
  } finally {
    await client.end()
  }
}

test('a private key is printed once, belongs to the registered public key and is stored nowhere', async () => {
  const tenantId = await cli.createTenant()
  const made = await cli.read<NewKey>(`keys generate --tenant ${tenantId} --label desk`)
  const privateKeyPem = made.private_key_pem ?? ''

  const [key] = await listKeys(tenantId)
  expect(key).toMatchObject({ id: made.id, state: 'active', label: 'desk', scopes: [...SCOPES] })
  expect(key?.public_key_pem).toBe(publicHalfOf(privateKeyPem))

  const { d = '' } = createPrivateKey(privateKeyPem).export({ format: 'jwk' })
  const seed = Buffer.from(d, 'base64url')
  for (const form of [seed.toString('hex'), seed.toString('base64'), 'PRIVATE KEY']) {
    expect(await isStored(form)).toBe(false)
  }
  // The search finds what is there.
  const { x = '' } = createPublicKey(privateKeyPem).export({ format: 'jwk' })
  expect(await isStored(Buffer.from(x, 'base64url').toString('hex'))).toBe(true)
  expect(await cli.show(`keys list --tenant ${tenantId}`)).not.toContain('PRIVATE')
})

test('a private key written to a file is readable by its owner alone and is not printed', async () => {
  const tenantId = await cli.createTenant()
  const file = join(folder, 'acme.pem')
  const made = await cli.read<NewKey>(`keys generate --tenant ${tenantId} --out ${file}`)
  expect(made.private_key_file).toBe(file)
  expect(JSON.stringify(made)).not.toContain('PRIVATE KEY')
  expect(statSync(file).mode & 0o777).toBe(0o600)
  const [key] = await listKeys(tenantId)
  expect(key?.public_key_pem).toBe(publicHalfOf(readFileSync(file, 'utf8')))
  const shown = await cli.show(`keys generate --tenant ${tenantId}`)
  expect(shown.match(/-----BEGIN PRIVATE KEY-----/g)).toHaveLength(1)
  expect(shown).toContain('shown only now')
})

test('a file that exists is not overwritten, and a refused key leaves none behind', async () => {
  const tenantId = await cli.createTenant()
  const file = join(folder, 'kept.pem')
  writeFileSync(file, 'an older key')
  const failure = await cli.fail(`keys generate --tenant ${tenantId} --out ${file}`)

  expect(failure.message).toContain('cannot be written')
  expect(readFileSync(file, 'utf8')).toBe('an older key')
  expect(await listKeys(tenantId)).toEqual([])
  const never = join(folder, 'never.pem')
  const unknown = 'ten_01k9m3v3k5e0ha4xqv5j8x3y6z'
  expect(await cli.fail(`keys generate --tenant ${unknown} --out ${never}`)).toEqual({
    ...{ code: 'not_found', message: `There is no tenant ${unknown}.` },
  })
  expect(existsSync(never)).toBe(false)
})

test('a public key is registered from a file and from standard input, a private key from neither', async () => {
  const tenantId = await cli.createTenant()
  const pairs = [generateKeyPair(), generateKeyPair()] as const
  const file = join(folder, 'acme.pub.pem')
  writeFileSync(file, pairs[0].publicKeyPem)
  await cli.read(`keys register --tenant ${tenantId} --public-key ${file}`)
  const input = pairs[1].publicKeyPem
  await cli.read(`keys register --tenant ${tenantId} --public-key -`, { input })
  const failure = await cli.fail(`keys register --tenant ${tenantId} --public-key -`, {
    input: pairs[0].privateKeyPem,
  })

  expect(failure).toMatchObject({
    ...{ code: 'validation_failed', message: expect.stringContaining('this is a private key') },
  })
  const missing = await cli.fail(`keys register --tenant ${tenantId} --public-key ${folder}/none`)
  expect(missing.message).toContain('The public key cannot be read: ENOENT')
  expect((await listKeys(tenantId)).map((key) => key.public_key_pem)).toEqual(
    pairs.map((pair) => pair.publicKeyPem),
  )
})

test('a key has the requested scopes and expiry, and is listed as expired after it', async () => {
  const tenantId = await cli.createTenant()
  const scopes = 'webhook:read,borrower:read'
  await cli.read(
    `keys generate --tenant ${tenantId} --scopes ${scopes} --expires 2027-01-31T00:00:00Z`,
    { now: new Date('2026-11-01T00:00:00Z') },
  )
  const listAt = async (now: string) =>
    (await cli.read<{ items: Key[] }>(`keys list --tenant ${tenantId}`, { now: new Date(now) }))
      .items[0]

  expect(await listAt('2027-01-30T23:59:59.999Z')).toMatchObject({
    state: 'active',
    scopes: ['webhook:read', 'borrower:read'],
    expires_at: '2027-01-31T00:00:00.000Z',
  })
  expect((await listAt('2027-01-31T00:00:00Z'))?.state).toBe('expired')
})

test('an unknown scope, a malformed time and a time in the past register no key', async () => {
  const tenantId = await cli.createTenant()
  const generate = `keys generate --tenant ${tenantId}`
  expect((await cli.fail(`${generate} --scopes borrower:read,facility:own`)).message).toContain(
    'The scopes are webhook:write, ',
  )
  expect((await cli.fail(`${generate} --expires tomorrow`)).message).toContain('2027-01-31T')
  expect((await cli.fail(`${generate} --expires 2020-01-01T00:00:00Z`)).message).toBe(
    'The expiry of a key must lie in the future.',
  )
  expect(await listKeys(tenantId)).toEqual([])
})

test('a key beyond the limit of active keys is refused until one is revoked, once', async () => {
  const tenantId = await cli.createTenant()
  const generate = `keys generate --tenant ${tenantId}`
  const constants = { maxActiveKeys: 2 }
  const { id } = await cli.read<NewKey>(generate, { constants })
  await cli.read(generate, { constants })
  expect(await cli.fail(generate, { constants })).toEqual({
    ...{ code: 'limit_reached' },
    message: 'The tenant already has 2 active keys; revoke one first.',
  })
  const revoke = `keys revoke ${id} --tenant ${tenantId}`
  await cli.read(revoke)
  await cli.read(generate, { constants })
  const [oldest] = await listKeys(tenantId)
  expect(oldest).toMatchObject({ id, state: 'revoked', revoked_at: expect.any(String) })
  expect(await cli.fail(revoke)).toEqual({
    ...{ code: 'not_found', message: `Tenant ${tenantId} has no active key ${id}.` },
  })
})

test('a public key is registered once for a tenant, and a revoked one does not come back', async () => {
  const tenantId = await cli.createTenant()
  const { publicKeyPem } = generateKeyPair()
  const register = (tenant: string) =>
    cli.run(['keys', 'register', '--tenant', tenant, '--public-key', '-', '--json'], {
      input: publicKeyPem,
    })
  const both = await Promise.all([register(tenantId), register(tenantId)])
  expect(both.map(({ exitCode }) => exitCode).sort((a, b) => a - b)).toEqual([0, 1])
  const [key] = await listKeys(tenantId)
  const refused = JSON.parse(both.find(({ exitCode }) => exitCode === 1)?.error ?? '').error
  expect(refused).toEqual({
    code: 'already_exists',
    message: `This public key is registered already, as ${key?.id}.`,
  })

  await cli.read(['keys', 'revoke', key?.id ?? '', '--tenant', tenantId])
  const { error } = JSON.parse((await register(tenantId)).error)
  expect(error.message).toBe(
    `This public key was registered before, as ${key?.id}, which is revoked and cannot be used again: make a new pair.`,
  )
  expect(await listKeys(tenantId)).toHaveLength(1)
  // The refusal does not reveal the key's other tenant.
  expect((await register(await cli.createTenant())).exitCode).toBe(0)
})

test('a key with an id of an earlier release is listed, verified and revoked like any other', async () => {
  const tenantId = await cli.createTenant()
  const { id: now } = await cli.read<NewKey>(`keys generate --tenant ${tenantId}`)
  const id = now.replace('key_', 'key_eu1_')
  for (const table of ['api_keys', 'api_key_owners']) {
    await sql`UPDATE ${sql.table(table)} SET key_id = ${id} WHERE key_id = ${now}`.execute(
      database.db,
    )
  }
  expect(await listKeys(tenantId)).toMatchObject([{ id, state: 'active' }])
  const findKey = createKeyCache(database.db, { cacheSeconds: 0, clock: () => new Date() })
  expect(await findKey(id, async () => false)).toMatchObject({ keyId: id, tenantId })
  await cli.show(`keys revoke ${id} --tenant ${tenantId}`)
  expect(await findKey(id, async () => false)).toBeUndefined()
})
