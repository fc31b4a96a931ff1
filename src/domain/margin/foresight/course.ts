import { addMs } from '../../../core/time.ts'
import type { Prices } from '../../collateral/prices.ts'
import type { EventToAppend } from '../../events/append/append.ts'
import type { Facility } from '../../facilities/facilities.ts'
import { accrue } from '../../facilities/ledger/debt.ts'
import { type Case, type PriceView, withPositions } from '../case.ts'
import { evaluateCase, type Outcome } from '../evaluation/evaluate-case.ts'
import type { Trigger } from '../ladder/facts.ts'
import { ESCALATE_WARNING } from '../topics.ts'

/** A facility as it would be at `now`: nothing of it is stored. */
export type Course = {
  now: Date
  evaluated: Case
  prices: PriceView
  events: EventToAppend[]
  nextAt: Date | undefined
}

export function startCourse(evaluated: Case, prices: PriceView, now: Date): Course {
  // Nothing waits for the custodian: it confirms what is given.
  const curing = evaluated.push?.answeredAt && evaluated.curing
  const unasked = { push: undefined, claimed: undefined, held: undefined }
  const confirmed = { ...evaluated, ...unasked, curing }
  const start = { now, evaluated: confirmed, prices, events: [], nextAt: undefined }
  return evaluate(value(start, confirmed.positions), 'price')
}

export function changeFacilityTo(course: Course, facility: Facility): Course {
  return { ...course, evaluated: { ...course.evaluated, facility } }
}

/** As the service would. Nothing is evaluated once a margin call lives: its fills decide. */
export function evaluate(given: Course, trigger: Trigger): Course {
  const course = bindDue(given)
  const { evaluated, now } = course
  if (evaluated.hasLiveCall) return { ...course, nextAt: undefined }
  const outcome = evaluateCase({ byStored: evaluated, byConfirmed: evaluated }, false, {
    now,
    realNow: now,
    trigger,
  })
  const next = follow(course, outcome)
  const isEscalating = outcome.works.includes(ESCALATE_WARNING)
  return isEscalating ? evaluate(next, 'price') : next
}

/** The amendment that waits, once nothing holds it back. */
function bindDue(course: Course): Course {
  const { evaluated, now } = course
  const { facility, nextPolicy: policy, warning, hasLiveCall } = evaluated
  const { nextTerms } = facility
  if (!nextTerms || !policy || nextTerms.at > now || warning || hasLiveCall) return course
  const debt = accrue(facility.debt, now)
  const { version = facility.termsVersion, ratePpm = debt.ratePpm } = nextTerms
  const bound: Facility = {
    ...facility,
    ...{ termsVersion: version, nextTerms: undefined, debt: { ...debt, ratePpm } },
  }
  const amended = { ...evaluated, facility: bound, policy, nextPolicy: undefined }
  return value({ ...course, evaluated: amended }, evaluated.positions)
}

function follow(course: Course, outcome: Outcome): Course {
  const { raised, changed, call, event } = outcome
  const { evaluated: before, events } = course
  const end = changed?.end
  const open = raised ?? changed ?? before.warning
  const noticedLtvPpm = outcome.noticed?.ltvPpm ?? before.facility.noticedLtvPpm
  const eased = outcome.eased ?? before.facility.eased
  const evaluated: Case = {
    ...before,
    facility: { ...before.facility, noticedLtvPpm, eased },
    warning: end ? undefined : open,
    hasLiveCall: call !== undefined,
    lastWarningNumber: raised?.number ?? before.lastWarningNumber,
    lastCure: end ? lastCureOf(changed) : before.lastCure,
    changedBy: undefined,
  }
  const nextAt = earliestOf(course.now, [
    ...[outcome.evaluateAt, outcome.bindAt, before.facility.nextTerms?.at],
  ])
  return { ...course, evaluated, events: event ? [...events, event] : events, nextAt }
}

function earliestOf(now: Date, instants: readonly (Date | undefined)[]): Date | undefined {
  const ahead = instants.flatMap((at) => (at && at > now ? [at] : []))
  return ahead.sort((a, b) => a.getTime() - b.getTime())[0]
}

function lastCureOf({ end, cureDeadline }: NonNullable<Outcome['changed']>): Case['lastCure'] {
  if (end?.status !== 'CURED' || end.by !== 'price') return undefined
  const leftMs = Math.max(0, cureDeadline.getTime() - end.at.getTime())
  return { curedAt: end.at, leftMs }
}

/** From now on; each counts once it has held for the window. */
export function changePrices(course: Course, changed: ReadonlyMap<string, bigint>): Course {
  const { now, prices, evaluated } = course
  const quotes = [...changed].map(([asset, price]) => [asset, { price, at: now }] as const)
  const latest = new Map([...prices.latest, ...quotes])
  return value({ ...course, prices: { ...prices, latest } }, evaluated.positions)
}

export function changePositions(course: Course, positions: Case['positions']): Course {
  return value(course, positions)
}

/** Prices stay as they are until then, and as fresh. A course ends early where a call begins. */
export function passTime(course: Course, until: Date): Course {
  const heldAt = addMs(course.now, course.evaluated.policy.confirmMs)
  let passed = course
  let isHeld = false
  while (!passed.evaluated.hasLiveCall) {
    const due = passed.nextAt && passed.nextAt > passed.now ? passed.nextAt : undefined
    const next: Date | undefined = !isHeld && (!due || heldAt <= due) ? heldAt : due
    if (!next || next > until) return moveTo(passed, until, isHeld)
    isHeld ||= next >= heldAt
    passed = evaluate(moveTo(passed, next, isHeld), 'price')
  }
  return passed
}

function moveTo(course: Course, now: Date, isHeld: boolean): Course {
  const { latest, window } = course.prices
  const aged = ageBy(latest, now.getTime() - course.now.getTime())
  const prices = { latest: aged, window: isHeld ? [aged] : window }
  return value({ ...course, now, prices }, course.evaluated.positions)
}

function ageBy(prices: Prices, ms: number): Prices {
  return new Map([...prices].map(([asset, { price, at }]) => [asset, { price, at: addMs(at, ms) }]))
}

function value(course: Course, positions: Case['positions']): Course {
  const { evaluated, prices, now } = course
  return { ...course, evaluated: withPositions(evaluated, positions, prices, now) }
}
