import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { newId } from '../../../src/core/ids.ts'
import { createSealer } from '../../../src/core/sealing.ts'
import { addMs } from '../../../src/core/time.ts'
import { createDatabase, inTransaction } from '../../../src/db/database.ts'
import { createSigningSecret } from '../../../src/domain/webhooks/signing-secret.ts'
import type { DeliveryRequest } from '../../../src/domain/webhooks/webhook-sender.ts'
import type { LanesOptions } from '../../../src/jobs/deliveries/lane.ts'
import { createWorkerConnections } from '../../../src/jobs/work/work-connections.ts'
import {
  addEvents,
  addWebhook,
  answered,
  createHeldSender,
  readDeliveries,
  sealer,
} from '../../support/deliveries/deliveries.ts'
import { startHeldLanes } from '../../support/deliveries/held-lanes.ts'
import { openTenant } from '../../support/lending/onboarding.ts'
import { waitFor } from '../../support/process/patience.ts'
import { createTestDatabase, databaseForFile } from '../../support/stores/database.ts'

const database = databaseForFile()

const startLanes = (options?: Partial<LanesOptions>) => startHeldLanes(database.db, options).lanes

/** A sender that answers 204 at once, except where `trouble` throws. */
function createSender(trouble: (request: DeliveryRequest) => void = () => undefined) {
  const sent: DeliveryRequest[] = []
  return {
    sent,
    sender: {
      async send(request: DeliveryRequest) {
        trouble(request)
        sent.push(request)
        return answered(204)
      },
      close: async () => undefined,
    },
  }
}

async function addTarget(eventCount: number) {
  const tenantId = await openTenant(database.db)
  const webhookId = await addWebhook(database.db, tenantId)
  await addEvents(database.db, tenantId, eventCount)
  return { tenantId, webhookId }
}

/** A lane that has to wait for its first connection would be behind for that alone. */
async function openConnections(count: number): Promise<void> {
  const all = Promise.withResolvers<void>()
  let open = 0
  const holdOne = () =>
    database.db.connection().execute(async (held) => {
      await sql`SELECT 1`.execute(held)
      open += 1
      if (open === count) all.resolve()
      await all.promise
    })
  await Promise.all(Array.from({ length: count }, holdOne))
}

const countDelivered = async (webhookId: string) =>
  (await readDeliveries(database.db, webhookId)).filter(({ state }) => state === 'delivered').length

test('a sender that throws costs the attempt alone, and its delivery comes back', async () => {
  const { tenantId, webhookId } = await addTarget(12)
  let thrown = false
  let aheadMs = 0
  const { sender } = createSender(() => {
    if (thrown) return
    thrown = true
    throw new Error('not expected of a sender')
  })
  const lanes = startLanes({ sender, clock: () => addMs(new Date(), aheadMs), perWebhook: 3 })
  lanes.wake(tenantId, webhookId)
  await waitFor(async () => expect(await countDelivered(webhookId)).toBe(11))

  aheadMs = 60_000
  lanes.wake(tenantId, webhookId)
  await waitFor(async () => expect(await countDelivered(webhookId)).toBe(12))
  await lanes.drain()
})

test('while the database takes no claim nothing is posted, and afterwards each delivery once', async () => {
  await using own = await createTestDatabase()
  const tenantId = await openTenant(own.db)
  const webhookId = await addWebhook(own.db, tenantId)
  await addEvents(own.db, tenantId, 1)
  await sql`ALTER TABLE lanes ADD CONSTRAINT no_lease CHECK (lease IS NULL)`.execute(own.db)
  let failures = 0
  const note = (line: string) => {
    failures += Number(line.includes('delivery lane failed a turn'))
  }
  const { sent, sender } = createSender()
  const logger = pino({ level: 'error' }, { write: note })
  const { lanes } = startHeldLanes(own.db, { sender, logger })
  for (let run = 0; run < 3; run += 1) expect(await lanes.run({ tenantId, webhookId })).toBe('done')
  expect([failures, sent]).toEqual([3, []])

  await sql`ALTER TABLE lanes DROP CONSTRAINT no_lease`.execute(own.db)
  await lanes.run({ tenantId, webhookId })
  expect(await readDeliveries(own.db, webhookId)).toMatchObject([{ state: 'delivered' }])
  expect(sent.map(({ attempt }) => attempt)).toEqual([1])
})

