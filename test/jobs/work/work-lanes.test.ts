import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { addMs } from '../../../src/core/time.ts'
import { inTransaction } from '../../../src/db/database.ts'
import type { Claim } from '../../../src/domain/work/claim.ts'
import { markWorkDue } from '../../../src/domain/work/claim.ts'
import { setDeadlines } from '../../../src/domain/work/deadlines.ts'
import { laneOf, PARTS } from '../../../src/domain/work/lanes.ts'
import { PRIORITIES, type Topic, type WorkTopic } from '../../../src/domain/work/topics.ts'
import { requestWorks, type WorkResult } from '../../../src/domain/work/work.ts'
import type { Queues } from '../../../src/jobs/queues.ts'
import type { WorkHandler } from '../../../src/jobs/work/work-lanes.ts'
import { openTestQueues, startTestWorker } from '../../support/jobs/lanes.ts'
import { openTenant } from '../../support/lending/onboarding.ts'
import { waitFor } from '../../support/process/patience.ts'
import { databaseForFile } from '../../support/stores/database.ts'
import { testRedisUrl } from '../../support/stores/redis.ts'
import { countWaiting } from '../../support/stores/waiting-sessions.ts'

const NOW = new Date('2026-11-20T10:00:00.000Z')
const LATER = new Date('2026-11-20T11:00:00.000Z')
const PATIENT = { timeout: 50_000 }
const DONE: WorkResult = { done: true }

const database = databaseForFile({ maxConnections: 10 })
let redisUrl: string

let open: AsyncDisposableStack
beforeEach(async () => {
  open = new AsyncDisposableStack()
  redisUrl = await testRedisUrl()
})
const releases: (() => void)[] = []
afterEach(async () => {
  // Before the workers drain, which waits for what runs.
  for (const release of releases.splice(0)) release()
  await open.disposeAsync()
  await database.db.deleteFrom('work').execute()
})

const startWorker = (handlers: [Topic, WorkHandler][]) =>
  startTestWorker(open, handlers, { db: database.db, redisUrl, clock: () => NOW })

/** Requests the work of a tenant. Returns its lanes. */
async function request(tenantId: string, topic: WorkTopic, count: number, now = NOW) {
  const works = Array.from({ length: count }, (_, at) => ({ topic, subjectId: `${topic}_${at}` }))
  await inTransaction(database.db, (tx) => requestWorks(tx, tenantId, works, now))
  return works.map((work) => laneOf({ tenantId, ...work }))
}

const addTenant = () => openTenant(database.db, NOW)

const untilEmpty = () =>
  waitFor(
    async () =>
      expect(await database.db.selectFrom('work').select('topic').execute()).toHaveLength(0),
    PATIENT,
  )

/** Runs that take as long as the test likes. */
function createSlow() {
  const started: Claim[] = []
  const release = Promise.withResolvers<WorkResult>()
  const run = (claim: Claim) => {
    started.push(claim)
    return release.promise
  }
  releases.push(() => release.resolve(DONE))
  return { started, release: () => release.resolve(DONE), handler: { run } }
}

test('lanes run until nothing of them is ready, each item once', async () => {
  const runs: string[] = []
  const run = async ({ subjectId }: Claim) => {
    runs.push(subjectId)
    return DONE
  }
  const lanes = await request(await addTenant(), 'push-floor', 500)
  const { queues } = await startWorker([['push-floor', { run }]])
  queues.add(lanes)
  await untilEmpty()
  expect(runs).toHaveLength(500)
  expect(new Set(runs).size).toBe(500)
})

test('one tenant’s work runs on two workers', async () => {
  const runs: string[][] = [[], []]
  const workers = []
  for (const own of runs) {
    const run = async ({ subjectId }: Claim) => {
      own.push(subjectId)
      await sleep(2)
      return DONE
    }
    workers.push(await startWorker([['push-floor', { run }]]))
  }
  const lanes = await request(await addTenant(), 'push-floor', 800)
  workers[0]?.queues.add(lanes)
  await untilEmpty()
  expect(runs.flat()).toHaveLength(800)
  expect(new Set(runs.flat()).size).toBe(800)
  for (const own of runs) expect(own.length).toBeGreaterThan(160)
})

