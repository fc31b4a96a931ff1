import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { sql } from 'kysely'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { addMs } from '../../src/core/time.ts'
import { inTransaction } from '../../src/db/database.ts'
import { createWaitingFinder, markWorkDue } from '../../src/domain/work/claim.ts'
import { laneOf } from '../../src/domain/work/lanes.ts'
import { requestWorks, scheduleWorks, type WorkResult } from '../../src/domain/work/work.ts'
import { laneId, QUEUE_PREFIX, type Queues, queueKey } from '../../src/jobs/queues.ts'
import { runSweeps } from '../../src/jobs/sweep.ts'
import type { WorkHandler } from '../../src/jobs/work/work-lanes.ts'
import { openTestQueues, startTestWorker } from '../support/jobs/lanes.ts'
import { openTenant } from '../support/lending/onboarding.ts'
import { waitFor } from '../support/process/patience.ts'
import { databaseForFile } from '../support/stores/database.ts'
import { testRedisUrl } from '../support/stores/redis.ts'
import { startRedisProxy } from '../support/stores/redis-proxy.ts'

const TOPIC = 'push-floor'
const DONE: WorkResult = { done: true }

/** What the queue has lost runs within this. */
const OVERTAKEN = { timeout: 10_000 }

const database = databaseForFile({ maxConnections: 10 })
let redisUrl: string

let open: AsyncDisposableStack
beforeEach(async () => {
  open = new AsyncDisposableStack()
  redisUrl = await testRedisUrl()
})
const endings: (() => void)[] = []
afterEach(async () => {
  // Before the workers drain, which waits for what runs.
  for (const end of endings.splice(0)) end()
  await open.disposeAsync()
  await database.db.deleteFrom('work').execute()
})

function startWorker(url = redisUrl, takesJobs = true) {
  const ran: string[] = []
  const handler: WorkHandler = {
    run: async ({ subjectId }) => {
      ran.push(subjectId)
      return DONE
    },
  }
  const stores = { db: database.db, redisUrl: url, sweeps: true, takesJobs }
  return { ran, started: startTestWorker(open, [[TOPIC, handler]], stores) }
}

/** Work that a request has asked for, and whose wake was lost. */
async function request(count = 1): Promise<{ tenantId: string; subjects: string[] }> {
  const tenantId = await openTenant(database.db)
  const subjects = Array.from({ length: count }, (_, at) => `fac_${at}`)
  const works = subjects.map((subjectId) => ({ topic: TOPIC, subjectId }) as const)
  await inTransaction(database.db, (tx) => requestWorks(tx, tenantId, works, new Date()))
  return { tenantId, subjects }
}

test('work whose wake was lost, and work that becomes due, run within seconds through the queue', async () => {
  const { ran, started } = startWorker()
  await started
  const { tenantId } = await request(20)
  const soon = [{ topic: TOPIC, subjectId: 'later', dueAt: addMs(new Date(), 1_500) } as const]
  await inTransaction(database.db, (tx) => scheduleWorks(tx, tenantId, soon))
  await waitFor(() => expect(ran).toHaveLength(21), { timeout: 5_000 })
})

test('a lane whose key in Redis belongs to a job that never runs is overtaken', async () => {
  const { ran, started } = startWorker()
  const { queues } = await started
  const { tenantId } = await request()
  const redis = new Redis(redisUrl)
  open.defer(() => redis.disconnect())
  const lane = laneOf({ tenantId, topic: TOPIC, subjectId: 'fac_0' })
  const key = (name: string) => `${QUEUE_PREFIX}:${queueKey('floors')}:${name}`
  // As after an outage: the job exists, and no list has it.
  await redis.hset(key('4711'), 'name', 'floors', 'data', '{}', 'opts', '{}')
  await redis.set(key(`de:${laneId(lane)}`), '4711')
  queues.add([lane])
  await sleep(500)
  expect(ran).toEqual([])
  await waitFor(() => expect(ran).toEqual(['fac_0']), OVERTAKEN)
})