test('a lane that could not be claimed is left to the sweep, though it was woken meanwhile', async () => {
  const db = createDatabase({ connectionString: database.url, maxConnections: 1 })
  await db.destroy()
  const again: string[] = []
  const { run } = startHeldLanes(db, { again: ({ webhookId }) => again.push(webhookId) }).lanes
  const lane = { tenantId: newId('ten'), webhookId: newId('whk') }
  expect(await Promise.all([run(lane), run(lane)])).toEqual(['done', 'done'])
  expect(again).toEqual([])
})

test('what has ended while the database answers nothing is recorded once it does, and not posted again', async () => {
  await using own = await createTestDatabase()
  const tenantId = await openTenant(own.db)
  const webhookId = await addWebhook(own.db, tenantId)
  await addEvents(own.db, tenantId, 1)
  let failures = 0
  const note = (line: string) => {
    failures += Number(line.includes('delivery lane failed a turn'))
  }
  const { sender, held, begun } = createHeldSender()
  const { lanes } = startHeldLanes(own.db, {
    sender,
    logger: pino({ level: 'error' }, { write: note }),
  })
  const run = lanes.run({ tenantId, webhookId })
  await waitFor(() => expect(held).toHaveLength(1))
  await sql`ALTER TABLE delivery_attempts ADD CONSTRAINT none CHECK (number > 1)`.execute(own.db)
  held[0]?.answer(204)
  await waitFor(() => expect(failures).toBeGreaterThan(1))
  await sql`ALTER TABLE delivery_attempts DROP CONSTRAINT none`.execute(own.db)
  expect(await run).toBe('done')
  expect(await readDeliveries(own.db, webhookId)).toMatchObject([
    { state: 'delivered', attempts: 1 },
  ])
  expect(begun).toHaveLength(1)
})

test('a secret that cannot be opened holds its own deliveries back, unsent, until it can', async () => {
  const foreign = createSealer([{ id: 'retired', bytes: randomBytes(32) }])
  const locked = await addTarget(2)
  const healthy = await addTarget(2)
  await inTransaction(database.db, (tx) =>
    createSigningSecret(tx, locked.tenantId, foreign, () => new Date()),
  )
  let keyIsBack = false
  let aheadMs = 0
  const { sender, sent } = createSender()
  const lanes = startLanes({
    sender,
    clock: () => addMs(new Date(), aheadMs),
    sealer: {
      ...sealer,
      open: (text, context) =>
        text.startsWith('retired.') && keyIsBack
          ? foreign.open(text, context)
          : sealer.open(text, context),
    },
  })
  lanes.wake(locked.tenantId, locked.webhookId)
  lanes.wake(healthy.tenantId, healthy.webhookId)
  await waitFor(async () => expect(await countDelivered(healthy.webhookId)).toBe(2))
  expect(sent.map(({ secret }) => secret)).toEqual([undefined, undefined])

  keyIsBack = true
  aheadMs = 60_000
  await waitFor(async () => {
    lanes.wake(locked.tenantId, locked.webhookId)
    expect(await countDelivered(locked.webhookId)).toBe(2)
  })
  expect(sent.slice(2).map(({ secret }) => secret?.startsWith('whsec_'))).toEqual([true, true])
  await lanes.drain()
})

