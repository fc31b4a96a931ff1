import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { addMs, MINUTE_MS } from '../../../src/core/time.ts'
import { inTransaction, type Wake } from '../../../src/db/database.ts'
import { runWork } from '../../../src/domain/work/run-work.ts'
import { requestWork, scheduleWorks, type WorkResult } from '../../../src/domain/work/work.ts'
import { openTenant } from '../../support/lending/onboarding.ts'
import { createTestDatabase, type TestDatabase } from '../../support/stores/database.ts'

let database: TestDatabase
const wakes: Wake[] = []
beforeAll(async () => {
  database = await createTestDatabase({ onCommit: (committed) => wakes.push(...committed) })
})
afterAll(() => database[Symbol.asyncDispose]())
beforeEach(() => {
  wakes.length = 0
})

type WorkItem = { tenantId: string; topic: 'release-draw'; subjectId: string }

const START = new Date('2026-11-20T10:00:00.000Z')
const LEASE_MS = 30_000
const DONE: WorkResult = { done: true }

async function addItem(): Promise<WorkItem> {
  const tenantId = await openTenant(database.db)
  const item: WorkItem = { tenantId, topic: 'release-draw', subjectId: 'thing_1' }
  await request(item)
  return item
}

function request(item: WorkItem, dueAt = START): Promise<void> {
  return inTransaction(database.db, (tx) => requestWork(tx, item, dueAt))
}

/** Runs the item at a fixed instant; returns whether it was run. */
function run(item: WorkItem, now: Date, work: () => Promise<WorkResult> = async () => DONE) {
  return runWork(database.db, item, () => now, work)
}

async function isDue(item: WorkItem, now: Date): Promise<boolean> {
  const due = await database.db
    .selectFrom('work')
    .select('topic')
    .where('tenant_id', '=', item.tenantId)
    .where(sql<boolean>`(ready OR greatest(due_at, held_until) <= ${now})`)
    .execute()
  return due.length > 0
}

/** Which worker has the item by its row, and until when. */
async function readClaim(item: WorkItem) {
  return await database.db
    .selectFrom('work')
    .select(['lease', 'due_at', 'held_until', 'attempts', 'last_error'])
    .where('tenant_id', '=', item.tenantId)
    .executeTakeFirstOrThrow()
}

const fail = async (): Promise<WorkResult> => {
  throw new Error('out of order')
}

/** Marks an item as claimed by a run of which nothing was ever heard again. */
async function crash(item: WorkItem, now: Date): Promise<() => void> {
  const claimed = Promise.withResolvers<void>()
  const never = Promise.withResolvers<WorkResult>()
  const lost = run(item, now, () => {
    claimed.resolve()
    return never.promise
  })
  await claimed.promise
  return () => {
    never.resolve(DONE)
    void lost
  }
}

describe('work that is asked for', () => {
  test('requested work wakes a worker after the commit, and runs once', async () => {
    const item = await addItem()
    expect(wakes).toEqual([{ kind: 'work', ...item }])
    expect(await run(item, START)).toBe(true)
    expect(await run(item, START)).toBe(false)
    expect(await isDue(item, addMs(START, 1_000 * MINUTE_MS))).toBe(false)
  })

  test('work requested in a transaction that is rolled back neither wakes nor runs', async () => {
    const tenantId = await openTenant(database.db)
    const item: WorkItem = { tenantId, topic: 'release-draw', subjectId: 'thing_1' }
    const givenUp = inTransaction(database.db, async (tx) => {
      await requestWork(tx, item, START)
      throw new Error('given up')
    })
    await expect(givenUp).rejects.toThrow('given up')
    expect(wakes).toEqual([])
    expect(await run(item, START)).toBe(false)
  })

  test('work requested many times before it runs is run once', async () => {
    const item = await addItem()
    for (let again = 0; again < 5; again += 1) await request(item)
    expect(await run(item, START)).toBe(true)
    expect(await run(item, START)).toBe(false)
  })

  test('work requested while it runs is run again right after, with a wake', async () => {
    const item = await addItem()
    wakes.length = 0
    await run(item, START, async () => {
      await request(item)
      return DONE
    })
    expect(wakes).toEqual([
      { kind: 'work', ...item },
      { kind: 'work', ...item },
    ])
    expect(await run(item, START)).toBe(true)
    expect(await run(item, START)).toBe(false)
  })

  test('work requested during a run that fails or waits is not delayed to the end of its pause', async () => {
    const item = await addItem()
    const failing = run(item, START, async () => {
      await request(item)
      return await fail()
    })
    await expect(failing).rejects.toThrow('out of order')
    expect(await isDue(item, START)).toBe(true)

    const retryAt = addMs(START, 10 * MINUTE_MS)
    await run(item, START, async () => {
      await request(item)
      return { done: false, retryAt }
    })
    expect(await isDue(item, START)).toBe(true)
  })

  test('work requested during the pause after a failure runs at once', async () => {
    const item = await addItem()
    await expect(run(item, START, fail)).rejects.toThrow()
    expect(await isDue(item, START)).toBe(false)
    await request(item)
    expect(await run(item, START)).toBe(true)
  })

  test('work requested for later is not due before', async () => {
    const tenantId = await openTenant(database.db)
    const later = {
      topic: 'release-draw',
      subjectId: 'thing_1',
      dueAt: addMs(START, MINUTE_MS),
    } as const
    await inTransaction(database.db, (tx) => scheduleWorks(tx, tenantId, [later]))
    const item: WorkItem = { tenantId, topic: 'release-draw', subjectId: 'thing_1' }
    expect(await run(item, addMs(START, MINUTE_MS - 1))).toBe(false)
    expect(await run(item, addMs(START, MINUTE_MS))).toBe(true)
  })
})

