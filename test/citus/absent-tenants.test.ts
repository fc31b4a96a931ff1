import { afterEach, beforeEach, expect, inject, test } from 'vitest'
import { addMs, HOUR_MS, MINUTE_MS } from '../../src/core/time.ts'
import { audit } from '../../src/domain/audit/audit.ts'
import { evaluateAll } from '../../src/domain/margin/evaluation/evaluate-all.ts'
import { takePoints } from '../../src/domain/margin/history/take-points.ts'
import { upsertHeartbeat } from '../../src/domain/margin/outages/outage-queries.ts'
import { noteHeartbeat } from '../../src/domain/margin/outages/outages.ts'
import { selectAbsentTenants } from '../../src/domain/tenants/queries.ts'
import { setRounds } from '../support/lending/facility-rows.ts'
import { type Lending, openHousesInOneDatabase } from '../support/lending/lending.ts'
import {
  addBorrowed,
  ONE_BTC,
  readCalls,
  readWarning,
  readWarnings,
  tick,
} from '../support/lending/margin.ts'
import {
  closeDatabase,
  findNodeOf,
  openDatabase,
  readDatabaseName,
} from '../support/stores/citus.ts'

// The steps of a live stack, in which one round of prices evaluates the facilities of all tenants.

const nodes = inject('citusNodes')

const openHouse = openHousesInOneDatabase()

/** Of the node that is lost, and of another. */
let away: Lending
let there: Lending
let lost: { nodes: readonly string[]; database: string }
beforeEach(async () => {
  away = await openHouse({ hasRounds: true })
  const { db } = away
  const node = await findNodeOf(db, nodes, away.tenantId)
  do there = await openHouse({ hasRounds: true })
  while ((await findNodeOf(db, nodes, there.tenantId)) === node)
  lost = { nodes: [node], database: await readDatabaseName(db) }
})
afterEach(async () => {
  await openDatabase(lost.nodes, lost.database)
  for (const house of [away, there]) await house[Symbol.asyncDispose]()
})

function advance(ms: number): void {
  for (const house of [away, there]) house.advance(ms)
}

/** Bitcoin goes to a price in both houses, stays there long enough to count, and is evaluated. */
async function makeRound(dollars: number): Promise<void> {
  for (const { market } of [away, there]) market.set('BTC', String(dollars))
  advance(MINUTE_MS)
  const prices = { BTC: BigInt(dollars) * ONE_BTC, ETH: 4_000n * ONE_BTC, USDC: ONE_BTC }
  const rounds = [0, 2 * MINUTE_MS].map((agoMs) => ({ agoMs, prices }))
  await setRounds(there.db, there.now(), rounds)
  await evaluateAll({ ...there.context, clock: there.now }, new AbortController().signal)
}

const absent: number[] = []

/** A worker notes that it is there. */
const beat = () => noteHeartbeat(there.db, there.now, (tenants) => absent.push(tenants))

test('while a node is away a round of prices warns, escalates and sells for the others, and no deadline of its own tenants passes', async () => {
  const ownFacility = await addBorrowed(away)
  const facility = await addBorrowed(there)
  await makeRound(68_000)
  expect(await readWarning(away, ownFacility.id)).toMatchObject({ tier: 1, status: 'OPEN' })
  expect(await readWarning(there, facility.id)).toMatchObject({ tier: 1, status: 'OPEN' })
  await beat()
  const since = there.now()

  await closeDatabase(lost.nodes, lost.database)
  advance(10_000)
  await beat()
  expect(absent.at(-1)).toBeGreaterThan(0)
  const noted = await selectAbsentTenants(there.db)
  expect(noted).toContainEqual({ tenantId: away.tenantId, since })
  expect(noted.map(({ tenantId }) => tenantId)).not.toContain(there.tenantId)
  await makeRound(65_000)
  expect(await readWarning(there, facility.id)).toMatchObject({ tier: 2 })
  advance(48 * HOUR_MS)
  await upsertHeartbeat(there.db, there.now())
  await makeRound(65_000)
  await tick(there)
  expect(await readWarning(there, facility.id)).toMatchObject({ status: 'ESCALATED' })
  expect(await readCalls(there, facility.id)).toMatchObject([{ status: 'COMPLETED' }])
  const { context, prices } = there
  const source = { prices, clockFor: context.clockFor, isShared: true }
  const points = { source, termsAt: context.termsAt, realNow: new Date() }
  expect(await takePoints(there.db, points)).toBeGreaterThan(0)

  await openDatabase(lost.nodes, lost.database)
  const before = await readWarning(away, ownFacility.id)
  expect(before.cureDeadline < away.now()).toBe(true)
  // Before a worker has noted that it is back, an evaluation counts the time by itself.
  away.market.set('BTC', '68000')
  advance(MINUTE_MS)
  await tick(away)
  const credited = await readWarning(away, ownFacility.id)
  expect(credited).toMatchObject({ status: 'OPEN' })
  const lostMs = away.now().getTime() - since.getTime()
  expect(credited.cureDeadline).toEqual(addMs(before.cureDeadline, lostMs))
  advance(5_000)
  expect(await beat()).toMatchObject({ warnings: 1 })
  expect(await selectAbsentTenants(there.db)).toEqual([])
  expect((await readWarning(away, ownFacility.id)).cureDeadline).toEqual(
    addMs(before.cureDeadline, lostMs + 5_000),
  )
  await makeRound(59_000)
  await tick(away)
  expect(await readWarnings(away, ownFacility.id)).toMatchObject([{ status: 'ESCALATED' }])
  expect(await readCalls(away, ownFacility.id)).toMatchObject([{ status: 'COMPLETED' }])
  const findings = await audit(there.db, { hasSimulation: false })
  expect(findings.filter(({ timedOut }) => timedOut)).toEqual([])
  expect(findings.flatMap(({ violations }) => violations)).toEqual([])
})
