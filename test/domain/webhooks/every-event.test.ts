import { expect, test } from 'vitest'
import { createCursorCodec } from '../../../src/core/cursor.ts'
import { inTransaction } from '../../../src/db/database.ts'
import { appendEvents } from '../../../src/domain/events/append/append.ts'
import { readLog } from '../../../src/domain/events/log/read-log.ts'
import { getReplayView } from '../../../src/domain/webhooks/webhooks.ts'
import { addWebhook } from '../../support/deliveries/deliveries.ts'
import { type Lending, openHousesInOneDatabase } from '../../support/lending/lending.ts'
import { addBorrowed, expectSound, holdPrice } from '../../support/lending/margin.ts'
import { testKey } from '../../support/stores/sealer.ts'

const openHouse = openHousesInOneDatabase()
const cursors = createCursorCodec([testKey('test')])

const NOTICE = 'margin_notice.approaching'

type Listed = { type: string; sequence: number }

const typesOf = (listed: readonly Listed[]) => listed.map(({ type }) => type)

async function delivered({ db, tenantId }: Lending, webhookId: string): Promise<Listed[]> {
  const rows = await db
    .selectFrom('deliveries')
    .select(['event_type', 'sequence'])
    .where('tenant_id', '=', tenantId)
    .where('webhook_id', '=', webhookId)
    .orderBy('sequence')
    .execute()
  return rows.map((row) => ({ type: row.event_type, sequence: Number(row.sequence) }))
}

async function replayed({ db, tenantId }: Lending, webhookId: string): Promise<Listed[]> {
  const view = await getReplayView(db, tenantId, webhookId)
  const { items } = await readLog(db, view, { limit: 500 }, cursors)
  return items.map((text) => JSON.parse(text))
}

test('a webhook without types receives every event: its numbers have no gap', async () => {
  await using lending = await openHouse()
  const { db, tenantId } = lending
  const all = await addWebhook(db, tenantId)
  const naming = await addWebhook(db, tenantId, { eventTypes: [NOTICE, 'draw.completed'] })
  const other = await addWebhook(db, tenantId, { eventTypes: ['draw.completed'] })
  const { id } = await addBorrowed(lending)
  await holdPrice(lending, '75000')
  for (const listed of [delivered, replayed]) {
    expect(typesOf(await listed(lending, naming))).toEqual(['draw.completed', NOTICE])
    expect(typesOf(await listed(lending, other))).toEqual(['draw.completed'])
    const events = await listed(lending, all)
    expect(typesOf(events)).toContain('facility.floor_updated')
    expect(typesOf(events)).toContain(NOTICE)
    const sequences = events.map(({ sequence }) => sequence)
    expect(sequences).toEqual(sequences.map((_, at) => (sequences[0] ?? 0) + at))
  }
  await expectSound(lending, id)
})

test('an event about a webhook is in its replay, and is pushed to the others alone', async () => {
  await using lending = await openHouse()
  const { db, tenantId } = lending
  const failing = await addWebhook(db, tenantId)
  const other = await addWebhook(db, tenantId)
  await inTransaction(db, (tx) =>
    appendEvents(tx, tenantId, [
      {
        type: 'webhook.disabled',
        resource: { type: 'webhook', id: failing },
        occurredAt: new Date(),
        data: {
          webhook_id: failing,
          url: 'https://example.com/',
          disabled_at: '2026-11-20T12:00:00.000Z',
        },
      },
    ]),
  )
  const types = ['webhook.disabled']
  expect(typesOf(await delivered(lending, failing))).toEqual([])
  expect(typesOf(await delivered(lending, other))).toEqual(types)
  expect(typesOf(await replayed(lending, failing))).toEqual(types)
  expect(typesOf(await replayed(lending, other))).toEqual(types)
})
