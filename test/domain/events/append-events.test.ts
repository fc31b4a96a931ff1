import { setTimeout } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { parseId } from '../../../src/core/ids.ts'
import { systemClock } from '../../../src/core/time.ts'
import { inTransaction } from '../../../src/db/database.ts'
import { appendEvents } from '../../../src/domain/events/append/append.ts'
import { getEvent } from '../../../src/domain/events/log/read-log.ts'
import { deleteWebhook, registerWebhook } from '../../../src/domain/webhooks/webhooks.ts'
import {
  addEvents,
  addWebhook,
  eligible,
  readDeliveries,
} from '../../support/deliveries/deliveries.ts'
import { openTenant, readEvents } from '../../support/lending/onboarding.ts'
import { openDatabaseWithWakes } from '../../support/stores/database-with-wakes.ts'

const database = openDatabaseWithWakes(32)
const { wakes } = database

const MAX_WEBHOOKS = 1_000
const GIVEN_UP = new Error('the transaction was given up')
const randomPause = () => setTimeout(Math.random() * 4)

function append(tenantId: string, events: Parameters<typeof appendEvents>[2]): Promise<void> {
  return inTransaction(database.db, (tx) => appendEvents(tx, tenantId, events))
}

const closed = (facilityId: string) => ({
  type: 'facility.closed' as const,
  resource: { type: 'facility' as const, id: facilityId },
  occurredAt: new Date('2026-11-20T10:00:00.000Z'),
  data: {
    facility_id: facilityId,
    closed_at: '2026-11-20T10:00:00.000Z',
    reason: 'repaid' as const,
  },
})

const countTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1)

describe('the sequence', () => {
  test('the sequence has no gap and no repetition under 32 writers that pause and roll back', async () => {
    const tenantId = await openTenant(database.db)
    let committed = 0
    let rolledBack = 0
    const write = async (writer: number) => {
      for (let round = 0; round < 6; round += 1) {
        const events = countTo(1 + (round % 3)).map((n) => eligible(`bor_${writer}_${n}`))
        const givesUp = Math.random() < 0.3
        try {
          await inTransaction(database.db, async (tx) => {
            await randomPause()
            appendEvents(tx, tenantId, events)
            await randomPause()
            if (givesUp) throw GIVEN_UP
          })
          committed += events.length
        } catch (error) {
          if (error !== GIVEN_UP) throw error
          rolledBack += 1
        }
      }
    }
    await Promise.all(Array.from({ length: 32 }, (_, writer) => write(writer)))

    expect(rolledBack).toBeGreaterThan(0)
    const sequences = (await readEvents(database.db, tenantId)).map((event) => event.sequence)
    expect(sequences).toEqual(countTo(committed))
  })

  test('the sequence seen by a reader that pages meanwhile is complete and in order', async () => {
    const tenantId = await openTenant(database.db)
    let writing = true
    const writers = Promise.all(
      Array.from({ length: 16 }, async (_, writer) => {
        for (let round = 0; round < 5; round += 1) {
          await inTransaction(database.db, async (tx) => {
            appendEvents(tx, tenantId, [eligible(`bor_${writer}`)])
            await randomPause()
          })
        }
      }),
    ).finally(() => {
      writing = false
    })
    const seen: number[] = []
    const page = async () => {
      const rows = await database.db
        .selectFrom('events')
        .select('sequence')
        .where('tenant_id', '=', tenantId)
        .where('sequence', '>', BigInt(seen.at(-1) ?? 0))
        .orderBy('sequence')
        .limit(7)
        .execute()
      seen.push(...rows.map((row) => Number(row.sequence)))
      return rows.length
    }
    while (writing) await page()
    await writers
    while ((await page()) > 0);
    expect(seen).toEqual(countTo(80))
  })

  test('the sequence of one tenant does not move with another’s', async () => {
    const [one, other] = [await openTenant(database.db), await openTenant(database.db)]
    await addEvents(database.db, one, 3)
    await addEvents(database.db, other, 1)
    await addEvents(database.db, one, 1)
    const sequencesOf = async (tenantId: string) =>
      (await readEvents(database.db, tenantId)).map((event) => event.sequence)
    expect(await sequencesOf(one)).toEqual([1, 2, 3, 4])
    expect(await sequencesOf(other)).toEqual([1])
  })

  test('a rollback uses no number of the sequence and no resource version', async () => {
    const tenantId = await openTenant(database.db)
    const attempt = inTransaction(database.db, async (tx) => {
      appendEvents(tx, tenantId, [eligible('bor_1')])
      throw GIVEN_UP
    })
    await expect(attempt).rejects.toBe(GIVEN_UP)
    await append(tenantId, [eligible('bor_1')])
    expect(await readEvents(database.db, tenantId)).toMatchObject([
      { sequence: 1, resource_version: 1 },
    ])
  })
})