test('a class whose every slot is taken by slow calls holds up no other class', async () => {
  const slow = createSlow()
  const urgent: string[] = []
  const run = async ({ subjectId }: Claim) => {
    urgent.push(subjectId)
    return DONE
  }
  const { queues } = await startWorker([
    ['push-floor', slow.handler],
    ['sell-collateral', { run }],
  ])
  for (let tenant = 0; tenant < 40; tenant += 1) {
    queues.add(await request(await addTenant(), 'push-floor', 2))
  }
  const { slots } = PRIORITIES.floors
  await waitFor(() => expect(slow.started.length).toBeGreaterThanOrEqual(slots), PATIENT)
  queues.add(await request(await addTenant(), 'sell-collateral', 1))
  await waitFor(() => expect(urgent).toHaveLength(1), PATIENT)
  expect(slow.started.length).toBeLessThanOrEqual(1.25 * slots)
  slow.release()
  await untilEmpty()
  expect(slow.started).toHaveLength(80)
})

test('a tenant with more slow work than slots takes half of them, and another’s work runs', async () => {
  const slow = createSlow()
  const { queues } = await startWorker([['push-floor', slow.handler]])
  queues.add(await request(await addTenant(), 'push-floor', 200))
  const half = PRIORITIES.floors.slots / 2
  await waitFor(() => expect(slow.started).toHaveLength(half), PATIENT)
  const other = await addTenant()
  queues.add(await request(other, 'push-floor', 1))
  await waitFor(() => expect(slow.started).toHaveLength(half + 1), PATIENT)
  expect(slow.started.at(-1)?.tenantId).toBe(other)
  await sleep(200)
  expect(slow.started).toHaveLength(half + 1)
  slow.release()
  await untilEmpty()
})

test('a tenant with 2,000 items holds up another by no more than a portion of each of its lanes', async () => {
  const [busy, other] = [await addTenant(), await addTenant()]
  const runs: string[] = []
  const run = async ({ tenantId }: Claim) => {
    runs.push(tenantId)
    return DONE
  }
  const { queues } = await startWorker([['push-floor', { run }]])
  queues.add(await request(busy, 'push-floor', 2_000))
  await waitFor(() => expect(runs.length).toBeGreaterThan(200), { ...PATIENT, interval: 1 })
  const lanes = await request(other, 'push-floor', 1)
  const before = runs.length
  queues.add(lanes)
  await waitFor(() => expect(runs).toContain(other), { ...PATIENT, interval: 1 })
  // Each lane in the queue before it runs once, and those under way end.
  expect(runs.indexOf(other) - before).toBeLessThan(3 * 8 * PARTS)
})

test('lanes without a place stay in the queue for a worker that has one', async () => {
  const slow = createSlow()
  const first = await startWorker([['push-floor', slow.handler]])
  const tenants = await Promise.all(Array.from({ length: 4 }, addTenant))
  for (const tenantId of tenants) first.queues.add(await request(tenantId, 'push-floor', 8 * PARTS))
  const { slots } = PRIORITIES.floors
  await waitFor(() => expect(slow.started.length).toBeGreaterThanOrEqual(slots), PATIENT)
  const later = await Promise.all(Array.from({ length: 20 }, addTenant))
  for (const tenantId of later) first.queues.add(await request(tenantId, 'push-floor', 1))
  const ran = new Set<string>()
  const run = async ({ tenantId }: Claim) => {
    ran.add(tenantId)
    return DONE
  }
  await startWorker([['push-floor', { run }]])
  await waitFor(() => expect([...ran]).toEqual(expect.arrayContaining(later)), PATIENT)
  expect(slow.started.length).toBeLessThanOrEqual(1.25 * slots)
})

