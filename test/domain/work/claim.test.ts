import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { addMs, HOUR_MS, MINUTE_MS } from '../../../src/core/time.ts'
import { inTransaction } from '../../../src/db/database.ts'
import {
  type Claim,
  type Claimed,
  claimWork,
  LEASE_MS,
  markWorkDue,
} from '../../../src/domain/work/claim.ts'
import { setDeadlines } from '../../../src/domain/work/deadlines.ts'
import { type Settlement, settleAtOnce } from '../../../src/domain/work/settle.ts'
import { PRIORITIES, type Priority, TOPICS, type Topic } from '../../../src/domain/work/topics.ts'
import { requestWorks, scheduleWorks } from '../../../src/domain/work/work.ts'
import { claimDue } from '../../support/deliveries/due-work.ts'
import { openTenant } from '../../support/lending/onboarding.ts'
import { createTestDatabase, type TestDatabase } from '../../support/stores/database.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase({ maxConnections: 10 })
})
afterAll(() => database[Symbol.asyncDispose]())
afterEach(() => database.db.deleteFrom('work').execute())

const START = new Date('2026-11-20T10:00:00.000Z')
const ALL_TOPICS = Object.keys(TOPICS) as Topic[]
const TOPIC = 'push-floor'

const addTenant = () => openTenant(database.db, START)
const subjects = (count: number) => Array.from({ length: count }, (_, at) => `fac_${at}`)

async function request(
  tenantId: string,
  count: number,
  now = START,
  topic = TOPIC as 'push-floor',
) {
  const works = subjects(count).map((subjectId) => ({ topic, subjectId }))
  await inTransaction(database.db, (tx) => requestWorks(tx, tenantId, works, now))
}

async function deadlines(tenantId: string, count: number): Promise<void> {
  const rows = subjects(count).map((subjectId, at) => ({ subjectId, dueAt: addMs(START, -at) }))
  await inTransaction(database.db, (tx) => setDeadlines(tx, tenantId, 'refresh-floor', rows))
}

type Wanted = { most?: number; share?: number; after?: string; holds?: [string, number][] }

/** Claims from one class, by default as a worker of which 32 slots are free. */
async function claim(
  wanted: Wanted = {},
  { priority = 'floors' as Priority, now = START } = {},
): Promise<Claimed> {
  const { most = 32, share = 16, after = '', holds = [] } = wanted
  const held = holds.map(([tenantId, left]) => ({ tenantId, share: left }))
  const demand = { priority, after, most, batch: 1, share, holds: held }
  return await claimWork(database.db, ALL_TOPICS, [demand], now)
}

const tenantsOf = (claims: readonly Claim[]) =>
  Object.fromEntries(
    [...Map.groupBy(claims, ({ tenantId }) => tenantId)].map(([id, own]) => [id, own.length]),
  )

const settle = (one: Claim, outcome: Settlement['outcome'], now = START) =>
  settleAtOnce(database.db)({ claim: one, now, outcome })

