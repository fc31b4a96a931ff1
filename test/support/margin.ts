import { expect } from 'vitest'
import { createCursorCodec } from '../../src/core/cursor.ts'
import { checkLedger } from '../../src/domain/facilities/check-ledger.ts'
import type { Facility } from '../../src/domain/facilities/facilities.ts'
import { listMarginCalls, type MarginCall } from '../../src/domain/margin/calls.ts'
import { decideAgain, readDecisionFacts } from '../../src/domain/margin/decision-record.ts'
import { judgeTenant } from '../../src/domain/margin/look.ts'
import {
  getMarginWarning,
  listMarginDecisions,
  type MarginWarning,
} from '../../src/domain/margin/warnings.ts'
import { addFacility, draw, type Lending, read, settle, usd } from './lending.ts'
import { readEvents, testKey } from './onboarding.ts'

const cursors = createCursorCodec([testKey('test')])

export const MINUTE = 60_000

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

/** Time passes, and at its end a round of prices is judged. */
export async function tick(lending: Lending, ms = 0): Promise<void> {
  lending.advance(ms)
  await judgeTenant(lending.db, lending.context, lending.tenantId, lending.instant())
  await settle(lending)
}

/** Bitcoin goes to a price and stays there for long enough to count. */
export async function holdPrice(lending: Lending, price: string): Promise<void> {
  lending.market.set('BTC', price)
  await tick(lending, MINUTE)
}

export async function readWarning(
  lending: Lending,
  facilityId: string,
  number = 1,
): Promise<MarginWarning> {
  const { db, context, tenantId } = lending
  return await getMarginWarning(db, context, tenantId, facilityId, number, lending.now())
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
  return (await listMarginCalls(db, tenantId, facilityId, page, cursors)).items
}

/** The types of a facility's margin events, in order, without the word they begin with. */
export async function marginEvents(lending: Lending, facilityId: string): Promise<string[]> {
  const events = await readEvents(lending.db, lending.tenantId)
  return events
    .filter(({ type, data }) => type.startsWith('margin_') && data.facility_id === facilityId)
    .map(({ type, data }) => `${type.replace('margin_', '')} ${data.number}`)
}

/**
 * What holds after everything: the books agree; warnings and calls count from 1; every escalation
 * has its one call, which no open warning stands beside; what was told is what is stored; and each
 * decision comes out again from its record.
 */
export async function expectSound(lending: Lending, facilityId: string): Promise<void> {
  expect(await checkLedger(lending.db)).toEqual([])
  const warnings = (await readWarnings(lending, facilityId)).reverse()
  const calls = (await readCalls(lending, facilityId)).reverse()
  expect(warnings.map(({ number }) => number)).toEqual(warnings.map((_, index) => index + 1))
  expect(calls.map(({ number }) => number)).toEqual(calls.map((_, index) => index + 1))
  const escalated = warnings.filter(({ status }) => status === 'ESCALATED')
  expect(calls.map((call) => call.marginWarningNumber)).toEqual(
    escalated.map(({ number }) => number),
  )
  const live = calls.filter(({ status }) => status !== 'COMPLETED')
  const open = warnings.filter(({ status }) => status === 'OPEN')
  expect(live.length + open.length).toBeLessThanOrEqual(1)

  const told = await marginEvents(lending, facilityId)
  const ends = (kind: string) => told.filter((text) => text.startsWith(kind)).length
  expect(ends('warning.cured')).toBe(warnings.filter(({ status }) => status === 'CURED').length)
  expect(ends('warning.escalated')).toBe(escalated.length)
  expect(ends('call.started')).toBe(calls.filter((call) => call.startedAt).length)
  expect(ends('call.completed')).toBe(calls.length - live.length)
  for (const { number } of warnings) await expectRecomputable(lending, facilityId, number)
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