test('a worker that drains ends what it runs, claims nothing more, and leaves its lanes to others', async () => {
  const slow = createSlow()
  const { queues, drain } = await startWorker([['push-floor', slow.handler]])
  const lanes = await request(await addTenant(), 'push-floor', 100)
  queues.add(lanes)
  await waitFor(() => expect(slow.started.length).toBeGreaterThan(0), PATIENT)
  const drained = drain()
  queues.add(lanes)
  slow.release()
  await drained
  const left = await database.db.selectFrom('work').select('lease').execute()
  expect(left).toHaveLength(100 - slow.started.length)
  expect(left.every(({ lease }) => lease === null)).toBe(true)
  await startWorker([['push-floor', { run: async () => DONE }]])
  await untilEmpty()
})

/** Lanes of one item of a topic, and of one deadline. */
async function addLanes() {
  const tenantId = await addTenant()
  const lanes = await request(tenantId, 'push-floor', 1)
  const deadline = { subjectId: 'fac_0', dueAt: NOW }
  await inTransaction(database.db, (tx) => setDeadlines(tx, tenantId, 'refresh-floor', [deadline]))
  const marked = await markWorkDue(database.db, ['refresh-floor'], NOW)
  return [...lanes, ...marked.lanes]
}

/** Adds lanes whose claims wait in the database, and lets these go on after `act`. */
async function whileClaimsWait(queues: Queues, act: () => void): Promise<void> {
  const lanes = await addLanes()
  await inTransaction(database.db, async (tx) => {
    await sql`LOCK TABLE work IN ACCESS EXCLUSIVE MODE`.execute(tx)
    queues.add(lanes)
    await waitFor(async () => expect(await countWaiting(database.db)).toBe(lanes.length), PATIENT)
    act()
  })
}

test('what a claim brings back after a drain has started is not begun, and is free for others', async () => {
  const ran: string[] = []
  const run = async ({ topic }: Claim) => {
    ran.push(topic)
    return DONE
  }
  const handlers: [Topic, WorkHandler][] = [
    ['push-floor', { run }],
    ['refresh-floor', { run }],
  ]
  const { queues, drain } = await startWorker(handlers)
  let drained: Promise<unknown> = Promise.resolve()
  await whileClaimsWait(queues, () => {
    drained = drain()
  })
  await drained
  expect(ran).toEqual([])
  const left = await database.db.selectFrom('work').select(['ready', 'lease']).execute()
  expect(left).toEqual([
    { ready: true, lease: null },
    { ready: true, lease: null },
  ])
  await startWorker(handlers)
  await untilEmpty()
  expect(ran.toSorted()).toEqual(['push-floor', 'refresh-floor'])
})

test('nothing begins that could outlast its lease, however long its claim has waited', async () => {
  let now = NOW
  const leftMs: number[] = []
  const run = async ({ subjectId, topic }: Claim) => {
    const { held_until: until } = await database.db
      .selectFrom('work')
      .select('held_until')
      .where('subject_id', '=', subjectId)
      .where('topic', '=', topic)
      .executeTakeFirstOrThrow()
    leftMs.push((until?.getTime() ?? 0) - now.getTime())
    return DONE
  }
  const { queues } = await startTestWorker(
    open,
    [
      ['push-floor', { run }],
      ['refresh-floor', { run }],
    ],
    { db: database.db, redisUrl, clock: () => now },
  )
  await whileClaimsWait(queues, () => {
    now = addMs(NOW, 10_000)
  })
  await untilEmpty()
  expect(leftMs).toEqual([30_000, 30_000])
})

test('a run that fails is counted, and tried again later', async () => {
  const run = () => Promise.reject(new Error('the custodian is away'))
  const { queues, metrics } = await startWorker([['push-floor', { run }]])
  queues.add(await request(await addTenant(), 'push-floor', 1))
  await waitFor(async () => {
    const row = await database.db.selectFrom('work').selectAll().executeTakeFirst()
    expect(row).toMatchObject({ attempts: 1, lease: null, ready: false, failing_since: NOW })
  }, PATIENT)
  // Counted once it is settled.
  await expect
    .poll(() => metrics.registry.metrics())
    .toContain('svc_job_seconds_count{job="push-floor",outcome="failed"} 1')
})