describe('a run', () => {
  test('a run of two workers at once belongs to one of them', async () => {
    const item = await addItem()
    let runs = 0
    const work = async () => {
      runs += 1
      return DONE
    }
    const results = await Promise.all(Array.from({ length: 8 }, () => run(item, START, work)))
    expect(runs).toBe(1)
    expect(results.filter((ran) => ran)).toHaveLength(1)
  })

  test('a run that was interrupted is repeated once its lease has expired', async () => {
    const item = await addItem()
    const end = await crash(item, START)
    expect(await run(item, addMs(START, LEASE_MS - 1))).toBe(false)
    expect(await isDue(item, addMs(START, LEASE_MS))).toBe(true)
    expect(await run(item, addMs(START, LEASE_MS))).toBe(true)
    end()
  })

  const ENDINGS: [how: string, end: (item: WorkItem) => Promise<WorkResult>][] = [
    ['is done', async () => DONE],
    ['fails', fail],
    ['must be retried later', async () => ({ done: false, retryAt: START })],
    [
      'was asked for again',
      async (item) => {
        await request(item)
        return DONE
      },
    ],
  ]

  test.each(ENDINGS)(
    'a run that %s after its lease expired leaves the item to its successor',
    async (_how, end) => {
      const item = await addItem()
      const gate = Promise.withResolvers<void>()
      const slow = run(item, START, async () => {
        await gate.promise
        return await end(item)
      })
      const ended = slow.catch(() => undefined)
      await expect.poll(() => isDue(item, START)).toBe(false)
      const successor = addMs(START, LEASE_MS)
      const retryAt = addMs(successor, MINUTE_MS)
      await run(item, successor, async () => {
        const claimed = await readClaim(item)
        gate.resolve()
        await ended
        expect(await readClaim(item)).toEqual(claimed)
        return { done: false, retryAt }
      })
      expect(await readClaim(item)).toMatchObject({ lease: null })
    },
  )

  test('a run that fails for a transient cause is retried no later than that cause allows', async () => {
    const item = await addItem()
    const passing = Object.assign(new Error('away'), { longestPauseMs: MINUTE_MS })
    let now = START
    for (let attempt = 0; attempt < 8; attempt += 1) {
      await expect(run(item, now, () => Promise.reject(passing))).rejects.toThrow('away')
      now = addMs(now, MINUTE_MS)
      expect(await isDue(item, now)).toBe(true)
    }
    expect(await isDue(item, addMs(now, -MINUTE_MS / 2 - 1))).toBe(false)
  })

  test('a run that fails is retried after 1 to 2 s, 2 to 4 s and so on, with pauses as long as its class has them', async () => {
    const item = await addItem()
    let now = START
    const pauses: number[] = []
    for (let attempt = 0; attempt < 12; attempt += 1) {
      await expect(run(item, now, fail)).rejects.toThrow('out of order')
      const { due_at: dueAt } = await readClaim(item)
      pauses.push((dueAt.getTime() - now.getTime()) / 1_000)
      expect(await run(item, addMs(dueAt, -1))).toBe(false)
      now = dueAt
    }
    const longest = [2, 4, 8, 16, 32, ...Array(7).fill(60)]
    for (const [at, pause] of pauses.entries()) {
      expect(pause).toBeGreaterThanOrEqual((longest[at] ?? 0) / 2)
      expect(pause).toBeLessThanOrEqual(longest[at] ?? 0)
    }
    expect(await run(item, now)).toBe(true)
  })

  test('a run that requests a later retry is due exactly then, with its failures reset', async () => {
    const item = await addItem()
    await expect(run(item, START, fail)).rejects.toThrow()
    const askedAt = addMs(START, 2_000)
    const retryAt = addMs(askedAt, MINUTE_MS)
    await run(item, askedAt, async () => ({ done: false, retryAt }))
    expect(await isDue(item, addMs(retryAt, -1))).toBe(false)
    await expect(run(item, retryAt, fail)).rejects.toThrow()
    expect(await isDue(item, addMs(retryAt, 2_000))).toBe(true)
  })

  test('a failed run stores the kind of its error and its place, and nothing of its message', async () => {
    const item = await addItem()
    await expect(
      run(item, START, async () => {
        throw new TypeError('ada@example.com is not a function')
      }),
    ).rejects.toThrow()
    const { last_error: error } = await readClaim(item)
    expect(error).toMatch(/^TypeError at domain\/work\/work\.test\.ts:\d+$/)
  })
})
