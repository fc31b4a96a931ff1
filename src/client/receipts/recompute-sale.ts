import {
  CENTS,
  down,
  floorOf,
  int,
  max,
  min,
  ms,
  ONE,
  owed,
  USD,
  up,
  type Valuer,
} from './figures.ts'
import type { Plan, Receipt, Step, Terms } from './receipt.ts'

type Check = (isTrue: boolean, fault: string) => void

/** Plans each step again, applies each fill to the debt, and compares the sums and the statement. */
export function recomputeSale(receipt: Receipt, valuer: Valuer, check: Check): void {
  for (const [place, step] of receipt.steps.entries()) {
    const says: Check = (isTrue, fault) => check(isTrue, `step ${step.number}: ${fault}`)
    says(step.number === place + 1, 'is out of order')
    recomputeStep(receipt, step, valuer, says)
  }
  recomputeEnd(receipt, valuer, check)
  compareSums(receipt, check)
  compareStatement(receipt, check)
  checkMedians(receipt, check)
}

type Planned = { asset: string; units: bigint } | 'debt_nil' | 'floor_clear' | 'nothing_sellable'

function plan(
  { terms: place, debt, at, debt_cents: stated, eased_cents: eased, ...plan }: Plan,
  { valuer, check, receipt }: { valuer: Valuer; check: Check; receipt: Receipt },
): Planned {
  const terms = receipt.terms[place]
  if (!terms) throw new Error('the terms of a plan are missing')
  const total = owed(debt, ms(at)).total
  check(total === int(stated), 'the debt is another')
  if (total === 0n) return 'debt_nil'
  const owing = eased === undefined ? total : int(eased)
  check(owing <= total, 'more counts than is owed')
  const { positions, rounds } = plan
  const { high, latest } = valuer.window(positions, rounds, terms)
  const cure = floorOf(owing, terms.cure_ltv_ppm)
  if (high >= cure || latest >= cure || owing === 0n) return 'floor_clear'
  const [lot] = valuer.sellable(valuer.values(positions, rounds.at(-1), terms), terms)
  if (!lot) return 'nothing_sellable'
  const wanted = grossWanted(owing, latest, lot.haircut, feeOf(lot.asset, terms, valuer), terms)
  const { one } = valuer.asset(lot.asset)
  return { asset: lot.asset, units: min(lot.units, up(wanted * one * USD, lot.price * CENTS)) }
}

const feeOf = (asset: string, terms: Terms, valuer: Valuer) =>
  valuer.asset(asset).in_kind ? 0n : int(terms.sale_fee_ppm)

/** Down to the target; the whole debt where the ratio is deep, or only dust would be left. */
// biome-ignore lint/complexity/useMaxParams: the five numbers of one formula.
function grossWanted(
  debt: bigint,
  value: bigint,
  haircut: bigint,
  fee: bigint,
  terms: Terms,
): bigint {
  const [kept, counted, target] = [ONE - fee, ONE - haircut, int(terms.target_ltv_ppm)] as const
  const payoff = up(debt * ONE, kept)
  if (debt * ONE >= int(terms.deep_ltv_ppm) * value) return payoff
  const [missing, gained] = [debt * ONE - target * value, kept * ONE - target * counted]
  if (missing <= 0n || gained <= 0n) return payoff
  const gross = up(missing * ONE, gained)
  return (value - int(terms.dust_cents)) * ONE < gross * counted ? payoff : gross
}

function recomputeStep(receipt: Receipt, step: Step, valuer: Valuer, check: Check): void {
  const { order, fill } = step
  if (!step.plan) {
    check(false, 'has no plan: an earlier release placed it')
    return
  }
  const planned = plan(step.plan, { valuer, check, receipt })
  const isPlanned = typeof planned === 'object' && planned.asset === order.asset
  check(isPlanned && planned.units === int(order.units), 'the plan is another')
  check(order.in_kind === valuer.asset(order.asset).in_kind, 'is taken in kind or sold')
  check(order.ordered_at === step.plan.at, 'was not planned when it was ordered')
  const latest = valuer.round(step.plan.rounds.at(-1)).find(({ asset }) => asset === order.asset)
  check(latest !== undefined && latest.price === order.reference?.price, 'the price is another')
  check((order.status === 'FILLED') === (fill !== undefined), 'has no fill, or one too many')
  if (!fill || !latest) return
  const [proceeds, costs] = [int(fill.proceeds_cents), int(fill.costs_cents)]
  const expected = valuer.market(order.asset, int(fill.units), int(latest.price))
  const hundredths = expected === 0n ? undefined : down((expected - proceeds) * ONE, expected)
  check(hundredths === slippageOf(fill.slippage_bps), 'the slippage is another')
  if (!fill.debt || !fill.booked_at) {
    check(false, 'has no debt that it paid')
    return
  }
  const net = max(0n, proceeds - costs)
  const due = owed(fill.debt, ms(fill.booked_at))
  const interest = min(net, due.interest)
  const principal = min(net - interest, due.principal)
  const isApplied =
    int(fill.interest_cents) === interest &&
    int(fill.principal_cents) === principal &&
    int(fill.surplus_cents) === net - interest - principal
  check(isApplied, 'the proceeds pay otherwise')
}

