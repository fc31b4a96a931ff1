import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { addMs, MINUTE_MS, SECOND_MS, systemClock } from '../../../src/core/time.ts'
import { inTransaction } from '../../../src/db/database.ts'
import { createSigningSecret } from '../../../src/domain/webhooks/signing-secret.ts'
import type { WebhookSender } from '../../../src/domain/webhooks/webhook-sender.ts'
import { deleteWebhook } from '../../../src/domain/webhooks/webhooks.ts'
import type { LanesOptions } from '../../../src/jobs/deliveries/lane.ts'
import {
  addEvents,
  addWebhook,
  answered,
  readDeliveries,
  readLane,
  readWebhook,
  sealer,
} from '../../support/deliveries/deliveries.ts'
import { startHeldLanes } from '../../support/deliveries/held-lanes.ts'
import { openTenant } from '../../support/lending/onboarding.ts'
import { waitFor } from '../../support/process/patience.ts'
import { databaseForFile } from '../../support/stores/database.ts'
import { countWaiting, untilOneWaits } from '../../support/stores/waiting-sessions.ts'

const database = databaseForFile()

const startLanes = (options?: Partial<LanesOptions>) => startHeldLanes(database.db, options)

/** A tenant with one webhook for each given url, each with `eventCount` due deliveries. */
async function addTargets(urls: string[], eventCount: number) {
  const tenantId = await openTenant(database.db)
  const webhookIds: string[] = []
  for (const url of urls) webhookIds.push(await addWebhook(database.db, tenantId, { url }))
  await addEvents(database.db, tenantId, eventCount)
  return { tenantId, webhookIds }
}

async function statesOf(webhookId: string | undefined): Promise<string[]> {
  return (await readDeliveries(database.db, webhookId ?? '')).map((delivery) => delivery.state)
}

test("a webhook's cap on attempts in flight is reached and never exceeded until everything is delivered", async () => {
  const { tenantId, webhookIds } = await addTargets(['https://one.example.com/'], 25)
  const { lanes, held, begun } = startLanes({ perWebhook: 4 })
  for (const webhookId of webhookIds) lanes.wake(tenantId, webhookId)

  let most = 0
  while (begun.length < 25 || held.length > 0) {
    await waitFor(() => expect(held.length).toBe(Math.min(4, 25 - begun.length + held.length)))
    most = Math.max(most, held.length)
    held[0]?.answer(200)
  }
  await lanes.drain()
  expect(most).toBe(4)
  expect(new Set(await statesOf(webhookIds[0]))).toEqual(new Set(['delivered']))
})

test("a tenant's cap on attempts in flight holds though all its webhooks wake at once, and none is forgotten", async () => {
  const urls = Array.from({ length: 8 }, (_, index) => `https://${index}.example.com/`)
  const { tenantId, webhookIds } = await addTargets(urls, 6)
  const { lanes, held, begun } = startLanes({ perWebhook: 3, perTenant: 5 })
  for (const webhookId of webhookIds) lanes.wake(tenantId, webhookId)

  await waitFor(() => expect(held.length).toBeGreaterThanOrEqual(5))
  let most = 0
  while (begun.length < 48 || held.length > 0) {
    await waitFor(() => expect(held.length).toBeGreaterThan(0))
    most = Math.max(most, held.length)
    held[0]?.answer(200)
  }
  await lanes.drain()
  expect(most).toBe(5)
  for (const webhookId of webhookIds) {
    expect(new Set(await statesOf(webhookId))).toEqual(new Set(['delivered']))
  }
})

test("one tenant's cap on attempts in flight leaves another tenant its own", async () => {
  const busy = await addTargets(['https://busy.example.com/'], 6)
  const other = await addTargets(['https://other.example.com/'], 1)
  const { lanes, held } = startLanes({ perTenant: 2 })
  for (const webhookId of busy.webhookIds) lanes.wake(busy.tenantId, webhookId)
  await waitFor(() => expect(held).toHaveLength(2))
  for (const webhookId of other.webhookIds) lanes.wake(other.tenantId, webhookId)
  await waitFor(() => expect(held.at(-1)?.url).toBe('https://other.example.com/'))
  const drained = lanes.drain()
  for (const attempt of [...held]) attempt.answer(200)
  await drained
})