test('a key that is missing is named once a minute, however often its lane is woken, and what has ended is recorded', async () => {
  const foreign = createSealer([{ id: 'retired', bytes: randomBytes(32) }])
  const { tenantId, webhookId } = await addTarget(1)
  await inTransaction(database.db, (tx) =>
    createSigningSecret(tx, tenantId, sealer, () => new Date()),
  )
  const { sender, held } = createHeldSender()
  const lines: string[] = []
  const missing: string[] = []
  const lanes = startLanes({
    sender,
    onUnknownKey: (keyId) => void missing.push(keyId),
    logger: pino({ level: 'error' }, { write: (line) => void lines.push(line) }),
  })
  lanes.wake(tenantId, webhookId)
  await waitFor(() => expect(held).toHaveLength(1))
  await inTransaction(database.db, (tx) =>
    createSigningSecret(tx, tenantId, foreign, () => new Date()),
  )
  await addEvents(database.db, tenantId, 1)
  lanes.wake(tenantId, webhookId)
  await waitFor(() => expect(missing).toEqual(['retired']))

  // However often it is woken meanwhile.
  for (let wake = 0; wake < 100; wake += 1) lanes.wake(tenantId, webhookId)
  held[0]?.answer(204)
  await waitFor(async () => expect(await countDelivered(webhookId)).toBe(1))
  await lanes.drain()
  expect(missing).toHaveLength(1)
  expect(lines).toHaveLength(1)
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    tenantId,
    webhookId,
    keyId: 'retired',
    msg: expect.stringMatching(/^deliveries wait for an encryption key: .*ENCRYPTION_KEYS/),
  })
})

test('a worker that has the key delivers at once what another one could not sign', async () => {
  const { tenantId, webhookId } = await addTarget(2)
  const fresh = createSealer([{ id: 'k2', bytes: randomBytes(32) }])
  await inTransaction(database.db, (tx) =>
    createSigningSecret(tx, tenantId, fresh, () => new Date()),
  )
  const missing: string[] = []
  const without = startLanes({ ...createSender(), onUnknownKey: (id) => void missing.push(id) })
  await without.run({ tenantId, webhookId })
  await without.drain()
  expect(missing).toEqual(['k2'])

  const { sender, sent } = createSender()
  const having = startLanes({ sender, sealer: fresh })
  await having.run({ tenantId, webhookId })
  await having.drain()
  expect(sent).toHaveLength(2)
  expect(await countDelivered(webhookId)).toBe(2)
})

test('nothing is posted so late that its lease could end before its attempt does', async () => {
  const { tenantId, webhookId } = await addTarget(1)
  let aheadMs = 0
  const { sender, sent } = createSender()
  const lanes = startLanes({
    sender,
    clock: () => addMs(new Date(), aheadMs),
    sealer: {
      ...sealer,
      // The process sleeps between the claim and the POST.
      open(text, context) {
        aheadMs += 17_000
        return sealer.open(text, context)
      },
    },
  })
  await inTransaction(database.db, (tx) =>
    createSigningSecret(tx, tenantId, sealer, () => new Date()),
  )
  expect(await lanes.run({ tenantId, webhookId })).toBe('more')
  expect([aheadMs, sent]).toEqual([17_000, []])
  expect(await readDeliveries(database.db, webhookId)).toMatchObject([
    { state: 'pending', attempts: 0 },
  ])
})

test('a tenant’s cap is shared: a webhook with a long backlog does not keep another from its turn', async () => {
  const tenantId = await openTenant(database.db)
  const urls = [
    'https://one.example.com/',
    'https://two.example.com/',
    'https://three.example.com/',
  ]
  const webhookIds: string[] = []
  for (const url of urls) webhookIds.push(await addWebhook(database.db, tenantId, { url }))
  await addEvents(database.db, tenantId, 60)
  await openConnections(webhookIds.length)
  const { sender, sent } = createSender()
  const lanes = startLanes({ sender, perWebhook: 2, perTenant: 2 })
  for (const webhookId of webhookIds) lanes.wake(tenantId, webhookId)
  await waitFor(() => expect(sent).toHaveLength(180))
  await lanes.drain()

  // Whenever one webhook is through, the others have had their turns too. How many each depends on
  // how soon the database answers each lane, and a lane with a failed pass pauses; one that is starved has
  // none, or what it began with.
  const firstThrough = urls
    .map((url) => sent.findLastIndex((request) => request.url === url))
    .reduce((least, index) => Math.min(least, index))
  const shares = urls.map(
    (url) => sent.slice(0, firstThrough + 1).filter((request) => request.url === url).length,
  )
  for (const share of shares) expect(share).toBeGreaterThan(2)
})

