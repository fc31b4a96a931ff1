import { floorOf, int, max, ms, ONE, owed, type Valuer } from './figures.ts'
import type { Decision, Receipt, Terms } from './receipt.ts'

type Check = (isTrue: boolean, fault: string) => void

/** The deadlines of the warning, as they would be if nothing paused them from `from` on. */
type Deadlines = { window: number; cut: number | undefined; from: number }

/** Decides each step of the warning again, and places its deadlines by the pauses. */
export function recomputeDecisions(receipt: Receipt, valuer: Valuer, check: Check): void {
  let deadlines: Deadlines | undefined
  for (const [place, decision] of receipt.decisions.entries()) {
    const name = `decision ${decision.number} (${decision.kind})`
    const says: Check = (isTrue, fault) => check(isTrue, `${name}: ${fault}`)
    says(decision.number === place + 1, 'is out of order')
    says(decision.result.kind === decision.kind, 'has another result')
    deadlines = recompute(receipt, decision, { valuer, check: says, deadlines }) ?? deadlines
  }
  const kinds = receipt.decisions.map(({ kind }) => kind).join(' ')
  check(/^raise( worsen)* escalate$/.test(kinds), `The decisions are ${kinds}.`)
}

type Deciding = { valuer: Valuer; check: Check; deadlines: Deadlines | undefined }

function recompute(
  receipt: Receipt,
  decision: Decision,
  { valuer, check, deadlines }: Deciding,
): Deadlines | undefined {
  const terms = receipt.terms[decision.terms]
  if (!terms) throw new Error('the terms of a decision are missing')
  const now = ms(decision.at)
  const debt = owed(decision.debt, now).total
  const { positions, rounds, values } = decision
  const { high, latest } = valuer.window(positions, rounds, terms)
  const curing = positions.map(({ asset, units, curing_units: least = units }) => ({
    ...{ asset, units: least },
  }))
  const { low } = valuer.window(curing, rounds, terms)
  check(debt === int(decision.debt_cents), 'the debt is another')
  check(
    values !== undefined &&
      high === int(values.high_cents) &&
      low === int(values.low_cents) &&
      latest === int(values.latest_cents),
    'the values are others',
  )
  checkPrices(decision, terms, { valuer, check, now })
  const eased = decision.eased_cents === undefined ? debt : int(decision.eased_cents)
  const isCritical = eased * ONE > int(terms.critical_ltv_ppm) * high
  const facts = { debt, high, low, latest, eased, isCritical, now, tier: tierAt(debt, high, terms) }
  if (deadlines) checkDeadlines(receipt, decision, deadlines, { terms, check, now })
  switch (decision.kind) {
    case 'raise':
      return recomputeRaise(decision, terms, facts, { valuer, check, deadlines })
    case 'worsen':
      return recomputeWorsening(decision, terms, facts, { valuer, check, deadlines })
    case 'escalate':
      recomputeEscalation(receipt, decision, facts, { valuer, check, deadlines })
      return undefined
    default:
      check(false, 'is of an unknown kind')
      return undefined
  }
}

type Facts = {
  debt: bigint
  high: bigint
  low: bigint
  latest: bigint
  eased: bigint
  isCritical: boolean
  now: number
  tier: number | undefined
}

function tierAt(debt: bigint, value: bigint, terms: Terms): number | undefined {
  if (value >= floorOf(debt, terms.floor_ltv_ppm)) return undefined
  const above = terms.tiers.filter((one) => debt * ONE > int(one.above_ltv_ppm) * value)
  return above.at(-1)?.tier ?? 1
}

const windowOf = (tier: number, terms: Terms): number =>
  terms.tiers.find((one) => one.tier === tier)?.window_ms ?? Number.NaN