test('an attempt is recorded with the instant whose second was signed', async () => {
  const { tenantId, webhookIds } = await addTargets(['https://one.example.com/'], 3)
  const signed: Date[] = []
  const sender: WebhookSender = {
    send: (_, now) => Promise.resolve(signed.push(now)).then(() => answered(204)),
    close: () => Promise.resolve(),
  }
  let readings = 0
  const clock = () => addMs(systemClock(), ++readings * SECOND_MS)
  const { lanes } = startLanes({ sender, clock, perWebhook: 1 })
  for (const webhookId of webhookIds) lanes.wake(tenantId, webhookId)
  await waitFor(() => expect(signed).toHaveLength(3))
  await lanes.drain()
  const rows = await database.db
    .selectFrom('delivery_attempts')
    .select('started_at')
    .where('webhook_id', 'in', webhookIds)
    .orderBy('started_at')
    .execute()
  expect(rows.map(({ started_at: at }) => at)).toEqual(signed)
})

test('an endpoint that hangs leaves the tenant’s other endpoints prompt', async () => {
  const hanging = 'https://hanging.example.com/'
  const urls = [hanging, 'https://a.example.com/', 'https://b.example.com/']
  const { tenantId, webhookIds } = await addTargets(urls, 30)
  const { lanes, held, begun } = startLanes()
  for (const webhookId of webhookIds) lanes.wake(tenantId, webhookId)

  await waitFor(() => {
    for (const attempt of held.filter(({ url }) => url !== hanging)) attempt.answer(200)
    expect(begun.filter(({ url }) => url !== hanging)).toHaveLength(60)
  })
  expect(begun.filter(({ url }) => url === hanging)).toHaveLength(10)
  const drained = lanes.drain()
  for (const attempt of [...held]) attempt.answer(200)
  await drained
  for (const webhookId of webhookIds.slice(1)) {
    expect(new Set(await statesOf(webhookId))).toEqual(new Set(['delivered']))
  }
})

test('what falls due while a lane is at its cap is delivered without another wake', async () => {
  const { tenantId, webhookIds } = await addTargets(['https://late.example.com/'], 1)
  const { lanes, held, begun } = startLanes({ perWebhook: 1 })
  for (const webhookId of webhookIds) lanes.wake(tenantId, webhookId)
  await waitFor(() => expect(held).toHaveLength(1))
  await addEvents(database.db, tenantId, 1)
  for (const webhookId of webhookIds) lanes.wake(tenantId, webhookId)
  held[0]?.answer(200)
  await waitFor(() => expect(begun).toHaveLength(2))
  held[0]?.answer(200)
  await lanes.drain()
  expect(await statesOf(webhookIds[0])).toEqual(['delivered', 'delivered'])
})

test('an event is delivered at once by a worker whose clock is behind that of the process which recorded it', async () => {
  const { tenantId, webhookIds } = await addTargets(['https://behind.example.com/'], 1)
  const clock = () => addMs(systemClock(), -MINUTE_MS / 2)
  const { lanes, held, begun } = startLanes({ clock })
  lanes.wake(tenantId, webhookIds[0] ?? '')
  await waitFor(() => expect(begun).toHaveLength(1))
  held[0]?.answer(200)
  await lanes.drain()
  expect(await statesOf(webhookIds[0])).toEqual(['delivered'])
})

test('a drain lets attempts in flight end, records them and starts no more', async () => {
  const { tenantId, webhookIds } = await addTargets(['https://drain.example.com/'], 20)
  const { lanes, held, begun } = startLanes({ perWebhook: 3 })
  for (const webhookId of webhookIds) lanes.wake(tenantId, webhookId)
  await waitFor(() => expect(held).toHaveLength(3))
  const drained = lanes.drain()
  for (const webhookId of webhookIds) lanes.wake(tenantId, webhookId)
  for (const attempt of [...held]) attempt.answer(200)
  await drained
  expect(begun).toHaveLength(3)
  const states = await statesOf(webhookIds[0])
  expect(states.filter((state) => state === 'delivered')).toHaveLength(3)
  expect(states.filter((state) => state === 'pending')).toHaveLength(17)
})

test('a deletion lets attempts in flight end and none starts after it', async () => {
  const { tenantId, webhookIds } = await addTargets(['https://deleted.example.com/'], 20)
  const [webhookId = ''] = webhookIds
  const { lanes, held, begun } = startLanes({ perWebhook: 2 })
  lanes.wake(tenantId, webhookId)
  await waitFor(() => expect(held).toHaveLength(2))
  await inTransaction(database.db, (tx) => deleteWebhook(tx, tenantId, webhookId, systemClock))
  lanes.wake(tenantId, webhookId)
  held[0]?.answer(500)
  held[0]?.answer(200)
  await lanes.drain()
  expect(begun).toHaveLength(2)
  const states = await statesOf(webhookId)
  expect(states.filter((state) => state === 'delivered')).toHaveLength(1)
  expect(states.filter((state) => state === 'cancelled')).toHaveLength(19)
})

