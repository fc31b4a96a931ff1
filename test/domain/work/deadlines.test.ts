import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addMs, type Clock, DAY_MS, HOUR_MS, MINUTE_MS } from '../../../src/core/time.ts'
import { inTransaction } from '../../../src/db/database.ts'
import { createClockFor, moveClockTo } from '../../../src/domain/tenants/tenant-clock.ts'
import {
  ADVANCE_CLOCK,
  advanceClock,
  beginAdvance,
  type ClockAdvance,
  type ClockContext,
  continueAdvance,
  endAdvance,
  findTarget,
  leaveAdvance,
} from '../../../src/domain/work/advance-clock.ts'
import {
  clearDeadline,
  type DeadlineHandler,
  type DeadlineHandlers,
  setDeadline,
} from '../../../src/domain/work/deadlines.ts'
import type { DeadlineTopic } from '../../../src/domain/work/topics.ts'
import { deadlineRuns } from '../../../src/jobs/work/work-handlers.ts'
import { runDueWork } from '../../support/deliveries/due-work.ts'
import { openTenant } from '../../support/lending/onboarding.ts'
import { createTestDatabase, type TestDatabase } from '../../support/stores/database.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database[Symbol.asyncDispose]())

const START = new Date('2026-11-20T12:00:00Z')
const DAY_SECONDS = DAY_MS / 1_000

/** Real time stands still, so that what a tenant's clock shows is what the test has made of it. */
const clock: Clock = () => START
const clockFor = createClockFor('sandbox', clock)

const addTenant = () => openTenant(database.db, START)
const inMs = (ms: number) => addMs(START, ms)

async function set(
  tenantId: string,
  subjectId: string,
  dueAt: Date,
  topic: DeadlineTopic = 'evaluate-facility',
) {
  await inTransaction(database.db, (tx) => setDeadline(tx, tenantId, topic, { subjectId, dueAt }))
}

async function left(tenantId: string): Promise<string[]> {
  const rows = await database.db
    .selectFrom('work')
    .select('subject_id')
    .where('tenant_id', '=', tenantId)
    .orderBy('subject_id')
    .execute()
  return rows.map((row) => row.subject_id)
}

/** Handles `evaluate-facility`, noting what was handled when, by the instant given and by the tenant's clock. */
function recorder(act?: DeadlineHandler) {
  const seen: { tenantId: string; subjectId: string; now: Date; clockShows: Date }[] = []
  const handler: DeadlineHandler = async (db, deadline, instant) => {
    const { tenantId, subjectId } = deadline
    seen.push({ tenantId, subjectId, now: instant.now, clockShows: await clockFor(db, tenantId) })
    await act?.(db, deadline, instant)
  }
  const handlers: DeadlineHandlers = new Map([['evaluate-facility', handler]])
  return { seen, handlers }
}

const contextOf = (deadlineHandlers: DeadlineHandlers): ClockContext => {
  return { db: database.db, clock, clockFor, deadlineHandlers }
}

const end = (advance: ClockAdvance) => inTransaction(database.db, (tx) => endAdvance(tx, advance))

const NEVER = inMs(400 * DAY_MS)

async function advance(tenantId: string, handlers: DeadlineHandlers, seconds: number) {
  const target = addMs(await clockFor(database.db, tenantId), seconds * 1_000)
  const { now } = await advanceClock(contextOf(handlers), { tenantId, target }, NEVER)
  return now
}

