import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Clock } from '../../../src/core/time.ts'
import { createDatabase, type Db, inTransaction } from '../../../src/db/database.ts'
import type { Claim } from '../../../src/domain/work/claim.ts'
import { PRIORITIES, type Topic, type WorkTopic } from '../../../src/domain/work/topics.ts'
import { requestWorks, type WorkResult } from '../../../src/domain/work/work.ts'
import { createWorkerConnections } from '../../../src/jobs/work/work-connections.ts'
import { createWorkLoop, type WorkHandler } from '../../../src/jobs/work/work-loop.ts'
import { createMetrics } from '../../../src/telemetry/metrics.ts'
import { openTenant } from '../../support/lending/onboarding.ts'
import { waitFor } from '../../support/process/patience.ts'
import { createTestDatabase, type TestDatabase } from '../../support/stores/database.ts'

const LATER = new Date('2026-11-20T11:00:00.000Z')
const NOW = new Date('2026-11-20T10:00:00.000Z')
const PATIENT = { timeout: 50_000 }
const SLOTS = createWorkerConnections(10)
const DONE: WorkResult = { done: true }

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase({ maxConnections: 10 })
})
afterAll(() => database[Symbol.asyncDispose]())

let open: AsyncDisposableStack
beforeEach(() => {
  open = new AsyncDisposableStack()
})
afterEach(async () => {
  await open.disposeAsync()
  await database.db.deleteFrom('work').execute()
})

/** A worker's loop, drained at the end of the test. */
function startLoop(handlers: [Topic, WorkHandler][], parts: { db?: Db; clock?: Clock } = {}) {
  const logger = pino({ level: 'silent' })
  const stores = { db: database.db, clock: () => NOW, ...parts }
  const context = { ...stores, logger, metrics: createMetrics(), slots: SLOTS }
  const loop = createWorkLoop(context, new Map(handlers))
  open.defer(() => loop.drain())
  return { ...loop, metrics: context.metrics }
}

async function request(tenantId: string, topic: WorkTopic, count: number): Promise<void> {
  const works = Array.from({ length: count }, (_, at) => ({ topic, subjectId: `${topic}_${at}` }))
  await inTransaction(database.db, (tx) => requestWorks(tx, tenantId, works, NOW))
}

const untilEmpty = () =>
  waitFor(
    async () => expect(await database.db.selectFrom('work').select('topic').execute()).toEqual([]),
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
  return { started, release: () => release.resolve(DONE), handler: { run } }
}

