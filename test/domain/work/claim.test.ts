import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../../../src/core/ids.ts'
import { addMs, HOUR_MS, MINUTE_MS } from '../../../src/core/time.ts'
import { inTransaction } from '../../../src/db/database.ts'
import {
  type Claim,
  claimDeadline,
  claimLane,
  LEASE_MS,
  markWorkDue,
} from '../../../src/domain/work/claim.ts'
import { setDeadlines } from '../../../src/domain/work/deadlines.ts'
import { laneOf, PARTS, partOf, type TopicLane } from '../../../src/domain/work/lanes.ts'
import { type Settlement, settleAtOnce } from '../../../src/domain/work/settle.ts'
import { TOPICS, type Topic, type WorkTopic } from '../../../src/domain/work/topics.ts'
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

async function request(tenantId: string, count: number, now = START, topic: WorkTopic = TOPIC) {
  const works = subjects(count).map((subjectId) => ({ topic, subjectId }))
  await inTransaction(database.db, (tx) => requestWorks(tx, tenantId, works, now))
}

async function deadlines(tenantId: string, count: number): Promise<void> {
  const rows = subjects(count).map((subjectId, at) => ({ subjectId, dueAt: addMs(START, -at) }))
  await inTransaction(database.db, (tx) => setDeadlines(tx, tenantId, 'refresh-floor', rows))
}

/** A lane of the tenant: of the part that has `fac_0`. */
const laneOfTenant = (tenantId: string, subjectId = 'fac_0') =>
  laneOf({ tenantId, topic: TOPIC, subjectId }) as TopicLane

const claim = (tenantId: string, most = 32) =>
  claimLane(database.db, laneOfTenant(tenantId), most, () => START)

const claimFirst = (tenantId: string, now = START) =>
  claimDeadline(database.db, tenantId, ALL_TOPICS, () => now)

const tenantsOf = (claims: readonly Claim[]) =>
  Object.fromEntries(
    [...Map.groupBy(claims, ({ tenantId }) => tenantId)].map(([id, own]) => [id, own.length]),
  )

const settle = (one: Claim, outcome: Settlement['outcome'], now = START) =>
  settleAtOnce(database.db)({ claim: one, now, outcome })

