import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { addMs } from '../../../src/core/time.ts'
import { inTransaction } from '../../../src/db/database.ts'
import { lockLane } from '../../../src/domain/deliveries/lane.ts'
import {
  createSigningSecret,
  currentSecretId,
} from '../../../src/domain/webhooks/signing-secret.ts'
import { deleteWebhook, registerWebhook } from '../../../src/domain/webhooks/webhooks.ts'
import { addWebhook, sealer } from '../../support/deliveries/deliveries.ts'
import { openTenant } from '../../support/lending/onboarding.ts'
import { waitFor } from '../../support/process/patience.ts'
import { createTestDatabase } from '../../support/stores/database.ts'
import { countWaiting, untilOneWaits } from '../../support/stores/waiting-sessions.ts'

const FRESH = { url: 'https://fresh.example.com/', eventTypes: [], label: undefined }

test('a replacement waits for claims at a webhook that was registered while it waited for another', async () => {
  await using database = await createTestDatabase()
  const { db } = database
  const tenantId = await openTenant(db)
  const replace = () =>
    inTransaction(db, (tx) => createSigningSecret(tx, tenantId, sealer, () => new Date()))
  const lockAsClaim = (tx: typeof db, webhookId: string) =>
    sql`SELECT FROM lanes WHERE tenant_id = ${tenantId} AND webhook_id = ${webhookId}
        FOR NO KEY UPDATE`.execute(tx)
  const old = await addWebhook(db, tenantId)
  const before = await replace()

  let isReplaced = false
  let replacing = Promise.resolve('')
  const fresh = Promise.withResolvers<string>()
  const isClaimed = Promise.withResolvers<void>()
  const isOldLetGo = Promise.withResolvers<void>()
  const claiming = fresh.promise.then((webhookId) =>
    inTransaction(db, async (tx) => {
      await lockAsClaim(tx, webhookId)
      const read = await currentSecretId(tx, tenantId)
      isClaimed.resolve()
      await isOldLetGo.promise
      await waitFor(async () => expect(isReplaced || (await countWaiting(db)) > 0).toBe(true))
      return { read, wasReplaced: isReplaced }
    }),
  )
  await inTransaction(db, async (tx) => {
    await lockAsClaim(tx, old)
    replacing = replace().then(({ secretId }) => {
      isReplaced = true
      return secretId
    })
    await untilOneWaits(db)
    fresh.resolve(await addWebhook(db, tenantId, { url: FRESH.url }))
    await isClaimed.promise
  })
  isOldLetGo.resolve()

  expect(await claiming).toEqual({ read: before.secretId, wasReplaced: false })
  const replacement = await replacing
  expect(await currentSecretId(db, tenantId)).toBe(replacement)
})

test('a registration in progress ends before the secret is replaced', async () => {
  await using database = await createTestDatabase()
  const { db } = database
  const tenantId = await openTenant(db)
  let isReplaced = false
  let replacing = Promise.resolve()
  await inTransaction(db, async (tx) => {
    await registerWebhook(tx, tenantId, FRESH, { maxWebhooks: 20, now: new Date() })
    replacing = inTransaction(db, (other) =>
      createSigningSecret(other, tenantId, sealer, () => new Date()),
    ).then(() => {
      isReplaced = true
    })
    await waitFor(async () => expect(isReplaced || (await countWaiting(db)) > 0).toBe(true))
    expect(isReplaced).toBe(false)
  })
  await replacing
})

test('replacements, registrations and deletions at once all succeed', async () => {
  await using database = await createTestDatabase()
  const { db } = database
  const tenantId = await openTenant(db)
  const one = async () => {
    const webhookId = await addWebhook(db, tenantId)
    await inTransaction(db, (tx) => createSigningSecret(tx, tenantId, sealer, () => new Date()))
    await inTransaction(db, (tx) => deleteWebhook(tx, tenantId, webhookId, () => new Date()))
  }
  await Promise.all(Array.from({ length: 8 }, one))
  expect(await currentSecretId(db, tenantId)).toBeDefined()
})

test('a secret is created after the last claim with the one before it, however long it waits for that claim', async () => {
  await using database = await createTestDatabase()
  const { db } = database
  const tenantId = await openTenant(db)
  const lane = { tenantId, webhookId: await addWebhook(db, tenantId) }
  let now = new Date('2026-11-20T10:00:00.000Z')
  const clock = () => now
  const replace = () => inTransaction(db, (tx) => createSigningSecret(tx, tenantId, sealer, clock))
  await replace()
  let replacing: Promise<unknown> = Promise.resolve()
  let claimedAt = now
  await inTransaction(db, async (tx) => {
    await lockLane(tx, lane)
    replacing = replace()
    await untilOneWaits(db)
    now = addMs(now, 1_000)
    claimedAt = now
    now = addMs(now, 1)
  })
  await replacing
  const { created_at: createdAt } = await db
    .selectFrom('signing_secrets')
    .select('created_at')
    .where('tenant_id', '=', tenantId)
    .executeTakeFirstOrThrow()
  expect(createdAt.getTime()).toBeGreaterThan(claimedAt.getTime())
})
