import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { Redis } from 'ioredis'
import { type RawBuilder, sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createSealer } from '../../src/core/sealing.ts'
import { systemClock } from '../../src/core/time.ts'
import { type Db, inTransaction, wakeAfterCommit } from '../../src/db/database.ts'
import { createSigningSecret } from '../../src/domain/webhooks/signing-secret.ts'
import { deleteWebhook } from '../../src/domain/webhooks/webhooks.ts'
import { QUEUE_PREFIX, type QueueName, queueKey } from '../../src/jobs/queues.ts'
import { startJobs } from '../../src/jobs/start-jobs.ts'
import { createResources, type Resources } from '../../src/process/resources.ts'
import {
  checkDeliveries,
  findOldSignatures,
  type InForce,
} from '../support/deliveries/check-deliveries.ts'
import {
  addEvents,
  addWebhook,
  readDeliveries,
  readWebhook,
} from '../support/deliveries/deliveries.ts'
import { addBorrower, openTenant, sign } from '../support/lending/onboarding.ts'
import { builtEntry } from '../support/process/built-service.ts'
import { testConfig, testEnvironment } from '../support/process/config.ts'
import { processEnvironment } from '../support/process/entry.ts'
import { LONG_SCENARIO_MS, waitFor } from '../support/process/patience.ts'
import { type Endpoint, type EndpointAnswer, startEndpoint } from '../support/servers/endpoint.ts'
import { createTestDatabase } from '../support/stores/database.ts'
import { testRedisUrl } from '../support/stores/redis.ts'
import { type RedisProxy, startRedisProxy } from '../support/stores/redis-proxy.ts'
import { untilOneWaits } from '../support/stores/waiting-sessions.ts'

/** A lease of 6 s: what a worker leaves behind is soon anyone's. */
const SHORT_LEASE = { DELIVERY_DEADLINE_SECONDS: '1' }

let open: AsyncDisposableStack
let stores: { databaseUrl: string; redisUrl: string }
let db: Db
beforeEach(async () => {
  open = new AsyncDisposableStack()
  const database = open.use(await createTestDatabase())
  stores = { databaseUrl: database.appUrl, redisUrl: await testRedisUrl() }
  db = database.db
})
afterEach(() => open.disposeAsync())

/** A worker process; killed at the end of the test, if it lives so long. */
function forkWorker(dieAt = ''): ChildProcess {
  const env = processEnvironment({ ...testEnvironment(stores, SHORT_LEASE), DIE_AT: dieAt })
  const child = fork(builtEntry('worker-child'), { env, execArgv: [] })
  open.defer(() => endChild(child, 'SIGKILL'))
  return child
}

async function endChild(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill(signal)
  await ended
}

function openResources(redisUrl = stores.redisUrl): Resources {
  const resources = createResources(testConfig({ ...stores, redisUrl }, SHORT_LEASE))
  open.defer(() => resources.dispose())
  return resources
}

/** A worker in this process, drained at the end of the test. */
function startWorker(redisUrl?: string): void {
  const jobs = startJobs(openResources(redisUrl))
  open.defer(() => jobs.drain())
}

/** A tenant with one webhook, to an endpoint of its own. */
async function subscribe(answer?: () => EndpointAnswer | Promise<EndpointAnswer>) {
  const endpoint = open.use(await startEndpoint(answer))
  const tenantId = await openTenant(db)
  const webhookId = await addWebhook(db, tenantId, { url: endpoint.url })
  return { endpoint, tenantId, webhookId }
}

type Subscription = Awaited<ReturnType<typeof subscribe>>

/** Waits until `count` deliveries are delivered, then checks what must hold of all of them. */
async function expectAllWell({ webhookId, endpoint }: Subscription, count: number): Promise<void> {
  await waitFor(async () => {
    const states = (await readDeliveries(db, webhookId)).map(({ state }) => state)
    expect(states).toEqual(Array.from({ length: count }, () => 'delivered'))
  })
  expect(await checkDeliveries(db, { [webhookId]: endpoint.seen })).toEqual([])
  expect(new Set(acknowledged(endpoint)).size).toBe(count)
}

const acknowledged = (endpoint: Endpoint) =>
  endpoint.seen.filter(({ status }) => status === 204).map(({ eventId }) => eventId)

/** Holds what `lock` locks until a session waits for it; then runs `act` and lets go. */
async function whileWaitingFor(lock: RawBuilder<unknown>, act: () => Promise<void>): Promise<void> {
  await inTransaction(db, async (tx) => {
    // A process may take long to start on a busy machine.
    await sql`SET LOCAL idle_in_transaction_session_timeout = 0`.execute(tx)
    await lock.execute(tx)
    await untilOneWaits(db)
    await act()
  })
}