describe('a claim', () => {
  test('a first claim includes the one item of a tenant behind 5,000 items that were due before it', async () => {
    const [busy, other] = [await addTenant(), await addTenant()]
    await request(busy, 5_000, addMs(START, -HOUR_MS))
    await request(other, 1)
    const { claims } = await claim()
    expect(tenantsOf(claims)).toEqual({ [busy]: 16, [other]: 1 })
  })

  test('a claim gives one tenant half of the free slots, and only the rest where it has some running', async () => {
    const busy = await addTenant()
    await request(busy, 100)
    expect((await claim({ share: 16 })).claims).toHaveLength(16)
    expect((await claim({ holds: [[busy, 3]] })).claims).toHaveLength(3)
    expect((await claim({ holds: [[busy, 0]] })).claims).toEqual([])
  })

  test('claims rotate: tenants that were not served come next, until all have been served', async () => {
    const tenants = await Promise.all(Array.from({ length: 7 }, addTenant))
    for (const tenantId of tenants) await request(tenantId, 10)
    const turns: string[] = []
    let after = ''
    do {
      const { claims, next } = await claim({ most: 3, after })
      expect(claims).toHaveLength(3)
      turns.push(...new Set(claims.map(({ tenantId }) => tenantId)))
      after = next.get('floors')?.after ?? ''
    } while (after !== '')
    expect(turns.sort()).toEqual([...tenants].sort())
  })

  test('a claim says whether a tenant may have more that is ready, and when to claim it', async () => {
    const tenantId = await addTenant()
    const restOf = ({ next }: Claimed) => [...next.values()].map(({ rest }) => rest)
    expect(restOf(await claim())).toEqual(['none'])
    await request(tenantId, 20)
    expect(restOf(await claim({ share: 16 }))).toEqual(['claim again'])
    expect(restOf(await claim({ holds: [[tenantId, 0]] }))).toEqual(['when a run ends'])
    const last = await claim({ share: 16 })
    expect([last.claims.length, restOf(last)]).toEqual([4, ['none']])
    await deadlines(tenantId, 2)
    await markWorkDue(database.db, ALL_TOPICS, START)
    const first = await claim({}, { priority: 'deadlines' })
    expect([first.claims.length, restOf(first)]).toEqual([1, ['when a run ends']])
  })

  test('a claim takes the items of a tenant that are due longest first, and none that are not due', async () => {
    const tenantId = await addTenant()
    const at = (subjectId: string, ms: number) => {
      return { topic: TOPIC, subjectId, dueAt: addMs(START, ms) } as const
    }
    const works = [at('late', -1), at('later', 1), at('latest', -2)]
    await inTransaction(database.db, (tx) => scheduleWorks(tx, tenantId, works))
    expect((await claim()).claims).toEqual([])
    await markWorkDue(database.db, ALL_TOPICS, START)
    expect((await claim()).claims.map(({ subjectId }) => subjectId)).toEqual(['latest', 'late'])
    await markWorkDue(database.db, ALL_TOPICS, addMs(START, 1))
    expect((await claim()).claims.map(({ subjectId }) => subjectId)).toEqual(['later'])
  })

  test('a claim of several classes gives each class its own items, the most urgent first', async () => {
    const tenantId = await addTenant()
    const topics = ['read-positions', 'push-floor', 'pay-refund', 'sell-collateral'] as const
    for (const topic of topics) {
      const works = subjects(3).map((subjectId) => ({ topic, subjectId }))
      await inTransaction(database.db, (tx) => requestWorks(tx, tenantId, works, START))
    }
    const demand = { after: '', most: 2, share: 2, batch: 1, holds: [] }
    const demands = (Object.keys(PRIORITIES) as Priority[]).map((priority) => {
      return { priority, ...demand }
    })
    const { claims } = await claimWork(database.db, ALL_TOPICS, demands, START)
    const order = topics.toReversed().flatMap((topic) => [topic, topic])
    expect(claims.map(({ topic }) => topic)).toEqual(order)
  })

  test('of eight claims at once each takes an item once, and together they take all', async () => {
    const tenants = [await addTenant(), await addTenant(), await addTenant()]
    for (const tenantId of tenants) await request(tenantId, 100)
    const taken: Claim[] = []
    for (let round = 0; round < 30 && taken.length < 300; round += 1) {
      const claims = await Promise.all(Array.from({ length: 8 }, () => claim()))
      taken.push(...claims.flatMap((one) => one.claims))
    }
    const keys = taken.map(({ tenantId, subjectId }) => `${tenantId} ${subjectId}`)
    expect(new Set(keys).size).toBe(300)
    expect(keys).toHaveLength(300)
  })

  test('a claim takes no topics of another release', async () => {
    const tenantId = await addTenant()
    await request(tenantId, 2)
    await sql`UPDATE work SET topic = 'of-another-release' WHERE subject_id = 'fac_0'`.execute(
      database.db,
    )
    expect((await claimDue(database.db, ALL_TOPICS, START)).map((one) => one.subjectId)).toEqual([
      'fac_1',
    ])
  })
})

describe('work of a worker that is gone', () => {
  test('work of a dead worker is claimed again after its lease, and what the dead worker settles changes nothing', async () => {
    const tenantId = await addTenant()
    await request(tenantId, 1)
    const [lost] = (await claim()).claims
    const before = addMs(START, LEASE_MS - 1)
    expect(await claimDue(database.db, ALL_TOPICS, before)).toEqual([])
    const over = addMs(START, LEASE_MS)
    const [successor] = await claimDue(database.db, ALL_TOPICS, over)
    expect(successor).toMatchObject({ tenantId, subjectId: 'fac_0', attempts: 0 })
    const claimed = await database.db.selectFrom('work').selectAll().execute()
    for (const outcome of [
      { kind: 'done' },
      { kind: 'again', at: START },
      { kind: 'failed', at: START, error: 'Error' },
    ] as const) {
      await settle(lost as Claim, outcome, over)
      expect(await database.db.selectFrom('work').selectAll().execute()).toEqual(claimed)
    }
    await settle(successor as Claim, { kind: 'done' }, over)
    expect(await database.db.selectFrom('work').selectAll().execute()).toEqual([])
  })
})