describe('a claim', () => {
  test('a claim takes the items of its lane alone, whatever else the tenant and others have', async () => {
    const [own, other] = [await addTenant(), await addTenant()]
    await request(own, 200)
    await request(own, 200, START, 'release-lien')
    await request(other, 200)
    const claims = await claim(own, 1_000)
    const expected = subjects(200).filter((id) => partOf(id) === partOf('fac_0'))
    expect(claims.map(({ subjectId }) => subjectId).toSorted()).toEqual(expected.toSorted())
    expect(claims.every(({ tenantId, topic }) => tenantId === own && topic === TOPIC)).toBe(true)
    expect(await claim(own, 1_000)).toEqual([])
  })

  test('the parts of a topic are the same in SQL, and hold all of it', async () => {
    const tenantId = await addTenant()
    const ids = Array.from({ length: 500 }, () => newId('fac'))
    const works = ids.map((subjectId) => ({ topic: TOPIC, subjectId }) as const)
    await inTransaction(database.db, (tx) => requestWorks(tx, tenantId, works, START))
    const lanes = new Map(ids.map((id) => [partOf(id), laneOfTenant(tenantId, id)]))
    expect(lanes.size).toBe(PARTS)
    const counts: number[] = []
    for (const lane of lanes.values()) {
      counts.push((await claimLane(database.db, lane, 1_000, () => START)).length)
    }
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(500)
    // Random ids fill them alike.
    for (const count of counts) expect(count).toBeGreaterThan(20)
  })

  test('a claim takes at most its portion, the longest due first, and none that are not due', async () => {
    const tenantId = await addTenant()
    const at = (subjectId: string, ms: number) => {
      return { topic: TOPIC, subjectId, dueAt: addMs(START, ms) } as const
    }
    // All of one part.
    const works = [at('b0', -1), at('c0', 1), at('a0', -2), at('d0', -1)]
    await inTransaction(database.db, (tx) => scheduleWorks(tx, tenantId, works))
    const idsOf = async (most: number) => (await claim(tenantId, most)).map((one) => one.subjectId)
    expect(await idsOf(9)).toEqual([])
    await markWorkDue(database.db, ALL_TOPICS, START)
    expect(await idsOf(2)).toEqual(['a0', 'b0'])
    expect(await idsOf(2)).toEqual(['d0'])
    await markWorkDue(database.db, ALL_TOPICS, addMs(START, 1))
    expect(await idsOf(2)).toEqual(['c0'])
  })

  test('marking returns the lanes of what has become due, each once', async () => {
    const [one, other] = [await addTenant(), await addTenant()]
    const works = subjects(40).map(
      (subjectId) => ({ topic: TOPIC, subjectId, dueAt: START }) as const,
    )
    await inTransaction(database.db, (tx) => scheduleWorks(tx, one, works))
    await deadlines(other, 3)
    const { lanes, mayHaveMore } = await markWorkDue(database.db, ALL_TOPICS, START)
    const ids = lanes.map((lane) => JSON.stringify(lane))
    const expected = works.map(({ subjectId }) => JSON.stringify(laneOfTenant(one, subjectId)))
    const ofDeadlines = JSON.stringify({ queue: 'deadlines', tenantId: other })
    expect([...new Set(ids)].toSorted()).toEqual([...new Set(expected), ofDeadlines].toSorted())
    expect(mayHaveMore).toBe(false)
    expect((await markWorkDue(database.db, ALL_TOPICS, START)).lanes).toEqual([])
  })

  test('of eight claims at once each takes an item once, and together they take all', async () => {
    const tenantId = await addTenant()
    await request(tenantId, 800)
    const taken: Claim[] = []
    for (let round = 0; round < 30; round += 1) {
      const claims = await Promise.all(Array.from({ length: 8 }, () => claim(tenantId, 5)))
      taken.push(...claims.flat())
    }
    const expected = subjects(800).filter((id) => partOf(id) === partOf('fac_0'))
    const ids = taken.map(({ subjectId }) => subjectId)
    expect(new Set(ids).size).toBe(expected.length)
    expect(ids).toHaveLength(expected.length)
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
    const [lost] = await claim(tenantId)
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
        Array.from({ length: 12 }, (_, at) => claimFirst(at % 2 === 0 ? one : other)),
      )
      const all = claims.filter((found) => found !== undefined)
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
    const first = await claimFirst(tenantId)
    const later = addMs(START, MINUTE_MS)
    await settle(first as Claim, { kind: 'failed', at: later, error: 'Error' })
    const second = await claimFirst(tenantId)
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
    const lost = await claimFirst(tenantId)
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
    await claimFirst(tenantId)
    await sql`UPDATE work SET topic = 'of-another-release' WHERE subject_id = 'fac_1'`.execute(
      database.db,
    )
    expect(await claimDue(database.db, ALL_TOPICS, addMs(START, LEASE_MS - 1))).toEqual([])
    const [other] = await claimDue(database.db, ALL_TOPICS, addMs(START, LEASE_MS))
    expect(other).toMatchObject({ subjectId: 'fac_0' })
  })

  test('a deadline never runs before an earlier one of its tenant that is due and was not marked', async () => {
    const tenantId = await addTenant()
    await deadlines(tenantId, 3)
    await inTransaction(database.db, async (tx) => {
      // As a request that moves it does: the sweep passes over it.
      await sql`SELECT FROM work WHERE subject_id = 'fac_2' FOR UPDATE`.execute(tx)
      await markWorkDue(database.db, ALL_TOPICS, START)
      expect(await claimFirst(tenantId)).toBeUndefined()
    })
    expect(await claimFirst(tenantId)).toBeUndefined()
    await markWorkDue(database.db, ALL_TOPICS, START)
    expect(await claimFirst(tenantId)).toMatchObject({ subjectId: 'fac_2' })
  })

  test('more deadlines than one marking takes are claimed in the order of their instants, also on a clock ahead', async () => {
    const tenantId = await addTenant()
    await database.db
      .updateTable('tenants')
      .set({ clock_offset_ms: BigInt(HOUR_MS) })
      .where('tenant_id', '=', tenantId)
      .execute()
    const due = subjects(1_001).map((subjectId, at) => ({ subjectId, dueAt: addMs(START, -at) }))
    const ahead = { subjectId: 'ahead', dueAt: addMs(START, MINUTE_MS) }
    await inTransaction(database.db, (tx) =>
      setDeadlines(tx, tenantId, 'refresh-floor', [...due, ahead]),
    )
    await markWorkDue(database.db, ALL_TOPICS, START)
    // All that were marked and come first have run.
    await sql`DELETE FROM work WHERE ready AND subject_id <> 'ahead'`.execute(database.db)
    expect(await claimFirst(tenantId)).toBeUndefined()
    await markWorkDue(database.db, ALL_TOPICS, START)
    expect(await claimFirst(tenantId)).toMatchObject({ subjectId: 'fac_0' })
  })

  test('deadlines with an expired lease run before later ones, even before they are marked', async () => {
    const tenantId = await addTenant()
    await deadlines(tenantId, 2)
    await markWorkDue(database.db, ALL_TOPICS, START)
    await claimFirst(tenantId)
    const over = addMs(START, LEASE_MS)
    expect(await claimFirst(tenantId, over)).toBeUndefined()
    const [again] = await claimDue(database.db, ALL_TOPICS, over)
    expect(again).toMatchObject({ subjectId: 'fac_1' })
  })
})