describe('a worker killed', { timeout: LONG_SCENARIO_MS }, () => {
  const EVENTS = 15
  test('a worker killed while the database holds up its claim loses nothing', async () => {
    const subscription = await subscribe()
    const worker = forkWorker()
    await addEvents(db, subscription.tenantId, EVENTS)
    await whileWaitingFor(sql`LOCK TABLE lanes IN SHARE MODE`, () => endChild(worker, 'SIGKILL'))
    // Nothing is posted before its claim is committed.
    expect(subscription.endpoint.seen).toEqual([])
    startWorker()
    await expectAllWell(subscription, EVENTS)
    expect(subscription.endpoint.seen.map(({ attempt }) => attempt)).toEqual(
      Array.from({ length: EVENTS }, () => 1),
    )
  })

  test('a worker killed between claim and POST loses nothing', async () => {
    const subscription = await subscribe()
    await addEvents(db, subscription.tenantId, EVENTS)
    await once(forkWorker('before-post'), 'exit')
    expect(subscription.endpoint.seen).toEqual([])
    startWorker()
    await expectAllWell(subscription, EVENTS)
  })

  test('a worker killed between POST and record posts again with the same number', async () => {
    const subscription = await subscribe()
    await addEvents(db, subscription.tenantId, EVENTS)
    await once(forkWorker('after-post'), 'exit')
    const posted = subscription.endpoint.seen.length
    expect(posted).toBeGreaterThan(0)
    startWorker()
    await expectAllWell(subscription, EVENTS)
    expect(subscription.endpoint.seen.every(({ attempt }) => attempt === 1)).toBe(true)
    expect(subscription.endpoint.seen.length).toBeGreaterThan(EVENTS)
  })

  test('a worker killed in the middle of a record leaves nothing half written', async () => {
    const subscription = await subscribe()
    await addEvents(db, subscription.tenantId, EVENTS)
    const worker = forkWorker()
    // A claim has no need of it; a record waits there with half of it written.
    await whileWaitingFor(sql`LOCK TABLE delivery_attempts IN SHARE MODE`, () =>
      endChild(worker, 'SIGKILL'),
    )
    expect(subscription.endpoint.seen).not.toEqual([])
    // The commit came with the record: the server may have ended both without the worker.
    const recorded = await db
      .selectFrom('deliveries as d')
      .leftJoin('delivery_attempts as a', (join) =>
        join.onRef('a.tenant_id', '=', 'd.tenant_id').onRef('a.event_id', '=', 'd.event_id'),
      )
      .select(['d.state', 'a.status'])
      .execute()
    expect(recorded).toHaveLength(EVENTS)
    const halves = recorded.filter(
      ({ state, status }) => (state === 'delivered') !== (status === 204),
    )
    expect(halves).toEqual([])
    startWorker()
    await expectAllWell(subscription, EVENTS)
  })

  test('a worker killed right after a record repeats nothing that was recorded', async () => {
    const subscription = await subscribe()
    const { tenantId, webhookId, endpoint } = subscription
    await addEvents(db, tenantId, 10 * EVENTS)
    const worker = forkWorker()
    const recorded = await waitFor(async () => {
      const rows = await readDeliveries(db, webhookId)
      const delivered = rows.filter(({ state }) => state === 'delivered')
      expect(delivered).not.toEqual([])
      return delivered.map((row) => row.event_id)
    })
    await endChild(worker, 'SIGKILL')
    startWorker()
    await expectAllWell(subscription, 10 * EVENTS)
    const acknowledgements = Map.groupBy(acknowledged(endpoint), (eventId) => eventId)
    for (const eventId of recorded) expect(acknowledgements.get(eventId)).toEqual([eventId])
  })
})

test('work of a worker killed in the middle of it is done by another once its lease is over', {
  timeout: LONG_SCENARIO_MS,
}, async () => {
  const tenantId = await openTenant(db)
  const borrowerId = await addBorrower(db, tenantId)
  const worker = forkWorker()
  const readWork = () => db.selectFrom('work').select(['topic', 'lease', 'held_until']).execute()
  let leasedUntil = 0
  await inTransaction(db, async (tx) => {
    await sql`SET LOCAL idle_in_transaction_session_timeout = 0`.execute(tx)
    await sql`LOCK TABLE compliance_checks IN SHARE MODE`.execute(tx)
    await sign(db, tenantId, borrowerId)
    await untilOneWaits(db)
    const [held] = await readWork()
    expect(held).toMatchObject({ topic: 'evaluate-borrower', lease: expect.any(String) })
    leasedUntil = held?.held_until?.getTime() ?? 0
    await endChild(worker, 'SIGKILL')
  })
  startWorker()
  await waitFor(async () => expect(await readWork()).toEqual([]), { timeout: 60_000 })
  expect(Date.now()).toBeGreaterThan(leasedUntil)
  // A sweep after its end; on a busy machine a few seconds more.
  expect(Date.now()).toBeLessThan(leasedUntil + 10_000)
  const events = await db.selectFrom('events').select('type').execute()
  expect(events).toEqual([{ type: 'borrower.eligible' }])
})

