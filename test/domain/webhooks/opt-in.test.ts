import { expect, test } from 'vitest'
import { createCursorCodec } from '../../../src/core/cursor.ts'
import { readLog } from '../../../src/domain/events/read-log.ts'
import { getReplayView } from '../../../src/domain/webhooks/webhooks.ts'
import { addWebhook } from '../../support/deliveries/deliveries.ts'
import { type Lending, openHousesInOneDatabase } from '../../support/lending/lending.ts'
import { addBorrowed, expectSound, holdPrice } from '../../support/lending/margin.ts'
import { testKey } from '../../support/lending/onboarding.ts'

const openHouse = openHousesInOneDatabase()
const cursors = createCursorCodec([testKey('test')])

const NOTICE = 'margin_notice.approaching'

async function delivered({ db, tenantId }: Lending, webhookId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('deliveries')
    .select('event_type')
    .where('tenant_id', '=', tenantId)
    .where('webhook_id', '=', webhookId)
    .orderBy('sequence')
    .execute()
  return rows.map((row) => row.event_type)
}

async function replayed({ db, tenantId }: Lending, webhookId: string): Promise<string[]> {
  const view = await getReplayView(db, tenantId, webhookId)
  const { items } = await readLog(db, view, { limit: 500 }, cursors)
  return items.map((text) => JSON.parse(text).type)
}

test('an opt-in event reaches webhooks that name it alone, and the log and its numbers have it', async () => {
  await using lending = await openHouse()
  const { db, tenantId } = lending
  const all = await addWebhook(db, tenantId)
  const naming = await addWebhook(db, tenantId, { eventTypes: [NOTICE, 'draw.completed'] })
  const other = await addWebhook(db, tenantId, { eventTypes: ['draw.completed'] })
  const { id } = await addBorrowed(lending)
  await holdPrice(lending, '75000')
  for (const listed of [delivered, replayed]) {
    expect(await listed(lending, naming)).toEqual(['draw.completed', NOTICE])
    expect(await listed(lending, other)).toEqual(['draw.completed'])
    const types = await listed(lending, all)
    expect(types).toContain('facility.floor_updated')
    expect(types).not.toContain(NOTICE)
  }
  const log = await readLog(
    db,
    { ...(await getReplayView(db, tenantId, all)), without: [] },
    { limit: 500 },
    cursors,
  )
  const sequences = log.items.map((text) => JSON.parse(text).sequence)
  expect(log.items.map((text) => JSON.parse(text).type)).toContain(NOTICE)
  expect(sequences).toEqual(sequences.map((_, at) => sequences[0] + at))
  await expectSound(lending, id)
})
