import { expect } from 'vitest'
import { createCursorCodec } from '../../../src/core/cursor.ts'
import { MINUTE_MS } from '../../../src/core/time.ts'
import { inTransaction } from '../../../src/db/database.ts'
import type { Facility } from '../../../src/domain/facilities/facilities.ts'
import { lockFacility } from '../../../src/domain/facilities/locked-facility.ts'
import { listMarginCalls, type MarginCall } from '../../../src/domain/margin/calls/calls.ts'
import {
  decideAgain,
  readDecisionFacts,
} from '../../../src/domain/margin/decisions/decision-record.ts'
import { listMarginDecisions } from '../../../src/domain/margin/decisions/decisions.ts'
import { evaluateFacility, evaluateTenant } from '../../../src/domain/margin/evaluation/evaluate.ts'
import {
  getMarginWarning,
  type MarginWarning,
} from '../../../src/domain/margin/warnings/warnings.ts'
import { testKey } from '../stores/sealer.ts'
import { findViolations } from './find-violations.ts'
import { addFacility, draw, type Lending, read, settle, usd } from './lending.ts'
import { readEvents } from './onboarding.ts'
import { findReceiptFaults } from './receipts.ts'

const cursors = createCursorCodec([testKey('test')])

/** One bitcoin, in its smallest unit. */
export const ONE_BTC = 10n ** 8n

/** A portfolio of bitcoin alone. */
export const btc = (units: bigint) => [{ asset: 'BTC', units }]

/**
 * 48,000.00 owed over one bitcoin. Below 70,692 a bitcoin it is in breach, below 65,979 at tier 2,
 * below 61,855 at tier 3, below 59,619 critical; from 82,475 on the floor of a warning is clear.
 */
export async function addBorrowed(lending: Lending, cents = 48_000_00n): Promise<Facility> {
  lending.market.set('BTC', '100000')
  const { id } = await addFacility(lending, { limitCents: cents })
  await draw(lending, id, usd(cents))
  await settle(lending)
  return await read(lending, id)
}

/** The same, with a warning that escalates at the next step, at 59,000 a bitcoin. */
export async function addCritical(lending: Lending): Promise<Facility> {
  const facility = await addBorrowed(lending)
  lending.market.set('BTC', '59000')
  lending.advance(MINUTE_MS)
  return facility
}

/** Facilities with critical warnings, none of which has escalated. */
export async function addCriticals(lending: Lending, count: number): Promise<Facility[]> {
  const added: Facility[] = []
  for (let at = 0; at < count; at += 1) added.push(await addBorrowed(lending))
  lending.market.set('BTC', '59000')
  lending.advance(MINUTE_MS)
  const { db, context, tenantId } = lending
  for (const { id } of added) {
    const options = { ...lending.instant(), trigger: 'price' as const }
    await evaluateFacility(db, context, { tenantId, facilityId: id }, options)
  }
  lending.custodian.calls.length = 0
  return added
}

/** Holds the lock of a facility, as a slow request would, until the result is called and awaited. */
export async function holdLock(lending: Lending, facilityId: string): Promise<() => Promise<void>> {
  const locked = Promise.withResolvers<void>()
  const release = Promise.withResolvers<void>()
  const holding = inTransaction(lending.db, async (tx) => {
    await lockFacility(lending.within(tx), facilityId)
    locked.resolve()
    await release.promise
  })
  await Promise.race([locked.promise, holding])
  return async () => {
    release.resolve()
    await holding
  }
}

/** Time passes, and at its end a round of prices is evaluated. */
export async function tick(lending: Lending, ms = 0): Promise<void> {
  lending.advance(ms)
  await evaluateTenant(lending.db, lending.context, lending.tenantId, lending.instant())
  await settle(lending)
}

/** Bitcoin goes to a price and stays there for long enough to count. */
export async function holdPrice(lending: Lending, price: string): Promise<void> {
  lending.market.set('BTC', price)
  await tick(lending, MINUTE_MS)
}

export async function readWarning(
  lending: Lending,
  facilityId: string,
  number = 1,
): Promise<MarginWarning> {
  const { context, tenantId } = lending
  const reading = { ...context, tenantId, now: lending.now() }
  return await getMarginWarning(reading, facilityId, number)
}

/** Newest first. */
export async function readWarnings(lending: Lending, facilityId: string) {
  return await lending.db
    .selectFrom('margin_warnings')
    .selectAll()
    .where('facility_id', '=', facilityId)
    .orderBy('number', 'desc')
    .execute()
}

/** Newest first. */
export async function readCalls(lending: Lending, facilityId: string): Promise<MarginCall[]> {
  const { db, tenantId } = lending
  const page = { limit: 500 }
  return (await listMarginCalls(db, { tenantId, facilityId }, page, cursors)).items
}

/** The types of a facility's events of warnings and calls, in order, without their prefix. */
export async function marginEvents(lending: Lending, facilityId: string): Promise<string[]> {
  const events = await readEvents(lending.db, lending.tenantId)
  return events
    .filter(
      ({ type, data }) => /^margin_(warning|call)/.test(type) && data.facility_id === facilityId,
    )
    .map(({ type, data }) => `${type.replace('margin_', '')} ${data.number}`)
}

/**
 * What holds after everything: no invariant of the house is violated, and each decision about this
 * facility comes out again from its record.
 */
export async function expectSound(lending: Lending, facilityId: string): Promise<void> {
  // Other houses of the database are not worked for any more.
  expect(await findViolations(lending.db, lending.tenantId)).toEqual([])
  for (const { number } of await readWarnings(lending, facilityId)) {
    await expectRecomputable(lending, facilityId, number)
  }
  expect(await findReceiptFaults(lending.db, facilityId)).toEqual([])
}

async function expectRecomputable(lending: Lending, facilityId: string, number: number) {
  const { db, tenantId } = lending
  const decisions = await listMarginDecisions(db, tenantId, facilityId, number)
  expect(decisions[0]?.kind).toBe('raise')
  for (const { facts, kind } of decisions) {
    const record = readDecisionFacts(facts)
    expect(record.decision.kind).toBe(kind)
    expect(decideAgain(record)).toEqual(record.decision)
  }
}

/** Orders of a facility that had an effect at the custodian. */
export function ordersOf({ custodian }: Lending, id: string): string[] {
  return [...custodian.effects.keys()].filter((callId) => callId.startsWith(`${id}/call/`))
}