test('a worker paused past its lease changes nothing when it continues', {
  timeout: LONG_SCENARIO_MS,
}, async () => {
  const gate = Promise.withResolvers<void>()
  let first = true
  const subscription = await subscribe(async () => {
    if (!first) return { status: 204 }
    first = false
    await gate.promise
    return { status: 500 }
  })
  const { tenantId, webhookId, endpoint } = subscription
  await addEvents(db, tenantId, 1)
  const paused = forkWorker()
  await waitFor(() => expect(endpoint.seen).toHaveLength(1))
  paused.kill('SIGSTOP')
  startWorker()
  await expectAllWell(subscription, 1)

  gate.resolve()
  paused.kill('SIGCONT')
  await endChild(paused, 'SIGTERM')
  expect(paused.exitCode).toBe(0)
  await expectAllWell(subscription, 1)
  expect(endpoint.seen.map(({ attempt }) => attempt)).toEqual([1, 1])
  expect(await readWebhook(db, webhookId)).toMatchObject({ failures: 0 })
  expect(await db.selectFrom('delivery_attempts').selectAll().execute()).toMatchObject([
    { number: 1, status: 204 },
  ])
})

describe('under load on two workers', { timeout: LONG_SCENARIO_MS }, () => {
  const WEBHOOKS = 16
  const EVENTS = 250

  /** A tenant with webhooks that lead to one endpoint each; two workers deliver what is written. */
  async function startLoad(
    options: { answer?: () => EndpointAnswer; prepare?: (tenantId: string) => Promise<void> } = {},
  ) {
    const tenantId = await openTenant(db)
    await options.prepare?.(tenantId)
    const endpoints: Record<string, Endpoint> = {}
    for (let count = 0; count < WEBHOOKS; count += 1) {
      const endpoint = open.use(await startEndpoint(options.answer))
      endpoints[await addWebhook(db, tenantId, { url: endpoint.url })] = endpoint
    }
    for (let worker = 0; worker < 2; worker += 1) forkWorker()
    await addEvents(db, tenantId, EVENTS)
    return { tenantId, endpoints }
  }

  async function haveAllEnded(): Promise<boolean> {
    const { rows } = await sql`SELECT FROM deliveries
      WHERE state = 'pending' OR due_at IS NOT NULL LIMIT 1`.execute(db)
    return rows.length === 0
  }
  const untilAllEnded = () => waitFor(async () => expect(await haveAllEnded()).toBe(true))

  const logsOf = (endpoints: Record<string, Endpoint>) =>
    Object.fromEntries(Object.entries(endpoints).map(([id, { seen }]) => [id, seen]))

  const statesOf = async (webhookId: string) =>
    new Set((await readDeliveries(db, webhookId)).map(({ state }) => state))

  test('under load webhooks deleted one after the other are sent nothing after their deletion', async () => {
    const { tenantId, endpoints } = await startLoad()
    const deletions = Object.entries(endpoints).map(async ([webhookId, { seen }], index) => {
      await waitFor(() => expect(seen.length).toBeGreaterThan(5 * index))
      await inTransaction(db, (tx) => deleteWebhook(tx, tenantId, webhookId, systemClock))
      return await statesOf(webhookId)
    })
    const states = await Promise.all(deletions)
    expect(states.filter((each) => each.has('cancelled')).length).toBeGreaterThan(WEBHOOKS / 2)
    await untilAllEnded()
    expect(await checkDeliveries(db, logsOf(endpoints))).toEqual([])
  })

  test('under load webhooks that fail are disabled after exactly 100 attempts and sent nothing afterwards', async () => {
    const { endpoints } = await startLoad({ answer: () => ({ status: 500 }) })
    await waitFor(async () => {
      for (const webhookId of Object.keys(endpoints)) {
        expect(await readWebhook(db, webhookId)).toMatchObject({
          state: 'disabled',
          failures: 100,
        })
      }
    })
    await untilAllEnded()
    expect(await checkDeliveries(db, logsOf(endpoints))).toEqual([])
    for (const webhookId of Object.keys(endpoints)) {
      expect(await statesOf(webhookId)).toEqual(new Set(['cancelled']))
    }
  })

  test('under load replaced secrets sign nothing that starts after their replacement', async () => {
    const sealer = createSealer(testConfig(stores).encryptionKeys)
    const secrets: InForce[] = []
    const replaceSecret = async (tenantId: string) => {
      const { secret } = await inTransaction(db, (tx) =>
        createSigningSecret(tx, tenantId, sealer, systemClock),
      )
      secrets.push({ secret, since: systemClock() })
    }
    const { tenantId, endpoints } = await startLoad({ prepare: replaceSecret })
    const countSeen = () => Object.values(endpoints).reduce((sum, { seen }) => sum + seen.length, 0)
    for (let seen = 0; seen < WEBHOOKS * EVENTS; seen = countSeen()) {
      await waitFor(() => expect(countSeen()).toBeGreaterThan(seen))
      await replaceSecret(tenantId)
    }
    await untilAllEnded()
    expect(await checkDeliveries(db, logsOf(endpoints))).toEqual([])
    expect(secrets.length).toBeGreaterThan(10)
    for (const [webhookId, { seen }] of Object.entries(endpoints)) {
      expect(seen).toHaveLength(EVENTS)
      expect(await findOldSignatures(db, webhookId, seen, secrets)).toEqual([])
    }
  })
})