describe('setting a clock ahead', () => {
  test('setting a clock ahead handles what falls due on the way in order, at its instant, once, and nothing else', async () => {
    const tenantId = await addTenant()
    await set(tenantId, 'third', inMs(3 * HOUR_MS))
    await set(tenantId, 'first', inMs(HOUR_MS))
    await set(tenantId, 'later', inMs(DAY_MS + 1))
    await set(tenantId, 'at the end', inMs(DAY_MS))
    await set(tenantId, 'second', inMs(2 * HOUR_MS))
    const { seen, handlers } = recorder()

    expect(await advance(tenantId, handlers, DAY_SECONDS)).toEqual(inMs(DAY_MS))
    expect(seen.map(({ subjectId, now }) => [subjectId, now])).toEqual([
      ['first', inMs(HOUR_MS)],
      ['second', inMs(2 * HOUR_MS)],
      ['third', inMs(3 * HOUR_MS)],
      ['at the end', inMs(DAY_MS)],
    ])
    for (const { now, clockShows } of seen) expect(clockShows).toEqual(now)
    expect(await left(tenantId)).toEqual(['later'])
    expect(await clockFor(database.db, tenantId)).toEqual(inMs(DAY_MS))
  })

  test('setting a clock ahead also handles deadlines that handlers set on the way', async () => {
    const tenantId = await addTenant()
    await set(tenantId, 'daily', inMs(DAY_MS))
    const { seen, handlers } = recorder(async (_db, { dueAt, subjectId }) => {
      await set(tenantId, subjectId, addMs(dueAt, DAY_MS))
    })
    await advance(tenantId, handlers, 3.5 * DAY_SECONDS)
    expect(seen.map(({ now }) => now)).toEqual([1, 2, 3].map((days) => inMs(days * DAY_MS)))
    expect(await left(tenantId)).toEqual(['daily'])
  })

  test('setting a clock ahead handles overdue deadlines at the present, not in the past', async () => {
    const tenantId = await addTenant()
    await set(tenantId, 'overdue', inMs(-HOUR_MS))
    const { seen, handlers } = recorder()
    await advance(tenantId, handlers, 0)
    expect(seen).toMatchObject([{ subjectId: 'overdue', now: START }])
  })

  test('setting a clock ahead stops where a handler fails; the next call continues from there', async () => {
    const tenantId = await addTenant()
    await set(tenantId, 'fails', inMs(HOUR_MS))
    const failing = recorder(async () => {
      throw new Error('no')
    })
    await expect(advance(tenantId, failing.handlers, DAY_SECONDS)).rejects.toThrow('no')
    expect(await clockFor(database.db, tenantId)).toEqual(inMs(HOUR_MS))
    const { seen, handlers } = recorder()
    await advance(tenantId, handlers, DAY_SECONDS)
    expect(seen).toMatchObject([{ subjectId: 'fails', now: inMs(HOUR_MS) }])
    expect(await left(tenantId)).toEqual([])
  })

  test('concurrent calls never set a clock back, and end at the latest of their targets', async () => {
    const tenantId = await addTenant()
    const { seen, handlers } = recorder()
    for (let hour = 1; hour <= 5; hour += 1) await set(tenantId, `h${hour}`, inMs(hour * HOUR_MS))
    const answers = await Promise.all(
      [5, 1, 4, 2, 3].map((hours) => advance(tenantId, handlers, hours * 3_600)),
    )
    for (const answer of answers) expect(answer.getTime()).toBeGreaterThan(START.getTime())
    const clockShows = await clockFor(database.db, tenantId)
    expect(clockShows).toEqual(new Date(Math.max(...answers.map(Number))))
    expect(clockShows.getTime()).toBeGreaterThanOrEqual(inMs(5 * HOUR_MS).getTime())
    expect(new Set(seen.map(({ subjectId }) => subjectId)).size).toBe(5)
    expect(await left(tenantId)).toEqual([])
  })

  test('setting a clock ahead touches no other tenant’s clock or deadlines', async () => {
    const [mine, theirs] = [await addTenant(), await addTenant()]
    await set(theirs, 'theirs', inMs(HOUR_MS))
    const { seen, handlers } = recorder()
    await advance(mine, handlers, DAY_SECONDS)
    expect(seen).toEqual([])
    expect(await clockFor(database.db, theirs)).toEqual(START)
    expect(await left(theirs)).toEqual(['theirs'])
  })

  test('a clock cannot be set beyond the year 9999', async () => {
    const tenantId = await addTenant()
    await moveClockTo(database.db, tenantId, new Date('9998-12-31T00:00:00Z'), START)
    const request = { seconds: 400 * DAY_SECONDS, key: randomUUID() }
    const beyond = beginAdvance(contextOf(new Map()), tenantId, request)
    await expect(beyond).rejects.toMatchObject({ code: 'validation_failed' })
  })
})

