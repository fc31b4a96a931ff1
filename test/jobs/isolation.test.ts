import { Redis } from 'ioredis'
import { expect, test } from 'vitest'
import { QUEUE_PREFIX, queueKey } from '../../src/jobs/queues.ts'
import { startJobs } from '../../src/jobs/start-jobs.ts'
import { createResources } from '../../src/process/resources.ts'
import { addEvents, addWebhook, readDeliveries } from '../support/deliveries/deliveries.ts'
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