describe('the resource version', () => {
  test('the resource version rises by one with each event of the resource, also within one call', async () => {
    const tenantId = await openTenant(database.db)
    await append(tenantId, [closed('fac_1'), eligible('bor_1'), closed('fac_1'), closed('fac_2')])
    await append(tenantId, [closed('fac_1'), closed('fac_1')])
    const versions = (await readEvents(database.db, tenantId)).map((event) => [
      event.resource.id,
      event.resource_version,
    ])
    expect(versions).toEqual([
      ['fac_1', 1],
      ['bor_1', 1],
      ['fac_1', 2],
      ['fac_2', 1],
      ['fac_1', 3],
      ['fac_1', 4],
    ])
  })

  test('the resource version rises without a gap in sequence order under concurrent writers', async () => {
    const tenantId = await openTenant(database.db)
    const both = [closed('fac_a'), closed('fac_b')]
    let runs = 0
    const write = (writer: number) =>
      inTransaction(database.db, async (tx) => {
        runs += 1
        appendEvents(tx, tenantId, writer % 2 === 0 ? both : both.toReversed())
      })
    await Promise.all(Array.from({ length: 60 }, (_, writer) => write(writer)))
    // Whatever order a call names them in, resources are locked in one order: nothing deadlocks.
    expect(runs).toBe(60)
    const events = await readEvents(database.db, tenantId)
    for (const id of ['fac_a', 'fac_b']) {
      const versions = events
        .filter((event) => event.resource.id === id)
        .map((event) => event.resource_version)
      expect(versions).toEqual(countTo(60))
    }
  })
})

describe('deliveries', () => {
  test('deliveries are made for each active webhook that subscribes to the type, and for no other', async () => {
    const tenantId = await openTenant(database.db)
    const stranger = await addWebhook(database.db, await openTenant(database.db))
    const all = await addWebhook(database.db, tenantId)
    const subscribed = await addWebhook(database.db, tenantId, {
      eventTypes: ['facility.closed', 'draw.failed'],
    })
    const otherType = await addWebhook(database.db, tenantId, { eventTypes: ['draw.failed'] })
    const disabled = await addWebhook(database.db, tenantId)
    await database.db
      .updateTable('webhooks')
      .set({ state: 'disabled' })
      .where('webhook_id', '=', disabled)
      .execute()
    const deleted = await addWebhook(database.db, tenantId)
    await inTransaction(database.db, (tx) => deleteWebhook(tx, tenantId, deleted, systemClock))

    wakes.length = 0
    await append(tenantId, [eligible('bor_1'), closed('fac_1')])
    const typesOf = async (webhookId: string) =>
      (await readDeliveries(database.db, webhookId)).map((delivery) => delivery.event_type)
    expect(await typesOf(all)).toEqual(['borrower.eligible', 'facility.closed'])
    expect(await typesOf(subscribed)).toEqual(['facility.closed'])
    for (const none of [otherType, disabled, deleted, stranger]) {
      expect(await typesOf(none)).toEqual([])
    }
    expect(wakes).toHaveLength(2)
    for (const webhookId of [all, subscribed]) {
      expect(wakes).toContainEqual({ kind: 'deliveries', tenantId, webhookId })
    }
  })

  test('deliveries begin with exactly the events after a registration that races with them', async () => {
    const tenantId = await openTenant(database.db)
    const writers = Array.from({ length: 20 }, async () => {
      for (let round = 0; round < 4; round += 1) {
        await randomPause()
        await inTransaction(database.db, async (tx) => {
          appendEvents(tx, tenantId, [eligible('bor_1')])
          await randomPause()
        })
      }
    })
    const registrations = Array.from({ length: 10 }, async () => {
      await setTimeout(Math.random() * 60)
      return await inTransaction(database.db, async (tx) => {
        const registration = { url: 'https://example.com/', eventTypes: [], label: undefined }
        const options = { maxWebhooks: MAX_WEBHOOKS, now: new Date() }
        const webhookId = await registerWebhook(tx, tenantId, registration, options)
        await randomPause()
        return webhookId
      })
    })
    const [webhookIds] = await Promise.all([Promise.all(registrations), Promise.all(writers)])
    for (const webhookId of webhookIds) {
      const webhook = await database.db
        .selectFrom('webhooks')
        .select('registered_sequence')
        .where('webhook_id', '=', webhookId)
        .executeTakeFirstOrThrow()
      const delivered = (await readDeliveries(database.db, webhookId)).map((row) =>
        Number(row.sequence),
      )
      expect(delivered).toEqual(countTo(80).slice(Number(webhook.registered_sequence)))
    }
  })

  test('deliveries end with a deletion that races with events: none stays pending, none follows', async () => {
    const tenantId = await openTenant(database.db)
    const webhookIds = await Promise.all(
      Array.from({ length: 8 }, () => addWebhook(database.db, tenantId)),
    )
    const writers = Array.from({ length: 10 }, async () => {
      for (let round = 0; round < 4; round += 1) {
        await randomPause()
        await append(tenantId, [eligible('bor_1')])
      }
    })
    const deletions = webhookIds.map(async (webhookId) => {
      await setTimeout(Math.random() * 40)
      return await inTransaction(database.db, async (tx) => {
        await deleteWebhook(tx, tenantId, webhookId, systemClock)
        const { last_sequence } = await tx
          .selectFrom('tenant_counters')
          .select('last_sequence')
          .where('tenant_id', '=', tenantId)
          .executeTakeFirstOrThrow()
        await randomPause()
        return { webhookId, last: Number(last_sequence) }
      })
    })
    const [deleted] = await Promise.all([Promise.all(deletions), Promise.all(writers)])
    for (const { webhookId, last } of deleted) {
      const deliveries = await readDeliveries(database.db, webhookId)
      expect(deliveries.map((delivery) => Number(delivery.sequence))).toEqual(countTo(last))
      expect(deliveries.filter((delivery) => delivery.state !== 'cancelled')).toEqual([])
    }
  })
})