test('a place that becomes free goes to the webhook that waits for it, however late the queue is', async () => {
  const tenantId = await openTenant(database.db)
  const [first, second] = ['https://first.example.com/', 'https://second.example.com/']
  const long = await addWebhook(database.db, tenantId, { url: first })
  const short = await addWebhook(database.db, tenantId, { url: second })
  await addEvents(database.db, tenantId, 2)
  const again = () => undefined
  const { lanes, held, begun } = startHeldLanes(database.db, { perTenant: 1, again })
  const urls = () => begun.map(({ url }) => url)
  const run = lanes.run({ tenantId, webhookId: long })
  await waitFor(() => expect(urls()).toEqual([first]))
  expect(await lanes.run({ tenantId, webhookId: short })).toBe('done')

  held[0]?.answer(200)
  await waitFor(() => expect(held).toHaveLength(1))
  expect(urls()).toEqual([first, second])
  expect(await run).toBe('done')
  held[0]?.answer(200)
  await waitFor(() => expect(held).toHaveLength(1))
  expect(urls()).toEqual([first, second, first])

  await waitFor(async () => {
    held[0]?.answer(200)
    expect((await countDelivered(long)) + (await countDelivered(short))).toBe(4)
  })
  await lanes.drain()
})

test('webhooks that share a tenant’s few slots are all delivered, whichever ends first', async () => {
  const tenantId = await openTenant(database.db)
  const webhookIds: string[] = []
  for (let count = 0; count < 10; count += 1) {
    webhookIds.push(await addWebhook(database.db, tenantId))
    // Those registered first have most to be sent.
    await addEvents(database.db, tenantId, 3)
  }
  const { sender, sent } = createSender()
  const lanes = startLanes({ sender, perWebhook: 2, perTenant: 3 })
  for (const webhookId of webhookIds) lanes.wake(tenantId, webhookId)
  await waitFor(() => expect(sent).toHaveLength(165))
  await lanes.drain()
})

test('of webhooks that fall due by the hundred, each is claimed only when it is its turn', async () => {
  const tenantId = await openTenant(database.db)
  const webhookIds = Array.from({ length: 300 }, () => newId('whk'))
  const urlOf = (webhookId: string) => `https://example.com/${webhookId}`
  await database.db
    .insertInto('webhooks')
    .values(
      webhookIds.map((webhookId) => ({
        tenant_id: tenantId,
        webhook_id: webhookId,
        url: urlOf(webhookId),
        event_types: [],
        state: 'active',
        registered_sequence: 0n,
        created_at: new Date(),
      })),
    )
    .execute()
  await addEvents(database.db, tenantId, 1)
  let aheadMs = 0
  const { sender, sent } = createSender()
  const errors: string[] = []
  // As in a worker, lanes wait for a connection as long as it takes: a pool by itself gives up after seconds.
  const slots = createWorkerConnections(10)
  const { url: connectionString } = database
  await using db = createDatabase({ connectionString, maxConnections: 10, slots })
  const { lanes } = startHeldLanes(db, {
    sender,
    perTenant: 1_000,
    // Every read of the clock takes 15 ms: claimed all at once, most would start too late.
    clock: () => {
      aheadMs += 15
      return addMs(new Date(), aheadMs)
    },
    logger: pino({ level: 'error' }, { write: (line) => void errors.push(line) }),
  })
  // On a machine that stalls, one may start too late all the same; its lease brings it back. Those that
  // have ended are not woken again: that would be a turn each, before the turns of the others.
  await waitFor(
    () => {
      const ended = new Set(sent.map(({ url }) => url))
      const waiting = webhookIds.filter((webhookId) => !ended.has(urlOf(webhookId)))
      for (const webhookId of waiting) lanes.wake(tenantId, webhookId)
      expect(waiting).toEqual([])
    },
    { interval: 250 },
  )
  expect(sent).toHaveLength(300)
  await lanes.drain()
  expect(errors.length).toBeLessThan(10)
  const deliveries = await database.db
    .selectFrom('deliveries')
    .select('state')
    .where('tenant_id', '=', tenantId)
    .execute()
  expect(new Set(deliveries.map(({ state }) => state))).toEqual(new Set(['delivered']))
})