function recomputeRaise(
  decision: Decision,
  terms: Terms,
  facts: Facts,
  { valuer, check }: Deciding,
): Deadlines {
  const { now, debt, eased, isCritical, tier } = facts
  const { last_cure: cure, result, push } = decision
  const valued = valuer.values(decision.positions, decision.rounds.at(-1), terms)
  const isSellable = valuer.sellable(valued, terms).length > 0
  const windowAt = (at: number) => {
    const full = windowOf(at, terms)
    if (!cure || ms(cure.cured_at) + terms.relapse_ms < now) return now + full
    return now + Math.min(full, Math.max(cure.left_ms, terms.relapse_least_ms))
  }
  const least = int(terms.least_cents)
  const isCut = isSellable ? isCritical : decision.eased_cents === undefined || eased >= least
  const reached = isSellable && !isCritical ? tier : 3
  const window = Math.max(windowAt(reached ?? 0), leastAt(decision, terms, facts, isSellable))
  const cut = isCut ? now : undefined
  check(debt >= least && (tier !== undefined || !isSellable), 'nothing was to be raised')
  check(isSellable || push !== undefined, 'nothing could be sold')
  check(
    result.tier === reached && ms(result.cure_deadline) === (cut ?? window),
    'decides otherwise',
  )
  checkQuestion(decision, terms, facts, { valuer, check, isSellable })
  return { window, cut: cut !== undefined && cut < window ? cut : undefined, from: now }
}

function recomputeWorsening(
  decision: Decision,
  terms: Terms,
  facts: Facts,
  { valuer, check, deadlines }: Deciding,
): Deadlines | undefined {
  const { now, debt, low, isCritical, tier } = facts
  const { warning, result } = decision
  if (!warning || !deadlines) {
    check(false, 'has no warning before it')
    return undefined
  }
  const reached = isCritical ? 3 : (tier ?? 0)
  const ends = Math.max(now + windowOf(reached, terms), leastAt(decision, terms, facts, true))
  const cure = Math.min(ms(warning.cure_deadline), isCritical ? now : ends)
  check(low < floorOf(debt, terms.cure_ltv_ppm), 'the warning was to be cured')
  check(reached > warning.tier, 'the warning was no worse')
  check(result.tier === reached && ms(result.cure_deadline) === cure, 'decides otherwise')
  checkQuestion(decision, terms, facts, { valuer, check, isSellable: true })
  const before = ms(warning.window_deadline)
  const window = Math.max(Math.min(before, now + windowOf(reached, terms)), cure)
  const cut = cure < window ? cure : undefined
  return window < before ? { window, cut, from: now } : { ...deadlines, cut }
}

const EASED_MS = 7_200_000

/** A warning that only a message has brought has two hours, however few its terms give. */
function leastAt(
  { eased_cents: given }: Decision,
  terms: Terms,
  { eased, high, isCritical, tier, now }: Facts,
  isSellable: boolean,
): number {
  if (given === undefined || (isSellable && isCritical)) return now
  const isBrought = isSellable
    ? (tierAt(eased, high, terms) ?? 0) < (tier ?? 0)
    : eased < int(terms.least_cents)
  return isBrought ? now + EASED_MS : now
}

/** A raise by a push waits for the custodian, unless its last answer supports it. */
function checkQuestion(
  { push, held, rounds, result }: Decision,
  terms: Terms,
  { debt, eased, isCritical, now }: Facts,
  { valuer, check, isSellable }: Pick<Deciding, 'valuer' | 'check'> & { isSellable: boolean },
): void {
  const isAsked = push && !push.answered_at && (push.is_new || push.asked_since !== undefined)
  if (!isAsked) return
  const isSilent = now >= ms(push.asked_since ?? '') + terms.silence_ms
  const heldHigh = held && valuer.window(held, rounds, terms).high
  const isHeldCritical =
    heldHigh !== undefined && eased * ONE > int(terms.critical_ltv_ppm) * heldHigh
  const isSupported =
    isSellable &&
    heldHigh !== undefined &&
    (tierAt(debt, heldHigh, terms) ?? 0) >= (result.tier ?? 0) &&
    (!isCritical || isHeldCritical)
  check(isSilent || isSupported, 'the custodian had to be asked')
}