test('work of a queue whose consumer is stuck is overtaken, though Redis answers', async () => {
  // Takes every job, and renews their locks.
  const stuck = Promise.withResolvers<WorkResult>()
  const never: WorkHandler = { run: () => stuck.promise }
  endings.push(() => stuck.resolve(DONE))
  const consumer = await startTestWorker(open, [[TOPIC, never]], { db: database.db, redisUrl })
  const blocked = await request(8)
  consumer.queues.add(
    blocked.subjects.map((subjectId) => laneOf({ ...blocked, topic: TOPIC, subjectId })),
  )
  await waitFor(() => expect(consumer.ran.length).toBeGreaterThan(0))
  const { ran, started } = startWorker(redisUrl, false)
  await started
  const works = [{ topic: TOPIC, subjectId: 'fac_8' } as const]
  await inTransaction(database.db, (tx) => requestWorks(tx, blocked.tenantId, works, new Date()))
  await waitFor(() => expect(ran).toEqual(['fac_8']), OVERTAKEN)
})

test('work that waits behind a slow call of its own lane is overtaken by the same process', async () => {
  const slow = Promise.withResolvers<WorkResult>()
  endings.push(() => slow.resolve(DONE))
  const ran: string[] = []
  const handler: WorkHandler = {
    run: async ({ subjectId }) => {
      ran.push(subjectId)
      return subjectId === 'fac_0' ? await slow.promise : DONE
    },
  }
  const stores = { db: database.db, redisUrl, sweeps: true }
  const { queues } = await startTestWorker(open, [[TOPIC, handler]], stores)
  const { tenantId } = await request()
  queues.add([laneOf({ tenantId, topic: TOPIC, subjectId: 'fac_0' })])
  await waitFor(() => expect(ran).toEqual(['fac_0']))
  // Both end in a character of the same part.
  const behind = { tenantId, topic: TOPIC, subjectId: 'fac_8' } as const
  await inTransaction(database.db, (tx) => requestWorks(tx, tenantId, [behind], new Date()))
  queues.add([laneOf(behind)])
  await waitFor(() => expect(ran).toEqual(['fac_0', 'fac_8']), OVERTAKEN)
})

test('work is overtaken while Redis holds every answer back, and the queue serves again afterwards', async () => {
  const proxy = open.use(await startRedisProxy(redisUrl))
  const { ran, started } = startWorker(proxy.url)
  const { queues } = await started
  proxy.hang()
  const { tenantId, subjects } = await request(40)
  queues.add(subjects.map((subjectId) => laneOf({ tenantId, topic: TOPIC, subjectId })))
  await waitFor(() => expect(ran).toHaveLength(40), OVERTAKEN)
  proxy.goOn()
  const next = await request(3)
  const lanes = next.subjects.map((subjectId) => laneOf({ ...next, topic: TOPIC, subjectId }))
  await waitFor(() => expect(ran).toHaveLength(43), OVERTAKEN)
  // By the queue: sooner than the sweep.
  await inTransaction(database.db, (tx) =>
    requestWorks(tx, next.tenantId, [{ topic: TOPIC, subjectId: 'fac_9' }], new Date()),
  )
  await waitFor(
    () => {
      queues.add([...lanes, laneOf({ ...next, topic: TOPIC, subjectId: 'fac_9' })])
      expect(ran).toHaveLength(44)
    },
    { timeout: 3_000 },
  )
})

test('work is overtaken after Redis forgot everything, and without any Redis', async () => {
  const proxy = open.use(await startRedisProxy(redisUrl))
  const { ran, started } = startWorker(proxy.url)
  const { queues } = await started
  const redis = new Redis(redisUrl)
  open.defer(() => redis.disconnect())
  const one = await request(5)
  queues.add(one.subjects.map((subjectId) => laneOf({ ...one, topic: TOPIC, subjectId })))
  await redis.flushdb()
  await waitFor(() => expect(ran).toHaveLength(5), OVERTAKEN)
  await proxy.goDown()
  await request(500)
  await waitFor(() => expect(ran).toHaveLength(505), { timeout: 20_000 })
})

test('a worker is killed with lanes in its hands: what it has not claimed runs within ten seconds', async () => {
  const queues = await openTestQueues(open, redisUrl)
  const { tenantId } = await request(1)
  const lane = laneOf({ tenantId, topic: TOPIC, subjectId: 'fac_0' })
  queues.add([lane])
  const redis = new Redis(redisUrl)
  open.defer(() => redis.disconnect())
  const key = (name: string) => `${QUEUE_PREFIX}:${queueKey('floors')}:${name}`
  await waitFor(async () => expect(await redis.llen(key('wait'))).toBe(1))
  // As a killed worker leaves it: active, and its lock not renewed.
  const job = (await redis.lmove(key('wait'), key('active'), 'RIGHT', 'LEFT')) ?? ''
  await redis.set(key(`${job}:lock`), 'gone', 'PX', 1_000)
  const { ran, started } = startWorker()
  await started
  await waitFor(() => expect(ran).toEqual(['fac_0']), OVERTAKEN)
  // And the queue is rid of the job.
  await waitFor(async () => expect(await redis.llen(key('active'))).toBe(0), { timeout: 25_000 })
})