describe('an advance that does not arrive in time', () => {
  const begin = (tenantId: string, seconds: number, key: string = randomUUID()) =>
    beginAdvance(contextOf(new Map()), tenantId, { seconds, key })

  test('an advance that runs out of time stops between two steps, and the worker continues it to the same instant', async () => {
    const tenantId = await addTenant()
    for (let hour = 1; hour <= 4; hour += 1) await set(tenantId, `h${hour}`, inMs(hour * HOUR_MS))
    const to = await begin(tenantId, DAY_SECONDS)
    let at = START
    const { seen, handlers } = recorder(async () => {
      at = addMs(at, 15_000)
    })
    const slow = { ...contextOf(handlers), clock: () => at }
    const first = await advanceClock(slow, to, addMs(START, 20_000))
    expect(first.hasArrived).toBe(false)
    expect(seen.map(({ subjectId }) => subjectId)).toEqual(['h1', 'h2'])
    expect(await findTarget(database.db, tenantId)).toEqual(inMs(DAY_MS))

    expect(await continueAdvance(slow, tenantId)).toMatchObject({ done: false })
    expect(await continueAdvance(slow, tenantId)).toEqual({ done: true })
    expect(seen.map(({ subjectId }) => subjectId)).toEqual(['h1', 'h2', 'h3', 'h4'])
    expect(await createClockFor('sandbox', () => at)(database.db, tenantId)).toEqual(inMs(DAY_MS))
    expect(await findTarget(database.db, tenantId)).toBeUndefined()
  })

  test('an unfinished advance excludes every other advance, and its own retry goes to the same instant', async () => {
    const tenantId = await addTenant()
    const key = randomUUID()
    const first = await begin(tenantId, 60, key)
    expect(first.isNew).toBe(true)
    await expect(begin(tenantId, 60)).rejects.toMatchObject({ code: 'clock_advancing' })
    await expect(begin(tenantId, 61, key)).rejects.toMatchObject({ code: 'clock_advancing' })
    expect(await begin(tenantId, 60, key)).toEqual({ ...first, isNew: false })
    await end(first)
    expect((await begin(tenantId, 61, key)).isNew).toBe(true)
  })

  test('of many advances at once one begins', async () => {
    const tenantId = await addTenant()
    const begun = await Promise.allSettled(Array.from({ length: 8 }, () => begin(tenantId, 60)))
    expect(begun.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  test('an advance is requested of the worker before anything moves, so that it finishes though its process dies', async () => {
    const tenantId = await addTenant()
    await begin(tenantId, DAY_SECONDS)
    const asked = database.db.selectFrom('work').select(['topic', 'due_at'])
    expect(await asked.where('tenant_id', '=', tenantId).execute()).toEqual([
      { topic: ADVANCE_CLOCK, due_at: inMs(25_000) },
    ])
    const later: ClockContext = { ...contextOf(new Map()), clock: () => inMs(25_000) }
    expect(await continueAdvance(later, tenantId)).toEqual({ done: true })
    const shown = await createClockFor('sandbox', later.clock)(database.db, tenantId)
    expect(shown).toEqual(inMs(DAY_MS))
  })

  test('the worker leaves an advance to its request while that runs, whatever an earlier one requested', async () => {
    const tenantId = await addTenant()
    await end(await begin(tenantId, 60))
    const at = inMs(24_000)
    const context: ClockContext = { ...contextOf(new Map()), clock: () => at }
    const to = await beginAdvance(context, tenantId, { seconds: DAY_SECONDS, key: randomUUID() })
    const early: ClockContext = { ...context, clock: () => inMs(25_000) }
    const until = inMs(24_000 + 25_000)
    expect(await continueAdvance(early, tenantId)).toEqual({ done: false, retryAt: until })
    expect(await clockFor(database.db, tenantId)).toEqual(START)

    await inTransaction(database.db, (tx) => leaveAdvance(tx, to, { now: at, realNow: at }))
    expect(await continueAdvance(context, tenantId)).toEqual({ done: true })
  })
})

describe('what a leap handles once', () => {
  const daily = (tenantId: string, seen: Date[]): DeadlineHandlers =>
    new Map([
      [
        'refresh-floor',
        async (_db, { subjectId }, { now }) => {
          seen.push(now)
          await set(tenantId, subjectId, addMs(now, DAY_MS), 'refresh-floor')
        },
      ],
    ])

  test('a deadline handled once per leap runs once at the end, however many of its instants are on the way', async () => {
    const tenantId = await addTenant()
    await set(tenantId, 'daily', inMs(DAY_MS), 'refresh-floor')
    const seen: Date[] = []
    await advance(tenantId, daily(tenantId, seen), 400 * DAY_SECONDS)
    expect(seen).toEqual([inMs(400 * DAY_MS)])
  })

  test('a deadline handled once per leap runs after the last of the stepped ones', async () => {
    const tenantId = await addTenant()
    const order: string[] = []
    await set(tenantId, 'daily', inMs(DAY_MS), 'refresh-floor')
    await set(tenantId, 'late', inMs(9 * DAY_MS))
    const handlers: DeadlineHandlers = new Map([
      ['refresh-floor', async () => void order.push('floor')],
      ['evaluate-facility', async () => void order.push('ladder')],
    ])
    await advance(tenantId, handlers, 10 * DAY_SECONDS)
    expect(order).toEqual(['ladder', 'floor'])
  })

  test('a deadline handled once per leap is not run by a worker while the clock is being advanced', async () => {
    const tenantId = await addTenant()
    await set(tenantId, 'daily', inMs(-1), 'refresh-floor')
    const seen: Date[] = []
    const handlers = daily(tenantId, seen)
    const context = { ...contextOf(handlers), hasRounds: false }
    const runs = new Map([...deadlineRuns(context)].map(([topic, { run }]) => [topic, run]))
    const to = await beginAdvance(context, tenantId, { seconds: 60, key: randomUUID() })
    await runDueWork(database.db, runs, clock)
    expect(seen).toEqual([])
    await end(to)
    await runDueWork(database.db, runs, () => inMs(2_000))
    expect(seen).toHaveLength(1)
  })
})

describe('a worker', () => {
  /** Runs what has come, until nothing has. */
  const sweep = async (deadlineHandlers: DeadlineHandlers, at: Clock = clock) => {
    const context = { db: database.db, clock: at, clockFor: createClockFor('sandbox', at) }
    const runs = [...deadlineRuns({ ...context, deadlineHandlers, hasRounds: false })]
    return await runDueWork(database.db, new Map(runs.map(([topic, { run }]) => [topic, run])), at)
  }

  test('a worker handles what is due by each tenant’s own clock, and nothing else', async () => {
    const [ahead, behind] = [await addTenant(), await addTenant()]
    await moveClockTo(database.db, ahead, inMs(HOUR_MS), START)
    for (const tenantId of [ahead, behind]) await set(tenantId, 'subject', inMs(HOUR_MS))
    const { seen, handlers } = recorder()
    await sweep(handlers)
    expect(seen.filter(({ tenantId }) => tenantId === behind)).toEqual([])
    expect(seen).toContainEqual(expect.objectContaining({ tenantId: ahead, now: inMs(HOUR_MS) }))
    expect([await left(ahead), await left(behind)]).toEqual([[], ['subject']])
    await sweep(handlers, () => inMs(HOUR_MS))
    expect(seen.filter(({ tenantId }) => tenantId === ahead)).toHaveLength(1)
    expect(seen.filter(({ tenantId }) => tenantId === behind)).toHaveLength(1)
  })

  test('a worker continues past deadlines that fail, which stay due, through more than one batch', async () => {
    const tenantId = await addTenant()
    const subjects = Array.from({ length: 230 }, (_, index) => String(index).padStart(3, '0'))
    await inTransaction(database.db, async (tx) => {
      for (const [index, subjectId] of subjects.entries()) {
        await setDeadline(tx, tenantId, 'evaluate-facility', {
          subjectId,
          dueAt: inMs(index - MINUTE_MS),
        })
      }
    })
    const fails = (subjectId: string) => subjectId < '150'
    const { seen, handlers } = recorder(async (_db, { subjectId }) => {
      if (fails(subjectId)) throw new Error('no')
    })
    await sweep(handlers)
    expect(seen.map(({ subjectId }) => subjectId)).toEqual(subjects)
    expect(await left(tenantId)).toEqual(subjects.filter(fails))
  })

  test('a worker leaves a deadline that was moved while it was handled', async () => {
    const tenantId = await addTenant()
    await set(tenantId, 'moved', START)
    const { handlers } = recorder(async () => {
      await set(tenantId, 'moved', inMs(1))
    })
    await sweep(handlers)
    expect(await left(tenantId)).toEqual(['moved'])
  })

  test('a worker does not run topics that this release does not have', async () => {
    const tenantId = await addTenant()
    await set(tenantId, 'foreign', START, 'refresh-floor')
    await sweep(recorder().handlers)
    await advance(tenantId, recorder().handlers, 1)
    expect(await left(tenantId)).toEqual(['foreign'])
  })
})

test('a subject has one deadline for a topic: the last one set, until it is cleared', async () => {
  const tenantId = await addTenant()
  await set(tenantId, 'subject', inMs(HOUR_MS))
  await set(tenantId, 'subject', inMs(2 * HOUR_MS))
  const { seen, handlers } = recorder()
  await advance(tenantId, handlers, 3_600)
  expect(seen).toEqual([])
  await inTransaction(database.db, (tx) =>
    clearDeadline(tx, tenantId, 'evaluate-facility', 'subject'),
  )
  await advance(tenantId, handlers, DAY_SECONDS)
  expect(seen).toEqual([])
})