function recomputeEscalation(
  receipt: Receipt,
  decision: Decision,
  { debt, high, latest, isCritical, now, tier }: Facts,
  { valuer, check }: Deciding,
): void {
  const terms = receipt.terms[decision.terms] as Terms
  const { warning, at_raise: raise, reported, result } = decision
  if (!warning) {
    check(false, 'has no warning before it')
    return
  }
  check(latest < floorOf(debt, terms.cure_ltv_ppm), 'the floor was clear')
  if (raise) {
    const then = owed(raise.debt, ms(raise.at)).total
    const wasHigh = valuer.window(raise.positions, raise.rounds, raise).high
    const wasInBreach = wasHigh < floorOf(then, raise.floor_ltv_ppm)
    check(wasInBreach || tier !== undefined, 'the warning had no ground')
  }
  const isNow = isCritical && warning.tier === 3
  check(result.reason === (isNow ? 'critical' : 'deadline'), 'gives another reason')
  if (isNow) return
  const window = ms(warning.window_deadline)
  const flicker = warning.flicker_until ? ms(warning.flicker_until) : window + terms.flicker_ms
  const cure = floorOf(debt, terms.cure_ltv_ppm)
  check(now > window, 'the deadline had not passed')
  check(!(high >= cure && now <= flicker), 'a later round was to decide')
  if (isCritical) return
  const holding = reported.filter((one) => ms(one.holds_until) > now)
  const claimed = holding.reduce((sum, { cents }) => sum + int(cents), 0n)
  const left = floorOf(max(0n, debt - claimed), terms.cure_ltv_ppm)
  check(holding.length === 0 || high < left, 'a reported repayment held it')
}

type At = { terms: Terms; check: Check; now: number }

function checkDeadlines(
  receipt: Receipt,
  { warning }: Decision,
  { window, cut, from }: Deadlines,
  { terms, check, now }: At,
): void {
  if (!warning) {
    check(false, 'has no warning before it')
    return
  }
  const least = receipt.rules.least_after_pause_ms
  const windowAt = resume(receipt, { at: window, from, least }, now)
  const cureAt = cut === undefined ? windowAt : resume(receipt, { at: cut, from: cut }, now)
  check(windowAt === ms(warning.window_deadline), 'the deadline is another')
  check(cureAt === ms(warning.cure_deadline), 'the deadline to cure is another')
  if (warning.flicker_until === undefined) return
  const [at, longer] = [window + terms.flicker_ms, least + terms.flicker_ms]
  const flicker = resume(receipt, { at, from, least: longer }, now)
  check(flicker === ms(warning.flicker_until), 'the last deadline is another')
}

/** In the union of the pauses an instant stands still; at the end of a hold or a forbearance `least` is
 * left. Those that run are taken to end now. */
function resume(
  { pauses, rules }: Receipt,
  { at, from, least }: { at: number; from: number; least?: number },
  now: number,
): number {
  const spans = pauses.flatMap((pause) => {
    const until = pause.until ? Math.min(ms(pause.until), now) : now
    if (pause.kind === 'outage' && until - ms(pause.from) <= rules.outage_ms) return []
    const since = Math.max(ms(pause.from), from)
    return until < since ? [] : [{ isOutage: pause.kind === 'outage', since, until }]
  })
  const edges = [...new Set(spans.flatMap(({ since, until }) => [since, until]))]
  let [due, before] = [at, undefined as number | undefined]
  for (const edge of edges.sort((a, b) => a - b)) {
    const since = before ?? edge
    if (due >= since && spans.some((span) => span.since <= since && span.until >= edge)) {
      due += edge - since
    }
    const isEnd = spans.some(({ isOutage, until }) => !isOutage && until === edge)
    if (isEnd && least !== undefined) due = Math.max(due, edge + least)
    before = edge
  }
  return due
}

/** Every counted asset must have a price. At most a hundredth of the value may have a price that is too old. */
function checkPrices(
  { positions, rounds }: Decision,
  terms: Terms,
  { valuer, check, now }: Pick<Deciding, 'valuer' | 'check'> & { now: number },
): void {
  const valued = valuer.values(positions, rounds.at(-1), terms)
  const counted = valued.filter(({ haircut }) => haircut !== undefined && haircut < ONE)
  const unpriced = counted.filter(({ units, price }) => units > 0n && price === undefined)
  const total = valued.reduce((sum, { cents }) => sum + cents, 0n)
  const old = valued.filter(({ at }) => !(at >= now - terms.stale_ms))
  const oldCents = old.reduce((sum, { cents }) => sum + cents, 0n)
  check(unpriced.length === 0 && oldCents * 100n <= total + 99n, 'the prices are too old')
}