describe('deadlines', () => {
  test('deadlines of one tenant are claimed one at a time, the earliest first; those of others concurrently', async () => {
    const [one, other] = [await addTenant(), await addTenant()]
    await deadlines(one, 3)
    await deadlines(other, 1)
    const handled: string[] = []
    for (let round = 0; round < 3; round += 1) {
      await markWorkDue(database.db, ALL_TOPICS, START)
      const claims = await Promise.all(
        Array.from({ length: 6 }, () => claim({}, { priority: 'deadlines' })),
      )
      const all = claims.flatMap((each) => each.claims)
      expect(tenantsOf(all)).toEqual(round === 0 ? { [one]: 1, [other]: 1 } : { [one]: 1 })
      // The other tenant's takes its time, and holds nothing up.
      for (const mine of all.filter(({ tenantId }) => tenantId === one)) {
        handled.push(mine.subjectId)
        await settle(mine, { kind: 'done' })
      }
    }
    expect(handled).toEqual(['fac_2', 'fac_1', 'fac_0'])
  })

  test('deadlines that fail keep their instant and pause, and the next ones run meanwhile', async () => {
    const tenantId = await addTenant()
    await deadlines(tenantId, 2)
    await markWorkDue(database.db, ALL_TOPICS, START)
    const [first] = (await claim({}, { priority: 'deadlines' })).claims
    const later = addMs(START, MINUTE_MS)
    await settle(first as Claim, { kind: 'failed', at: later, error: 'Error' })
    const [second] = (await claim({}, { priority: 'deadlines' })).claims
    expect(second).toMatchObject({ subjectId: 'fac_0' })
    await settle(second as Claim, { kind: 'done' })
    expect(await claimDue(database.db, ALL_TOPICS, addMs(later, -1))).toEqual([])
    const [again] = await claimDue(database.db, ALL_TOPICS, later)
    expect(again).toMatchObject({ subjectId: 'fac_1', dueAt: addMs(START, -1), attempts: 1 })
  })

  test('a worker that died after setting a deadline’s next instant does not delay the tenant’s others', async () => {
    const tenantId = await addTenant()
    await deadlines(tenantId, 2)
    await markWorkDue(database.db, ALL_TOPICS, START)
    const [lost] = (await claim({}, { priority: 'deadlines' })).claims
    const next = [{ subjectId: lost?.subjectId ?? '', dueAt: addMs(START, 24 * HOUR_MS) }]
    await inTransaction(database.db, (tx) => setDeadlines(tx, tenantId, 'refresh-floor', next))
    expect(await claimDue(database.db, ALL_TOPICS, addMs(START, LEASE_MS - 1))).toEqual([])
    const [other] = await claimDue(database.db, ALL_TOPICS, addMs(START, LEASE_MS))
    expect(other).toMatchObject({ subjectId: 'fac_0' })
  })

  test('deadlines claimed by another release delay a tenant’s others no longer than their lease', async () => {
    const tenantId = await addTenant()
    await deadlines(tenantId, 2)
    await markWorkDue(database.db, ALL_TOPICS, START)
    await claim({}, { priority: 'deadlines' })
    await sql`UPDATE work SET topic = 'of-another-release' WHERE subject_id = 'fac_1'`.execute(
      database.db,
    )
    expect(await claimDue(database.db, ALL_TOPICS, addMs(START, LEASE_MS - 1))).toEqual([])
    const [other] = await claimDue(database.db, ALL_TOPICS, addMs(START, LEASE_MS))
    expect(other).toMatchObject({ subjectId: 'fac_0' })
  })

  test('deadlines with an expired lease run before later ones, even before they are marked', async () => {
    const tenantId = await addTenant()
    await deadlines(tenantId, 2)
    await markWorkDue(database.db, ALL_TOPICS, START)
    await claim({}, { priority: 'deadlines' })
    const over = addMs(START, LEASE_MS)
    expect((await claim({}, { priority: 'deadlines', now: over })).claims).toEqual([])
    const [again] = await claimDue(database.db, ALL_TOPICS, over)
    expect(again).toMatchObject({ subjectId: 'fac_1' })
  })
})
