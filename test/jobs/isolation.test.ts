import { Redis } from 'ioredis'
import { expect, test } from 'vitest'
import { newId } from '../../src/core/ids.ts'
import type { Db } from '../../src/db/database.ts'
import type { WebhookSender } from '../../src/domain/webhooks/webhook-sender.ts'
import { type Lane, QUEUE_PREFIX, queueKey } from '../../src/jobs/queues.ts'
import { startJobs } from '../../src/jobs/start-jobs.ts'
import { createResources } from '../../src/process/resources.ts'
import {
  addEvents,
  addWebhook,
  answered,
  readDeliveries,
} from '../support/deliveries/deliveries.ts'
import { openTenant } from '../support/lending/onboarding.ts'
import { testConfig } from '../support/process/config.ts'
import { waitFor } from '../support/process/patience.ts'
import { startEndpoint } from '../support/servers/endpoint.ts'
import { createTestDatabase } from '../support/stores/database.ts'
import { testRedisUrl } from '../support/stores/redis.ts'

const HEALTHY = 19
const EVENTS = 20

test('healthy endpoints have everything before a hanging one’s first attempt ends, and Redis at most two jobs of its lane', async () => {
  await using open = new AsyncDisposableStack()
  const { db, url: databaseUrl } = open.use(await createTestDatabase())
  const redisUrl = await testRedisUrl()
  const redis = new Redis(redisUrl)
  open.defer(() => redis.disconnect())
  const hanging = open.use(await startEndpoint(() => 'hang'))
  const healthy = open.use(await startEndpoint())
  // The real 15 s; the endpoints close before the worker drains, which ends what hangs.
  const resources = createResources(testConfig({ databaseUrl, redisUrl }))
  const tenantId = await openTenant(db)
  const hangingId = await addWebhook(db, tenantId, { url: hanging.url })
  for (let count = 0; count < HEALTHY; count += 1) {
    await addWebhook(db, tenantId, { url: healthy.url })
  }
  const jobs = startJobs(resources)
  try {
    for (let count = 0; count < EVENTS; count += 1) await addEvents(resources.db, tenantId, 1)
    const expected = HEALTHY * EVENTS
    await waitFor(() => expect(healthy.seen).toHaveLength(expected))
    await waitFor(() => expect(hanging.seen).toHaveLength(10))
    expect((await readDeliveries(db, hangingId)).map(({ attempts }) => attempts)).toEqual(
      Array.from({ length: EVENTS }, () => 0),
    )
    // One that runs, and one after it for what came meanwhile.
    await waitFor(async () => {
      const [bodies = 0, waiting, active, ...others] = await countJobs(redis)
      expect([waiting, active, ...others]).toEqual([0, 1, 0, 0, 0])
      expect(bodies).toBeLessThanOrEqual(2)
    })
  } finally {
    await hanging[Symbol.asyncDispose]()
    await jobs.drain()
    await resources.dispose()
  }
})

const TENANTS = 20
const HANGING = 400

test('while 400 webhooks of twenty tenants hang, another tenant’s event waits for none of them, and no sweep asks for those without a place', async () => {
  await using open = new AsyncDisposableStack()
  const { db, url: databaseUrl } = open.use(await createTestDatabase())
  const resources = createResources(testConfig({ databaseUrl, redisUrl: await testRedisUrl() }))
  const release = Promise.withResolvers<void>()
  let hanging = 0
  const delivered: string[] = []
  const sender: WebhookSender = {
    async send({ url, eventId }) {
      if (url === HEALTHY_URL) delivered.push(eventId)
      else {
        hanging += 1
        await release.promise
      }
      return answered(204)
    },
    close: async () => undefined,
  }
  const tenants = await Promise.all(Array.from({ length: TENANTS }, () => openTenant(db)))
  for (const tenantId of tenants) await insertWebhooks(db, tenantId, HANGING / TENANTS)
  const quiet = await openTenant(db)
  await addWebhook(db, quiet, { url: HEALTHY_URL })
  const added: Lane[] = []
  const queues = {
    ...resources.queues,
    add(lanes: readonly Lane[]) {
      added.push(...lanes.filter(({ queue }) => queue === 'deliveries'))
      resources.queues.add(lanes)
    },
  }
  const jobs = startJobs({ ...resources, queues, sender })
  const readSwept = async () => {
    const metric = resources.metrics.registry.getSingleMetric('svc_last_sweep_timestamp_seconds')
    const { values = [] } = (await metric?.get()) ?? {}
    return values.find(({ labels: { sweep } }) => sweep === 'deliveries')?.value ?? 0
  }
  const untilSwept = async () => {
    const before = await readSwept()
    await waitFor(async () => expect(await readSwept()).toBeGreaterThan(before))
  }
  try {
    // More than each webhook's cap.
    for (const tenantId of tenants) await addEvents(resources.db, tenantId, 11)
    // Each tenant's limit.
    await waitFor(() => expect(hanging).toBe(TENANTS * 50))
    for (let count = 1; count <= 20; count += 1) {
      await addEvents(resources.db, quiet, 1)
      await waitFor(() => expect(delivered).toHaveLength(count), { timeout: 4_000 })
    }
    expect(hanging).toBe(TENANTS * 50)
    // One that is under way may have begun before.
    await untilSwept()
    added.length = 0
    await untilSwept()
    await untilSwept()
    expect(added.filter(({ tenantId }) => tenantId !== quiet)).toEqual([])
  } finally {
    release.resolve()
    await jobs.drain()
    await resources.dispose()
  }
})

const HEALTHY_URL = 'https://healthy.example.com/'

async function insertWebhooks(db: Db, tenantId: string, count: number): Promise<void> {
  const rows = Array.from({ length: count }, () => ({
    ...{ tenant_id: tenantId, webhook_id: newId('whk'), url: 'https://hanging.example.com/' },
    ...{
      event_types: [],
      state: 'active' as const,
      registered_sequence: 0n,
      created_at: new Date(),
    },
  }))
  await db.insertInto('webhooks').values(rows).execute()
}

/** Jobs that exist, and those of each state. */
async function countJobs(redis: Redis): Promise<number[]> {
  const key = (name: string) => `${QUEUE_PREFIX}:${queueKey('deliveries')}:${name}`
  const bodies = (await redis.keys(key('*'))).filter((name) => /:\d+$/.test(name))
  return [
    bodies.length,
    await redis.llen(key('wait')),
    await redis.llen(key('active')),
    await redis.zcard(key('delayed')),
    await redis.zcard(key('completed')),
    await redis.zcard(key('failed')),
  ]
}
