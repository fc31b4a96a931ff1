import { randomBytes, randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { createSealer, type Sealer } from '../../src/core/sealing.ts'
import { createDatabase } from '../../src/db/database.ts'
import { findAnswer, runOnce } from '../../src/domain/idempotency/idempotency.ts'
import { listSignatures } from '../../src/domain/onboarding/signatures.ts'
import {
  createSigningSecret,
  currentSecretId,
  readSecret,
} from '../../src/domain/webhooks/signing-secret.ts'
import { announceStack } from '../../src/local/running-stack.ts'
import { addBorrower, openTenant, sign } from '../support/lending/onboarding.ts'
import { createTemporaryFolder } from '../support/process/temporary-folder.ts'
import { databaseForFile } from '../support/stores/database.ts'
import { testKey } from '../support/stores/sealer.ts'
import { createDatabaseCli, run } from './database-cli.ts'

type Key = { id: string; bytes: Buffer }
const makeKey = (id: string): Key => ({ id, bytes: randomBytes(32) })
const OLD = makeKey('k_1')
const NEW = makeKey('k_2')
const STRANGE = makeKey('lost')

const database = databaseForFile()

const environment = (...keys: Key[]) => ({
  ENCRYPTION_KEYS: keys.map(({ id, bytes }) => `${id}:${bytes.toString('base64')}`).join(),
})
const secretsOf = (sealer: Sealer) => ({ sealer, replayHours: 24, currentSecretId })

/** A tenant that has created its signing secret by a request, under this key of ours. */
async function createSecret(key: Key) {
  const { db } = database
  const request = {
    tenantId: await openTenant(db),
    key: randomUUID(),
    fingerprint: randomBytes(32),
    sentBy: 'key_1',
  }
  const sealer = createSealer([key])
  const { body } = await runOnce(
    db,
    request,
    { secrets: secretsOf(sealer), now: new Date() },
    async (tx) => {
      const made = await createSigningSecret(tx, request.tenantId, sealer, () => new Date())
      return { status: 201, body: made.secret, secretId: made.secretId }
    },
  )
  return { request, secret: body }
}

/** The secret as deliveries read it, and as the replay of its creation shows it, with these keys. */
async function readWith(keys: Key[], { request }: Awaited<ReturnType<typeof createSecret>>) {
  const sealer = createSealer(keys)
  const replayed = await findAnswer(database.db, request, {
    secrets: secretsOf(sealer),
    now: new Date(),
  })
  return [await readSecret(database.db, request.tenantId, sealer), replayed?.body]
}

test('after encryption rotate the new key alone decrypts every secret and the replay of its creation', async () => {
  const cli = createDatabaseCli(database.url)
  const created = [await createSecret(OLD), await createSecret(OLD), await createSecret(NEW)]
  expect(await cli.read('encryption rotate', { env: environment(NEW, OLD) })).toEqual({
    key_id: 'k_2',
    signing_secrets: { resealed: 2, shut: 0 },
    stored_answers: { resealed: 2, shut: 0 },
    receipt_keys: { resealed: 0, shut: 0 },
    erasure_keys: { resealed: 0, shut: 0 },
    borrower_keys: { resealed: 0, shut: 0 },
    missing_key_ids: [],
  })
  for (const one of created) expect(await readWith([NEW], one)).toEqual([one.secret, one.secret])
  expect(await cli.show('encryption rotate', { env: environment(NEW, OLD) })).toBe(
    'Encrypting with k_2. Every API and worker must know this key: one that does not cannot sign deliveries.\n' +
      'Encrypted again with k_2: 0 signing secrets, 0 stored answers, 0 receipt keys, 0 borrower keys.\nOnly k_2 is needed now.\n',
  )
})

test('encryption rotate counts what no key decrypts, leaves it unchanged and fails', async () => {
  const lost = await createSecret(STRANGE)
  const kept = await createSecret(OLD)
  const { exitCode, out } = await createDatabaseCli(database.url).run(
    ['encryption', 'rotate', '--json'],
    { env: environment(NEW, OLD) },
  )
  expect(exitCode).toBe(1)
  expect(JSON.parse(out)).toMatchObject({
    signing_secrets: { resealed: 1, shut: 1 },
    stored_answers: { resealed: 1, shut: 1 },
    missing_key_ids: ['lost'],
  })
  const shown = await createDatabaseCli(database.url).run('encryption rotate', {
    env: environment(NEW, OLD),
  })
  expect(shown.out).toContain(
    'No key decrypts 1 signing secret, 1 stored answer and 0 borrower keys.',
  )
  expect(shown.out).toContain(
    'Add these keys to ENCRYPTION_KEYS, after k_2, and run this again: lost',
  )
  expect(shown.out).toContain('creates a new signing secret')
  expect(shown.out).toContain('deleted after 30 days')
  expect(await readWith([STRANGE], lost)).toEqual([lost.secret, lost.secret])
  expect(await readWith([NEW], kept)).toEqual([kept.secret, kept.secret])
})

test('without ENCRYPTION_KEYS encryption rotate uses the keys and the database of the local stack', async () => {
  using folder = createTemporaryFolder()
  const env = { LOCAL_DIR: folder.path }
  const refused = await run(['encryption', 'rotate'], { env })
  expect(refused.error).toContain('no local stack runs')

  const { ENCRYPTION_KEYS: encryptionKeys } = environment(NEW, OLD)
  announceStack(folder.path, { databaseUrl: database.url, encryptionKeys })
  const { out } = await run(['encryption', 'rotate', '--json'], { env })
  expect(JSON.parse(out)).toMatchObject({ key_id: 'k_2' })
})

test('encryption rotate does not use the keys of the local stack for another database', async () => {
  using folder = createTemporaryFolder()
  const { ENCRYPTION_KEYS: encryptionKeys } = environment(NEW, OLD)
  announceStack(folder.path, { databaseUrl: database.url, encryptionKeys })
  const env = { LOCAL_DIR: folder.path, ENCRYPTION_KEYS: undefined }
  const failure = await createDatabaseCli(database.url).fail('encryption rotate', { env })
  expect(failure.message).toContain('ENCRYPTION_KEYS is not set')
})

test('after encryption rotate the new key alone opens the personal data of borrowers', async () => {
  const { db } = database
  const tenantId = await openTenant(db)
  const borrowerId = await addBorrower(db, tenantId)
  await sign(db, tenantId, borrowerId)
  const env = environment(NEW, testKey('test'), OLD, STRANGE)
  const done = await createDatabaseCli(database.url).read('encryption rotate', { env })
  expect(done).toMatchObject({ borrower_keys: { resealed: 1, shut: 0 }, missing_key_ids: [] })
  await using renewed = createDatabase({
    ...{ connectionString: database.url, maxConnections: 1, sealer: createSealer([NEW]) },
  })
  expect(await listSignatures(renewed, tenantId, borrowerId)).toMatchObject([
    { fullName: 'Ada Lovelace' },
  ])
  await expect(listSignatures(db, tenantId, borrowerId)).rejects.toMatchObject({
    code: 'unavailable',
  })
})

test('without keys encryption rotate changes nothing', async () => {
  expect(
    await createDatabaseCli(database.url).fail('encryption rotate', {
      env: { ENCRYPTION_KEYS: undefined },
    }),
  ).toEqual({
    code: 'validation_failed',
    message: 'ENCRYPTION_KEYS is not set: use the list of the API and the worker.',
  })
})
