import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { inTransaction } from '../../src/db/database.ts'
import { lockToDeliver } from '../../src/domain/deliveries/lane.ts'
import { appendEvents } from '../../src/domain/events/append/append.ts'
import { addWebhook, eligible } from '../support/deliveries/deliveries.ts'
import { openTenant } from '../support/lending/onboarding.ts'
import { createTestDatabase } from '../support/stores/database.ts'

test('the settings of a delivery lane keep no statement of its transaction from the tenant’s node', async () => {
  await using database = await createTestDatabase({ maxConnections: 1 })
  const { db } = database
  const tenantId = await openTenant(db)
  const webhookId = await addWebhook(db, tenantId)
  // The first executions of a statement have a plan of their own, whatever the settings are.
  for (let pass = 0; pass < 8; pass += 1) {
    await inTransaction(db, async (tx) => {
      await lockToDeliver(tx, { tenantId, webhookId })
      const { rows } = await sql`SELECT current_setting('plan_cache_mode') AS mode`.execute(tx)
      expect(rows).toEqual([{ mode: 'auto' }])
      appendEvents(tx, tenantId, [eligible('bor_1')])
    })
  }
})