test('two markings at the same time mark each piece once, and what is locked is marked later', async () => {
  const { db } = database
  const tenantId = await openTenant(db)
  const works = Array.from(
    { length: 40 },
    (_, at) => ({ topic: TOPIC, subjectId: `fac_${at}`, dueAt: new Date(0) }) as const,
  )
  await inTransaction(db, (tx) => scheduleWorks(tx, tenantId, works))
  const mark = () => markWorkDue(db, [TOPIC], new Date())
  const ready = async () =>
    (await db.selectFrom('work').select('subject_id').where('ready', '=', true).execute()).length
  await inTransaction(db, async (tx) => {
    await sql`SELECT FROM work WHERE subject_id = 'fac_0' FOR UPDATE`.execute(tx)
    await Promise.all([mark(), mark()])
    expect(await ready()).toBe(39)
  })
  expect((await mark()).lanes).toEqual([laneOf({ tenantId, topic: TOPIC, subjectId: 'fac_0' })])
  expect(await ready()).toBe(40)
})

/** The sweeps of a process, which only count. Ends with the test. */
async function startCounting(queues: Pick<Queues, 'takeTurn'>): Promise<{ count: number }> {
  const seen = { count: 0 }
  const stop = new AbortController()
  const counting = async () => {
    seen.count += 1
  }
  const context = {
    queues: { add() {}, takeTurn: queues.takeTurn },
    run: async () => 'done' as const,
    logger: pino({ level: 'silent' }),
  }
  const ended = runSweeps(stop.signal, context, { work: counting }, () => {})
  open.defer(async () => {
    stop.abort()
    await ended
  })
  return seen
}

test('of two processes one sweeps each second', async () => {
  const startedAt = performance.now()
  const one = await startCounting(await openTestQueues(open, redisUrl))
  const other = await startCounting(await openTestQueues(open, redisUrl))
  await waitFor(() => expect(one.count + other.count).toBeGreaterThanOrEqual(4))
  // Each by itself: within a second.
  expect(performance.now() - startedAt).toBeGreaterThan(2_600)
})

test('a process to which no turn comes sweeps within four seconds all the same, and each does without Redis', async () => {
  const proxy = open.use(await startRedisProxy(redisUrl))
  const queues = await openTestQueues(open, proxy.url)
  const never = await startCounting({ takeTurn: async () => false })
  proxy.hang()
  const hanging = await startCounting(queues)
  await waitFor(() => expect(hanging.count).toBeGreaterThan(1), { timeout: 4_000 })
  expect(never.count).toBe(0)
  await waitFor(() => expect(never.count).toBe(1), { timeout: 5_000 })
})

test('what waits is found a part at a time, each lane in its turn, with how long it has waited', async () => {
  const { db } = database
  const now = new Date('2026-11-20T10:00:00.000Z')
  const expected: string[] = []
  for (let tenant = 0; tenant < 3; tenant += 1) {
    const tenantId = await openTenant(db, now)
    const subjects = Array.from({ length: 30 }, (_, at) => `fac_${at}`)
    const works = subjects.map((subjectId) => ({ topic: TOPIC, subjectId }) as const)
    await inTransaction(db, (tx) => requestWorks(tx, tenantId, works, addMs(now, -4_000)))
    for (const subjectId of subjects)
      expected.push(laneId(laneOf({ ...works[0], tenantId, topic: TOPIC, subjectId })))
  }
  const find = createWaitingFinder(db, [TOPIC, 'release-draw'])
  const found: string[] = []
  for (let turn = 0; turn < 5; turn += 1) {
    const waiting = await find(now, 5)
    expect(waiting.length).toBeLessThanOrEqual(5)
    expect(waiting.every(({ waitedMs }) => waitedMs === 4_000)).toBe(true)
    found.push(...waiting.map(({ lane }) => laneId(lane)))
  }
  const all = [...new Set(expected)].toSorted()
  expect(all).toHaveLength(24)
  expect(found).toHaveLength(24)
  expect(found.toSorted()).toEqual(all)
  expect((await find(now, 5)).map(({ lane }) => laneId(lane))).toEqual(found.slice(0, 5))
})
