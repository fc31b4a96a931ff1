import { expect, test } from 'vitest'
import { inTransaction } from '../../../src/db/database.ts'
import { createSigningSecret } from '../../../src/domain/webhooks/signing-secret.ts'
import {
  answered,
  claimAt,
  readDeliveries,
  recordAt,
  sealer,
} from '../../support/deliveries/deliveries.ts'
import { databaseForFile } from '../../support/stores/database.ts'
import { eventBody, seedWebhooks, writeEvents } from './webhook-data.ts'

const database = databaseForFile()

test('a worker records what it has sent of seeded events, and does not send it again', async () => {
  const { db } = database
  const now = new Date()
  const { tenantId, webhookIds } = await seedWebhooks(db, 1, 1)
  const webhook = { tenantId, webhookId: webhookIds[0] ?? '' }
  await inTransaction(db, (tx) => createSigningSecret(tx, tenantId, sealer, () => now))
  // A second over seven: no whole milliseconds.
  const events = { count: 7, due: 7, body: eventBody(200), days: 1 / 86_400, until: now }
  await writeEvents(db, { tenantId, webhookIds }, events)

  const claimed = await claimAt(db, webhook, { limit: 7, deadlineMs: 15_000, now })
  const attempts = claimed.map((delivery) => {
    return { delivery, endedAt: now, outcome: answered(200) }
  })
  expect(await recordAt(db, webhook, attempts, now)).toMatchObject({ recorded: 7 })

  const states = (await readDeliveries(db, webhook.webhookId)).map(({ state }) => state)
  expect(states).toEqual(Array.from({ length: 7 }, () => 'delivered'))
})
