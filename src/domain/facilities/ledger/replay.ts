import { addMs, monthEnd } from '../../../core/time.ts'
import { DebtAccount, type DebtEvent, NO_STEP, type Step } from './debt-account.ts'

// The books are those of the order of value dates, in whatever order things became known. What comes
// late, is taken back or is corrected is put in its place; all that follows is computed again, and what
// differs from what is booked is booked today.

export type BookedEntry = {
  id: string
  step: Step
  /** None of an accrual, of a correction, and of what was taken back. */
  event?: DebtEvent | undefined
}

export type HistoryChange = {
  /** What is booked now, each by an entry of its own. */
  add?: readonly DebtEvent[]
  /** Ids of entries that are taken back, each by an entry that reverses it. */
  remove?: readonly string[]
}

export type ReplayTerms = {
  /** At the first event. */
  ratePpm: bigint
  /** The debt is accrued until then; no event is later. */
  until: Date
}

export type Replay = Pick<DebtAccount, 'debt' | 'chargedOff' | 'owedBackCents'> & {
  /** What each added event does, to be booked as it is. */
  stepOf: (id: string) => Step
  /** What reverses each removed entry, to be booked as it is. */
  reversalOf: (id: string) => Step
  /** What changes of all other entries, in order: one an instant, or two where a charge-off changes. */
  corrections: readonly Step[]
}

/** Replays every entry about a debt by value date, with the change. 5,000.00 of day 0 added after 1,000.00 of day 73 on
 * 10,000.00 at 10 %: the later one paid 200.00 of interest and now owes 100.00, so day 73 moves 100.00
 * to principal. With the 5,000.00 removed again, day 73 moves them back. */
export function replay(
  entries: readonly BookedEntry[],
  { add = [], remove = [] }: HistoryChange,
  terms: ReplayTerms,
): Replay {
  const isRemoved = new Set(remove)
  const kept = entries.flatMap(({ id, event }) => (event && !isRemoved.has(id) ? event : []))
  const reversals = new Map(
    entries.filter(({ id }) => isRemoved.has(id)).map(({ id, step }) => [id, negate(step)]),
  )
  const booked = entries.map(({ step }) => step)
  const { account, steps, steppedBy } = run([...kept, ...add], booked, terms)
  const own = new Map(add.map(({ id }) => [id, { ...find(steppedBy, id), accruedCents: 0n }]))
  const taken = [...booked, ...own.values(), ...reversals.values()].map(negate)
  return {
    debt: account.debt,
    chargedOff: account.chargedOff,
    owedBackCents: account.owedBackCents,
    stepOf: (id) => find(own, id),
    reversalOf: (id) => find(reversals, id),
    corrections: sumSteps([...steps, ...taken]),
  }
}

function find(steps: ReadonlyMap<string, Step>, id: string): Step {
  const step = steps.get(id)
  if (!step) throw new Error(`a replay left out ${id}`)
  return step
}

function run(events: readonly DebtEvent[], booked: readonly Step[], terms: ReplayTerms) {
  const account = new DebtAccount(terms.ratePpm)
  const steps: Step[] = []
  const steppedBy = new Map<string, Step>()
  for (const { at, until, event } of inOrder(events, booked, terms.until)) {
    const [step, chargeOff] = account.take(event, at, until)
    steps.push(step)
    if (chargeOff) steps.push(chargeOff)
    if (event) steppedBy.set(event.id, event.kind === 'charge_off' ? (chargeOff ?? step) : step)
  }
  return { account, steps, steppedBy }
}

/** Of what has one instant: money and draws, then what ends the debt, then what follows that. */
const RANK = {
  rate: 0,
  draw: 1,
  receipt: 2,
  draw_return: 3,
  payout_return: 4,
  waive_interest: 5,
  credit: 6,
  waiver: 7,
  charge_off: 8,
  recovery: 9,
  payout: 10,
} as const satisfies Record<DebtEvent['kind'], number>

type Item = { at: Date; until: Date; event: DebtEvent | undefined }

/** Events, and where interest is booked though nothing happens: where it is booked already, at each
 * month's end, and at the end. The interest of a month is booked in its last millisecond, and contains
 * that. */
function inOrder(events: readonly DebtEvent[], booked: readonly Step[], end: Date): Item[] {
  const first = new Date(Math.min(...[...events.map(({ valueAt }) => valueAt), end].map(Number)))
  const instants = new Set(booked.map(({ valueAt }) => valueAt.getTime())).add(end.getTime())
  for (let month = monthEnd(first); month <= end; month = monthEnd(month)) {
    instants.add(month.getTime() - 1)
  }
  const accruals = [...instants].map((ms): Item => {
    const at = new Date(ms)
    const next = addMs(at, 1)
    const isMonth = next <= end && monthEnd(at) <= next
    return { at, until: isMonth ? next : at, event: undefined }
  })
  const items = events.map((event): Item => ({ at: event.valueAt, until: event.valueAt, event }))
  return [...items, ...accruals].sort(
    (a, b) =>
      a.until.getTime() - b.until.getTime() ||
      a.at.getTime() - b.at.getTime() ||
      rankOf(a) - rankOf(b) ||
      compareIds(a, b),
  )
}

const rankOf = ({ event }: Item) => (event ? RANK[event.kind] : -1)

function compareIds({ event: a }: Item, { event: b }: Item): number {
  if (!a || !b || a.id === b.id) return 0
  return a.id < b.id ? -1 : 1
}

const PARTS = [
  'accruedCents',
  'interestCents',
  'principalCents',
  'refundCents',
  'recoveredCents',
] as const satisfies (keyof Step)[]

function negate(step: Step): Step {
  const negated = { ...step }
  for (const part of PARTS) negated[part] = -step[part]
  return negated
}

/** In order; those without effect are left out. */
function sumSteps(steps: readonly Step[]): Step[] {
  const sums = new Map<string, Step>()
  for (const step of steps) {
    const { valueAt, isChargeOff = false } = step
    const key = `${valueAt.getTime()} ${isChargeOff}`
    const sum = sums.get(key) ?? { ...NO_STEP, valueAt, ...(isChargeOff && { isChargeOff }) }
    for (const part of PARTS) sum[part] += step[part]
    sums.set(key, sum)
  }
  return [...sums.values()]
    .filter((step) => PARTS.some((part) => step[part] !== 0n))
    .sort((a, b) => a.valueAt.getTime() - b.valueAt.getTime() || orderOf(a) - orderOf(b))
}

const orderOf = ({ isChargeOff = false }: Step) => Number(isChargeOff)