test('a batch is of one lane, and each of its subjects is settled by its own result', async () => {
  const batches: string[][] = []
  const runBatch = async (claims: readonly Claim[]) => {
    batches.push(claims.map(({ subjectId }) => subjectId))
    return claims.map(({ subjectId }) => {
      if (subjectId.endsWith('_0')) return DONE
      if (subjectId.endsWith('_1')) return { done: false as const, retryAt: LATER }
      return { error: new RangeError('no such account') }
    })
  }
  const { queues } = await startWorker([['read-positions', { runBatch }]])
  queues.add(await request(await addTenant(), 'read-positions', 11))
  await waitFor(async () => {
    const rows = await database.db
      .selectFrom('work')
      .select(['subject_id', 'lease', 'attempts', 'due_at'])
      .orderBy('subject_id')
      .execute()
    expect(rows.slice(0, 2)).toMatchObject([
      { subject_id: 'read-positions_1', lease: null, attempts: 0, due_at: LATER },
      { subject_id: 'read-positions_10', lease: null, attempts: 1 },
    ])
    expect(rows.every(({ lease }) => lease === null)).toBe(true)
    expect(batches.flat()).toHaveLength(11)
  }, PATIENT)
  // 0, 8 and 10 end in characters of one part.
  expect(batches.map((batch) => batch.toSorted())).toContainEqual([
    'read-positions_0',
    'read-positions_10',
    'read-positions_8',
  ])
})

test('of one tenant deadlines run in the order of their instants and one at a time, on two workers', async () => {
  const tenants = [await addTenant(), await addTenant()]
  const ran = new Map(tenants.map((tenantId) => [tenantId, [] as string[]]))
  const running = new Map<string, number>()
  let most = 0
  const run = async ({ tenantId, subjectId }: Claim) => {
    const now = (running.get(tenantId) ?? 0) + 1
    running.set(tenantId, now)
    most = Math.max(most, now)
    await sleep(2)
    ran.get(tenantId)?.push(subjectId)
    running.set(tenantId, (running.get(tenantId) ?? 0) - 1)
    return DONE
  }
  const subjects = Array.from({ length: 60 }, (_, at) => `fac_${at}`)
  for (const tenantId of tenants) {
    const deadlines = subjects.map((subjectId, at) => ({ subjectId, dueAt: addMs(NOW, at - 100) }))
    await inTransaction(database.db, (tx) => setDeadlines(tx, tenantId, 'refresh-floor', deadlines))
  }
  const { lanes } = await markWorkDue(database.db, ['refresh-floor'], NOW)
  const workers = [
    await startWorker([['refresh-floor', { run }]]),
    await startWorker([['refresh-floor', { run }]]),
  ]
  for (let again = 0; again < 20; again += 1) {
    for (const { queues } of workers) queues.add(lanes)
    await sleep(10)
  }
  await untilEmpty()
  for (const own of ran.values()) expect(own).toEqual(subjects)
  expect(most).toBe(1)
})

test('a lane of a topic without a handler here is passed over', async () => {
  const ran: string[] = []
  const run = async ({ subjectId }: Claim) => {
    ran.push(subjectId)
    return DONE
  }
  const { queues } = await startWorker([['push-floor', { run }]])
  const tenantId = await addTenant()
  queues.add(await request(tenantId, 'release-lien', 1))
  queues.add(await request(tenantId, 'push-floor', 1))
  await waitFor(() => expect(ran).toEqual(['push-floor_0']), PATIENT)
  const left = await database.db.selectFrom('work').select(['topic', 'lease']).execute()
  expect(left).toEqual([{ topic: 'release-lien', lease: null }])
})

test('a request’s queue and a worker’s are the same', async () => {
  const ran: string[] = []
  const run = async ({ subjectId }: Claim) => {
    ran.push(subjectId)
    return DONE
  }
  await startWorker([['push-floor', { run }]])
  const api = await openTestQueues(open, redisUrl)
  api.add(await request(await addTenant(), 'push-floor', 3))
  await waitFor(() => expect(ran.toSorted()).toHaveLength(3), PATIENT)
})