test('the body of a delivery is the envelope with exactly its members', async () => {
  const tenantId = await openTenant(database.db)
  await append(tenantId, [eligible('bor_1')])
  const row = await database.db
    .selectFrom('events')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .executeTakeFirstOrThrow()
  expect(row.body).toBe(
    JSON.stringify({
      id: row.event_id,
      type: 'borrower.eligible',
      occurred_at: '2026-11-20T10:00:00.000Z',
      resource_version: 1,
      resource: { type: 'borrower', id: 'bor_1' },
      sequence: 1,
      data: { borrower_id: 'bor_1' },
    }),
  )
  expect(row.event_id).toMatch(/^evt_[0-7][0-9a-hjkmnp-tv-z]{25}$/)
})

test('appending no events writes nothing', async () => {
  const tenantId = await openTenant(database.db)
  await append(tenantId, [])
  expect(await readEvents(database.db, tenantId)).toEqual([])
})

describe('processes whose clocks differ', () => {
  const setLast = (tenantId: string, at: Date) =>
    database.db
      .updateTable('tenant_counters')
      .set({ last_recorded_at: at })
      .where('tenant_id', '=', tenantId)
      .execute()
  const recorded = async (tenantId: string) =>
    await database.db
      .selectFrom('events')
      .select(['event_id', 'recorded_at'])
      .where('tenant_id', '=', tenantId)
      .orderBy('sequence')
      .execute()

  test('an event is never recorded before the one it follows, and is found by its id', async () => {
    const tenantId = await openTenant(database.db)
    const ahead = new Date(Date.now() + 20_000)
    await setLast(tenantId, ahead)
    await append(tenantId, [eligible('bor_1'), eligible('bor_2')])
    const events = await recorded(tenantId)
    expect(events.map(({ recorded_at: at }) => at)).toEqual([ahead, ahead])
    for (const { event_id: id } of events) {
      expect(parseId('evt', id)?.madeAt).toEqual(ahead)
      expect(JSON.parse(await getEvent(database.db, tenantId, id))).toMatchObject({ id })
    }
    expect(new Set(events.map(({ event_id: id }) => id)).size).toBe(2)
  })

  test('a clock that is wrong by hours orders nothing', async () => {
    const tenantId = await openTenant(database.db)
    await setLast(tenantId, new Date(Date.now() + 3_600_000))
    await append(tenantId, [eligible('bor_1')])
    const [event] = await recorded(tenantId)
    expect(event?.recorded_at.getTime()).toBeLessThan(Date.now() + 1_000)
  })
})