const slippageOf = (text: string | undefined): bigint | undefined =>
  text === undefined ? undefined : BigInt(text.replace('.', ''))

function recomputeEnd(receipt: Receipt, valuer: Valuer, check: Check): void {
  const { end, steps, totals } = receipt
  const says: Check = (isTrue, fault) => check(isTrue, `the end: ${fault}`)
  const reason = plan(end, { valuer, check: says, receipt })
  says(reason === end.reason, 'gives another reason')
  const isSold = steps.some(({ fill }) => int(fill?.units) > 0n)
  const outcome =
    reason === 'nothing_sellable'
      ? 'deficit'
      : isSold
        ? reason === 'debt_nil'
          ? 'full'
          : 'partial'
        : 'not_needed'
  says(end.outcome === outcome, 'has another outcome')
  const deficit = outcome === 'deficit' ? int(end.debt_cents) : 0n
  says(int(totals.deficit_cents) === deficit, 'leaves another deficit')
}

function compareSums({ steps, totals }: Receipt, check: Check): void {
  const fills = steps.flatMap(({ fill }) => fill ?? [])
  const sum = (read: (fill: NonNullable<Step['fill']>) => bigint) =>
    fills.reduce((total, fill) => total + read(fill), 0n)
  const sums = {
    proceeds_cents: sum((fill) => int(fill.proceeds_cents)),
    // Never more than the proceeds: costs beyond them are not the borrower's.
    costs_cents: sum((fill) => min(int(fill.costs_cents), int(fill.proceeds_cents))),
    interest_cents: sum((fill) => int(fill.interest_cents)),
    principal_cents: sum((fill) => int(fill.principal_cents)),
    surplus_cents: sum((fill) => int(fill.surplus_cents)),
  }
  for (const [name, cents] of Object.entries(sums)) {
    check(int(totals[name as keyof typeof sums]) === cents, `The sum of ${name} is ${cents}.`)
  }
}

function compareStatement(
  { statement, steps, totals, end, ...receipt }: Receipt,
  check: Check,
): void {
  let [principal, interest] = [
    int(statement.opening.principal_cents),
    int(statement.opening.interest_cents),
  ]
  for (const { balance, ...line } of statement.lines) {
    principal += int(line.principal_cents)
    interest += int(line.interest_cents)
    const isEqual =
      principal === int(balance.principal_cents) && interest === int(balance.interest_cents)
    check(isEqual, `statement: the balance after ${line.type} of ${line.value_at} is another`)
  }
  const { closing } = statement
  const isClosing =
    principal === int(closing.principal_cents) && interest === int(closing.interest_cents)
  check(isClosing, 'statement: opening and lines do not make the closing')
  const left = owed(end.debt, ms(end.at))
  const isDebt =
    end.outcome === 'deficit'
      ? principal === 0n && interest <= 0n && left.total === int(totals.deficit_cents)
      : principal === left.principal && max(0n, interest) === left.interest
  check(isDebt, 'statement: the closing is not the debt')
  for (const { number, fill } of steps) {
    if (!fill || ms(fill.booked_at) <= ms(statement.from)) continue
    const id = `sale/${receipt.margin_call_number}/${number}`
    const line = statement.lines.find(({ type, source_id: of }) => type === 'sale' && of === id)
    const isBooked =
      int(line?.principal_cents) === -int(fill.principal_cents) &&
      int(line?.interest_cents) === -int(fill.interest_cents)
    check(isBooked, `statement: ${id} is booked otherwise`)
  }
}

/** A price that venues have quoted is the median of their quotes, rounded down. */
function checkMedians({ rounds }: Receipt, check: Check): void {
  for (const { asset, price, at, sources } of rounds.flat()) {
    if (sources.length === 0) continue
    const quotes = sources.map((one) => int(one.price)).sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))
    const upper = quotes[quotes.length >> 1] ?? 0n
    const lower = quotes[(quotes.length - 1) >> 1] ?? 0n
    check((lower + upper) / 2n === int(price), `the price of ${asset} at ${at} is no median`)
  }
}
