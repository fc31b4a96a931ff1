import { floorOf, int, ms, ONE, owed, up, Valuer } from './figures.ts'
import type { Decision, Receipt, Step } from './receipt.ts'

/** "Why was my collateral sold?", in sentences that are made from the receipt alone. */
export function describeReceipt(receipt: Receipt): string[] {
  const valuer = new Valuer(receipt)
  return [
    ...receipt.decisions.map((decision) => describeDecision(receipt, decision)),
    describeNotices(receipt),
    ...describePauses(receipt),
    ...receipt.steps.map((step) => describeStep(step, valuer)),
    describeEnd(receipt),
  ]
}

function describeDecision(receipt: Receipt, decision: Decision): string {
  const { at, kind, result, values, terms: place } = decision
  const terms = receipt.terms[place]
  const debt = int(decision.debt_cents)
  const high = int(values?.high_cents)
  const owing = `On ${day(at)} you owed ${usd(debt)}`
  const worth = `your collateral counted ${usd(high)} at the best price of the last minute`
  const ratio = `the debt was ${percent(debt, high)} of it`
  if (kind === 'raise' || kind === 'worsen') {
    const line = terms?.tiers.find(({ tier }) => tier === result.tier)?.above_ltv_ppm
    const head = kind === 'raise' ? 'a warning was raised' : 'the warning became more urgent'
    const above = line === undefined ? '' : `, above the line of ${percent(int(line), ONE)}`
    return `${owing} and ${worth}: ${ratio}${above}, so ${head}. You could cure it until ${day(result.cure_deadline ?? at)}.`
  }
  const needed = usd(floorOf(debt, terms?.cure_ltv_ppm ?? '1'))
  const latest = usd(int(values?.latest_cents))
  const why =
    result.reason === 'critical'
      ? `the debt was above the critical line of ${percent(int(terms?.critical_ltv_ppm), ONE)} of your collateral`
      : 'the time to cure the warning was over'
  return `On ${day(at)} ${why}: you owed ${usd(debt)}, a cure needed collateral of ${needed}, and by the custodian's answer it counted ${latest}. So the sale began.`
}

function describeNotices({ raises }: Receipt): string {
  const notices = raises.flatMap((raise) => raise.notices)
  if (notices.length === 0) return 'No notice to you is on record.'
  const ways = notices.map(({ channel, at }) => `${CHANNELS[channel] ?? channel} on ${day(at)}`)
  return `You were told by ${ways.join(', ')}.`
}

const CHANNELS: Record<string, string> = {
  webhook: "your provider's system",
  email: 'e-mail',
  sms: 'text message',
  push: 'a message in the app',
  letter: 'letter',
  call: 'a call',
}

function describePauses({ pauses }: Receipt): string[] {
  return pauses.map(({ from, until }) => {
    const end = until === undefined ? 'is not over yet' : `ended on ${day(until)}`
    return `A pause that began on ${day(from)} ${end}; your time to cure stood still meanwhile.`
  })
}

function describeStep({ order, fill }: Step, valuer: Valuer): string {
  const { asset, in_kind: inKind, ordered_at: at, reference } = order
  const venues = reference?.venues.length ? ` (${reference.venues.join(', ')})` : ''
  const price = reference
    ? `, at a reference price of ${grouped(decimal(int(reference.price), 8))} USD${venues}`
    : ''
  const ordered = `On ${day(at)} ${quantity(order.units, asset, valuer)} was ${inKind ? 'taken as it is' : 'ordered to be sold'}${price}.`
  if (!fill) return `${ordered} It was not carried out.`
  const slip = fill.slippage_bps ? `, ${fill.slippage_bps} basis points below that price` : ''
  return `${ordered} ${quantity(fill.units, asset, valuer)} brought ${usd(int(fill.proceeds_cents))}${slip}; ${usd(int(fill.costs_cents))} of it were costs. It paid ${usd(int(fill.interest_cents))} of interest and ${usd(int(fill.principal_cents))} of principal.`
}

function describeEnd({ end, totals }: Receipt): string {
  const { outcome } = end
  const left = `You then owed ${usd(owed(end.debt, ms(end.at)).total)}.`
  const surplus = int(totals.surplus_cents)
  const back = surplus > 0n ? ` ${usd(surplus)} are owed back to you.` : ''
  switch (outcome) {
    case 'partial':
      return `No more was sold than made the loan safe again. ${left}${back}`
    case 'full':
      return `The debt was paid, and the sale ended.${back}`
    case 'not_needed':
      return `Nothing had to be sold. ${left}${back}`
    case 'deficit':
      return `Everything that could be sold was sold, and ${usd(int(totals.deficit_cents))} of the debt were left.`
    default: {
      const unreachable: never = outcome
      return String(unreachable)
    }
  }
}

function quantity(units: string, asset: string, valuer: Valuer): string {
  return `${decimal(int(units), valuer.asset(asset).digits)} ${asset}`
}

const day = (at: string): string => `${at.slice(0, 16).replace('T', ' ')} UTC`

const usd = (cents: bigint): string => {
  const text = String(cents).padStart(3, '0')
  return `${grouped(`${text.slice(0, -2)}.${text.slice(-2)}`)} USD`
}

/** Only the digits before the point. */
const grouped = (text: string): string =>
  text.replace(/^\d+/, (whole) => whole.replace(/\B(?=(\d{3})+$)/g, ','))

function decimal(units: bigint, digits: number): string {
  const text = String(units).padStart(digits + 1, '0')
  if (digits === 0) return text
  return `${text.slice(0, -digits)}.${text.slice(-digits)}`.replace(/\.?0+$/, '')
}

/** Rounded up to a hundredth of a percent. */
const percent = (part: bigint, whole: bigint): string =>
  whole === 0n ? 'more than all' : `${decimal(up(part * 10_000n, whole), 2)} %`