describe('a worker', () => {
  test('a worker goes on claiming until nothing is ready, from one wake-up', async () => {
    const runs: string[] = []
    const handler = {
      run: async ({ subjectId }: Claim) => {
        runs.push(subjectId)
        return DONE
      },
    }
    await request(await openTenant(database.db, NOW), 'push-floor', 500)
    startLoop([['push-floor', handler]]).wake()
    await untilEmpty()
    expect(runs).toHaveLength(500)
    expect(new Set(runs).size).toBe(500)
  })

  test('a worker shares what there is with another: both run some, and each piece runs once', async () => {
    const runs: string[][] = [[], []]
    const bothRun = Promise.withResolvers<void>()
    const loops = runs.map((own) => {
      const run = async ({ subjectId }: Claim) => {
        own.push(subjectId)
        if (runs.every(({ length }) => length > 0)) bothRun.resolve()
        // One may be connected long before the other.
        await bothRun.promise
        return DONE
      }
      return startLoop([['push-floor', { run }]])
    })
    for (let tenant = 0; tenant < 4; tenant += 1) {
      await request(await openTenant(database.db, NOW), 'push-floor', 500)
    }
    for (const { wake } of loops) wake()
    await untilEmpty()
    expect(runs.flat()).toHaveLength(2_000)
    // Claims of equal size, in turns: neither is left with a fringe of the work.
    for (const own of runs) expect(own.length).toBeGreaterThan(200)
  })

  test('a worker with every slot of a class taken by slow calls still runs what is more urgent', async () => {
    const slow = createSlow()
    const urgent: string[] = []
    const loop = startLoop([
      ['push-floor', slow.handler],
      [
        'sell-collateral',
        {
          run: async ({ subjectId }) => {
            urgent.push(subjectId)
            return DONE
          },
        },
      ],
    ])
    for (let tenant = 0; tenant < 40; tenant += 1) {
      await request(await openTenant(database.db, NOW), 'push-floor', 2)
    }
    loop.wake()
    const { slots } = PRIORITIES.floors
    await waitFor(() => expect(slow.started).toHaveLength(slots), PATIENT)
    await request(await openTenant(database.db, NOW), 'sell-collateral', 1)
    loop.wake()
    await waitFor(() => expect(urgent).toHaveLength(1), PATIENT)
    expect(slow.started).toHaveLength(slots)
    slow.release()
    await untilEmpty()
    expect(slow.started).toHaveLength(80)
  })

  test('a worker with a tenant that has more slow work than slots still runs another tenant’s', async () => {
    const slow = createSlow()
    const loop = startLoop([['push-floor', slow.handler]])
    const busy = await openTenant(database.db, NOW)
    await request(busy, 'push-floor', 200)
    loop.wake()
    const half = PRIORITIES.floors.slots / 2
    await waitFor(() => expect(slow.started).toHaveLength(half), PATIENT)
    const other = await openTenant(database.db, NOW)
    await request(other, 'push-floor', 1)
    loop.wake()
    await waitFor(() => expect(slow.started).toHaveLength(half + 1), PATIENT)
    expect(slow.started.at(-1)?.tenantId).toBe(other)
    slow.release()
    await untilEmpty()
  })

  test('a worker whose slots become free while it asks the last tenants asks the first ones again', async () => {
    const held: PromiseWithResolvers<WorkResult>[] = []
    let isOpen = false
    const run = async () => {
      if (isOpen) return DONE
      const one = Promise.withResolvers<WorkResult>()
      held.push(one)
      return await one.promise
    }
    let settling = 0
    const clock = () => {
      // The next claim after four have settled: four slots are too few to give any tenant one. On its
      // only connection the others settle before it ends.
      settling -= 1
      isOpen ||= settling === 0
      if (isOpen) for (const one of held) one.resolve(DONE)
      return NOW
    }
    const db = createDatabase({ connectionString: database.url, maxConnections: 1 })
    open.defer(() => db.destroy())
    for (let tenant = 0; tenant < 4; tenant += 1) {
      await request(await openTenant(database.db, NOW), 'push-floor', 10)
    }
    startLoop([['push-floor', { run }]], { db, clock }).wake()
    await waitFor(() => expect(held).toHaveLength(PRIORITIES.floors.slots), PATIENT)
    settling = 5
    for (const one of held.slice(0, 4)) one.resolve(DONE)
    await untilEmpty()
  })

  test('a worker that drains ends what it runs and claims nothing more', async () => {
    const slow = createSlow()
    const loop = startLoop([['push-floor', slow.handler]])
    await request(await openTenant(database.db, NOW), 'push-floor', 100)
    loop.wake()
    await waitFor(() => expect(slow.started.length).toBeGreaterThan(0), PATIENT)
    const drained = loop.drain()
    slow.release()
    await drained
    const left = await database.db.selectFrom('work').select('lease').execute()
    expect(left).toHaveLength(100 - slow.started.length)
    expect(left.every(({ lease }) => lease === null)).toBe(true)
  })

  test('a worker counts a run that fails, and tries it again later', async () => {
    const loop = startLoop([
      ['push-floor', { run: () => Promise.reject(new Error('the custodian is away')) }],
    ])
    await request(await openTenant(database.db, NOW), 'push-floor', 1)
    loop.wake()
    await waitFor(async () => {
      const row = await database.db.selectFrom('work').selectAll().executeTakeFirst()
      expect(row).toMatchObject({ attempts: 1, lease: null, ready: false, failing_since: NOW })
    }, PATIENT)
    // Counted once it is settled.
    await expect
      .poll(() => loop.metrics.registry.metrics())
      .toContain('svc_job_seconds_count{job="push-floor",outcome="failed"} 1')
  })
})

test('a batch runs at once, and each of its subjects is settled by its own result', async () => {
  const batches: string[][] = []
  const loop = startLoop([
    [
      'read-positions',
      {
        runBatch: async (claims) => {
          batches.push(claims.map(({ subjectId }) => subjectId))
          return claims.map(({ subjectId }) => {
            if (subjectId.endsWith('_0')) return DONE
            if (subjectId.endsWith('_1')) return { done: false, retryAt: LATER }
            return { error: new RangeError('no such account') }
          })
        },
      },
    ],
  ])
  await request(await openTenant(database.db, NOW), 'read-positions', 3)
  loop.wake()
  await waitFor(async () => {
    const rows = await database.db
      .selectFrom('work')
      .select(['subject_id', 'lease', 'attempts', 'due_at'])
      .orderBy('subject_id')
      .execute()
    expect(rows).toMatchObject([
      { subject_id: 'read-positions_1', lease: null, attempts: 0, due_at: LATER },
      { subject_id: 'read-positions_2', lease: null, attempts: 1 },
    ])
  }, PATIENT)
  expect(batches.flat()).toHaveLength(3)
})