describe('Redis', { timeout: LONG_SCENARIO_MS }, () => {
  /** Longer than a client's patience with a command, a connection or a job's lock. */
  const OUTAGE_MS = 20_000

  /** Commits one event after the other, each with its wake, as the API would. */
  async function addOneByOne(api: Resources, tenantId: string, count: number): Promise<void> {
    for (let added = 0; added < count; added += 1) await addEvents(api.db, tenantId, 1)
  }

  test('a Redis that is emptied repeatedly while events are delivered loses none', async () => {
    const redis = new Redis(stores.redisUrl)
    open.defer(() => redis.disconnect())
    const subscription = await subscribe()
    const api = openResources()
    startWorker()
    for (let round = 0; round < 5; round += 1) {
      await addOneByOne(api, subscription.tenantId, 20)
      await redis.flushdb()
    }
    await expectAllWell(subscription, 100)
  })

  test.each<[string, (proxy: RedisProxy) => Promise<void>, (proxy: RedisProxy) => Promise<void>]>([
    ['taken away', (proxy) => proxy.goDown(), (proxy) => proxy.comeBack()],
    ['hanging', async (proxy) => proxy.hang(), async (proxy) => proxy.goOn()],
  ])(
    'a Redis %s for 20 s delays nothing for long, and its wakes work again afterwards',
    async (...how) => {
      const [, begin, end] = how
      const proxy = open.use(await startRedisProxy(stores.redisUrl))
      const subscription = await subscribe()
      const api = openResources(proxy.url)
      startWorker(proxy.url)
      await addOneByOne(api, subscription.tenantId, 5)
      await expectAllWell(subscription, 5)

      await begin(proxy)
      const endsAt = Date.now() + OUTAGE_MS
      for (let added = 10; Date.now() < endsAt; added += 5) {
        await addOneByOne(api, subscription.tenantId, 5)
        await expectAllWell(subscription, added)
      }

      await end(proxy)
      const redis = new Redis(stores.redisUrl)
      open.defer(() => redis.disconnect())
      const jobsEver = async (queue: QueueName) =>
        Number(await redis.get(`${QUEUE_PREFIX}:${queueKey(queue)}:id`))
      const before = [await jobsEver('floors'), await jobsEver('deliveries')] as const
      await waitFor(async () => {
        await addOneByOne(api, subscription.tenantId, 1)
        await inTransaction(api.db, async (tx) =>
          wakeAfterCommit(tx, {
            kind: 'work',
            tenantId: subscription.tenantId,
            topic: 'push-floor',
            subjectId: 'fac_none',
          }),
        )
        expect(await jobsEver('floors')).toBeGreaterThan(before[0])
        expect(await jobsEver('deliveries')).toBeGreaterThan(before[1])
      })
      await waitFor(async () => expect(await jobsLeft(redis)).toEqual([]))
    },
  )

  const jobsLeft = async (redis: Redis) =>
    (await redis.keys(`${QUEUE_PREFIX}:*`)).filter((key) =>
      /:(\d+|wait|active|paused|delayed|prioritized|completed|failed)$/.test(key),
    )
})