test('no attempt starts after a deletion has committed, though the database holds up its claim', async () => {
  const { tenantId, webhookIds } = await addTargets(['https://held-up.example.com/'], 5)
  const [webhookId = ''] = webhookIds
  const starts: number[] = []
  const send = async () => {
    starts.push(performance.now())
    return answered(200)
  }
  const { lanes } = startLanes({ sender: { send, close: async () => undefined } })
  let deletedAt = 0
  const deleteIt = async () => {
    await inTransaction(database.db, (tx) => deleteWebhook(tx, tenantId, webhookId, systemClock))
    deletedAt = performance.now()
  }

  let deletion = Promise.resolve()
  await inTransaction(database.db, async (tx) => {
    // What a claim reads last: there it waits until the deletion has come in between, if it can.
    await sql`LOCK TABLE signing_secrets IN ACCESS EXCLUSIVE MODE`.execute(tx)
    lanes.wake(tenantId, webhookId)
    await untilOneWaits(database.db)
    deletion = deleteIt()
    await waitFor(async () => {
      const waiting = await countWaiting(database.db)
      expect(deletedAt > 0 || waiting === 2).toBe(true)
    })
  })
  await deletion
  await lanes.drain()
  expect(starts.filter((at) => at > deletedAt)).toEqual([])
  const states = await statesOf(webhookId)
  expect(states.filter((state) => state === 'delivered')).toHaveLength(starts.length)
})

test('the hundredth failure in a row disables the webhook and cancels what waits', async () => {
  const { tenantId, webhookIds } = await addTargets(['https://failing.example.com/'], 130)
  const [webhookId = ''] = webhookIds
  const { lanes, held, begun } = startLanes()
  lanes.wake(tenantId, webhookId)
  await waitFor(async () => {
    for (const attempt of [...held]) attempt.answer(500)
    expect(await readWebhook(database.db, webhookId)).toMatchObject({ state: 'disabled' })
  })
  for (const attempt of [...held]) attempt.answer(500)
  await lanes.drain()
  expect(begun.length).toBeGreaterThanOrEqual(100)
  expect(begun.length).toBeLessThan(110)
  expect(await readWebhook(database.db, webhookId)).toMatchObject({
    failures: 100,
  })
  expect(new Set(await statesOf(webhookId))).toEqual(new Set(['cancelled']))
})

test('a replaced secret signs the very next attempt of a lane that is under way', async () => {
  const { tenantId, webhookIds } = await addTargets(['https://secret.example.com/'], 2)
  const { lanes, held, begun } = startLanes({ perWebhook: 1 })
  for (const webhookId of webhookIds) lanes.wake(tenantId, webhookId)
  await waitFor(() => expect(held).toHaveLength(1))
  const { secret } = await inTransaction(database.db, (tx) =>
    createSigningSecret(tx, tenantId, sealer, () => new Date()),
  )
  held[0]?.answer(200)
  await waitFor(() => expect(begun).toHaveLength(2))
  expect(begun.map((request) => request.secret)).toEqual([undefined, secret])
  held[0]?.answer(200)
  await lanes.drain()
})

test('a claim is committed before anything is posted', async () => {
  const { tenantId, webhookIds } = await addTargets(['https://first.example.com/'], 3)
  const [webhookId = ''] = webhookIds
  const leases: unknown[] = []
  const send = async () => {
    // By another connection, which sees what is committed alone.
    const { in_flight: inFlight, lease } = await readLane(database.db, webhookId)
    leases.push({ isHeld: lease !== null, inFlight })
    return answered(200)
  }
  const { lanes } = startLanes({ sender: { send, close: async () => undefined } })
  expect(await lanes.run({ tenantId, webhookId })).toBe('done')
  expect(leases[0]).toEqual({ isHeld: true, inFlight: ['1', '2', '3'] })
  expect(await statesOf(webhookId)).toEqual(['delivered', 'delivered', 'delivered'])
})

test('one slow answer holds up only itself: what comes after it is delivered meanwhile', async () => {
  const { tenantId, webhookIds } = await addTargets(['https://slow.example.com/'], 40)
  const [webhookId = ''] = webhookIds
  const { lanes, held, begun } = startLanes({ perWebhook: 4 })
  const run = lanes.run({ tenantId, webhookId })
  await waitFor(() => expect(held).toHaveLength(4))
  const [slow] = held
  await waitFor(() => {
    for (const attempt of held.filter((one) => one !== slow)) attempt.answer(200)
    expect(begun).toHaveLength(40)
  })
  await waitFor(async () => {
    for (const attempt of held.filter((one) => one !== slow)) attempt.answer(200)
    expect((await statesOf(webhookId)).slice(1)).toEqual(Array(39).fill('delivered'))
  })
  // No other worker is told: the lane looks for what is new by itself.
  await addEvents(database.db, tenantId, 1)
  await waitFor(() => expect(begun).toHaveLength(41))
  for (const attempt of [...held]) attempt.answer(200)
  expect(await run).toBe('done')
  expect(new Set(await statesOf(webhookId))).toEqual(new Set(['delivered']))
})

test('two workers never attempt a delivery under two leases that hold, and each is attempted once', async () => {
  const { tenantId, webhookIds } = await addTargets(['https://both.example.com/'], 120)
  const [webhookId = ''] = webhookIds
  const workers = [startLanes(), startLanes()]
  for (let turn = 0; turn < 20; turn += 1) {
    for (const { lanes } of workers) lanes.wake(tenantId, webhookId)
    for (const { held } of workers) for (const attempt of [...held]) attempt.answer(200)
    await pause(5)
  }
  await waitFor(async () => {
    for (const { lanes, held } of workers) {
      lanes.wake(tenantId, webhookId)
      for (const attempt of [...held]) attempt.answer(200)
    }
    expect(new Set(await statesOf(webhookId))).toEqual(new Set(['delivered']))
  })
  const attempts = workers.flatMap(({ begun }) => begun.map(({ eventId }) => eventId))
  expect(attempts).toHaveLength(120)
  expect(new Set(attempts).size).toBe(120)
  await Promise.all(workers.map(({ lanes }) => lanes.drain()))
})

test('a lane with a long backlog ends its portion, and the next run goes on', async () => {
  const { tenantId, webhookIds } = await addTargets(['https://long.example.com/'], 30)
  const [webhookId = ''] = webhookIds
  let aheadMs = 0
  const send = async () => {
    aheadMs += 1_000
    return answered(200)
  }
  const clock = () => addMs(systemClock(), aheadMs)
  const { lanes } = startLanes({ sender: { send, close: async () => undefined }, clock })
  const ends: string[] = []
  for (let end = ''; end !== 'done'; ends.push(end)) end = await lanes.run({ tenantId, webhookId })
  expect(ends.length).toBeGreaterThan(2)
  expect(ends.slice(0, -1)).toEqual(ends.slice(0, -1).map(() => 'more'))
  expect(new Set(await statesOf(webhookId))).toEqual(new Set(['delivered']))
})

/** A lane of three deliveries, with two under way as its run ends; the first hangs. */
async function untilRunEnds() {
  const { tenantId, webhookIds } = await addTargets(['https://hangs.example.com/'], 3)
  const lane = { tenantId, webhookId: webhookIds[0] ?? '' }
  let now = systemClock()
  const pass = (ms: number) => {
    now = addMs(now, ms)
  }
  const again: unknown[] = []
  const started = startLanes({
    perWebhook: 2,
    clock: () => now,
    again: (one) => void again.push(one),
  })
  const run = started.lanes.run(lane)
  await waitFor(() => expect(started.held).toHaveLength(2))
  pass(10_000)
  started.held[1]?.answer(200)
  expect(await run).toBe('more')
  return { ...started, lane, again, pass }
}

test('an attempt that hangs does not hold up the next run, which claims beside it', async () => {
  const { lanes, held, begun, lane } = await untilRunEnds()
  const next = lanes.run(lane)
  await waitFor(() => expect(held).toHaveLength(2))
  for (const attempt of [...held]) attempt.answer(200)
  expect(await next).toBe('done')
  expect(begun).toHaveLength(3)
  expect(await statesOf(lane.webhookId)).toEqual(['delivered', 'delivered', 'delivered'])
})

test('a lane whose next run does not come claims without one', async () => {
  const { lanes, held, begun, lane, pass } = await untilRunEnds()
  pass(1_000)
  await waitFor(() => expect(held).toHaveLength(2))
  for (const attempt of [...held]) attempt.answer(200)
  await lanes.drain()
  expect(begun).toHaveLength(3)
  expect(await statesOf(lane.webhookId)).toEqual(['delivered', 'delivered', 'delivered'])
})

test('an attempt that ends without a run is recorded, and its lane goes to the back of the queue', async () => {
  const { held, lane, again } = await untilRunEnds()
  held[0]?.answer(200)
  await waitFor(() => expect(again).toEqual([lane]))
  expect(await readLane(database.db, lane.webhookId)).toMatchObject({ lease: null })
  expect(await statesOf(lane.webhookId)).toEqual(['delivered', 'delivered', 'pending'])
})

test('a drain waits for it, and records it', async () => {
  const { lanes, held, begun, lane } = await untilRunEnds()
  const drained = lanes.drain()
  expect(held).toHaveLength(1)
  held[0]?.answer(200)
  await drained
  expect(begun).toHaveLength(2)
  expect(await statesOf(lane.webhookId)).toEqual(['delivered', 'delivered', 'pending'])
})
