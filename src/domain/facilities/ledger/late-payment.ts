import { accrueByRates, interestCents, type Rates } from '../../../core/interest.ts'
import { maxOf, minOf } from '../../../core/money.ts'
import { addMs, monthEnd } from '../../../core/time.ts'
import { type AccruedDebt, type Allocation, accrue, type PrincipalMovement } from './debt.ts'

/** Money that changed a debt, draws positive, from its value date on. */
export type DebtMovement = { valueAt: Date; cents: bigint }

/** Of an instant: interest accrued, and what receipts pay. A draw is principal below zero. */
export type Step = {
  valueAt: Date
  accruedCents: bigint
  interestCents: bigint
  principalCents: bigint
  refundCents: bigint
}

export type BookedHistory = {
  /** In order of their value dates, draws first. */
  movements: readonly DebtMovement[]
  steps: readonly Step[]
  principal: readonly PrincipalMovement[]
  earlierRates: Rates['earlierRates']
}

export type LatePayment = {
  debt: AccruedDebt
  allocation: Allocation
  /** What changes of the steps that are booked, one an instant; never of how they were reported. */
  corrections: readonly Step[]
}

/** Replays all by value date: the books are the same in whatever order payments are confirmed.
 * 5,000.00 of day 0 confirmed after 1,000.00 of day 73 on 10,000.00 at 10 %: the later one paid
 * 200.00 of interest and now owes 100.00, so day 73 moves 100.00 to principal. */
export function applyLatePayment(
  debt: AccruedDebt,
  { cents, valueAt }: { cents: bigint; valueAt: Date },
  booked: BookedHistory,
): LatePayment {
  const own = { valueAt, cents: -cents }
  const movements = insertAt(booked.movements, own)
  const { steps, ...replayed } = replay({ ...debt, earlierRates: booked.earlierRates }, [
    ...movements,
    ...accrualsOf(debt, movements, booked.steps),
  ])
  const paid = replayed.stepOf.get(own)
  if (!paid) throw new Error('a replay left out the payment')
  const { interestCents, principalCents, refundCents } = paid
  const taken = [...booked.steps, { ...paid, accruedCents: 0n }].map(negate)
  return {
    debt: accrue({ ...debt, ...replayed.debt }, debt.accruedAt),
    allocation: {
      interestCents,
      principalCents,
      refundCents,
      principal: differences(booked.principal, steps),
    },
    corrections: keepRefunds(sumSteps([...steps, ...taken])),
  }
}

/** The debt that movements in order of their value dates leave, up to the accrual of `debt`. */
export function replayDebt(
  debt: AccruedDebt,
  earlierRates: Rates['earlierRates'],
  movements: readonly DebtMovement[],
): AccruedDebt {
  const end = { valueAt: debt.accruedAt, cents: 0n }
  const { debt: replayed } = replay({ ...debt, earlierRates }, [...movements, end])
  return accrue({ ...debt, ...replayed }, debt.accruedAt)
}

/** After what has the same value date: a draw of that instant is owed. */
function insertAt(movements: readonly DebtMovement[], one: DebtMovement): DebtMovement[] {
  const at = movements.findIndex(({ valueAt }) => valueAt > one.valueAt)
  return at < 0 ? [...movements, one] : movements.toSpliced(at, 0, one)
}

/** Where interest is booked though nothing is paid. */
function accrualsOf(
  { accruedAt }: AccruedDebt,
  [first]: readonly DebtMovement[],
  booked: readonly Step[],
): DebtMovement[] {
  const instants = new Set(booked.map(({ valueAt }) => valueAt.getTime())).add(accruedAt.getTime())
  for (let end = monthEnd(first?.valueAt ?? accruedAt); end <= accruedAt; end = monthEnd(end)) {
    instants.add(end.getTime() - 1)
  }
  return [...instants].map((at) => ({ valueAt: new Date(at), cents: 0n }))
}

function replay({ accruedAt, ...rates }: AccruedDebt & Rates, movements: readonly DebtMovement[]) {
  let [principal, numerator, accrued, paid] = [0n, 0n, 0n, 0n]
  let since: Date | undefined
  const steps: Step[] = []
  const stepOf = new Map<DebtMovement, Step>()
  for (const { movement, until } of inOrder(movements, accruedAt)) {
    numerator += accrueByRates(principal, rates, since ?? until, until)
    since = until
    const { valueAt, cents } = movement
    const received = maxOf(0n, -cents)
    const interest = minOf(received, interestCents(numerator) - paid)
    const repaid = cents > 0n ? -cents : minOf(received - interest, principal)
    const step = {
      valueAt,
      accruedCents: interestCents(numerator) - accrued,
      interestCents: interest,
      principalCents: repaid,
      refundCents: cents > 0n ? 0n : received - interest - repaid,
    }
    accrued += step.accruedCents
    paid += interest
    principal -= repaid
    steps.push(step)
    stepOf.set(movement, step)
  }
  const debt = { principalCents: principal, interestNumerator: numerator, interestPaidCents: paid }
  return { debt, steps, stepOf }
}

/** The interest of a month is booked in its last millisecond, and contains that. */
function inOrder(movements: readonly DebtMovement[], accruedAt: Date) {
  return movements
    .map((movement) => {
      const { valueAt, cents } = movement
      const next = addMs(valueAt, 1)
      const isMonth = cents === 0n && next <= accruedAt && monthEnd(valueAt) <= next
      return { movement, until: isMonth ? next : valueAt }
    })
    .sort(
      (a, b) =>
        a.until.getTime() - b.until.getTime() ||
        a.movement.valueAt.getTime() - b.movement.valueAt.getTime(),
    )
}

/** Cents that rounding would take from refunds are written off: parts do not sum to zero there. */
function keepRefunds(steps: readonly Step[]): Step[] {
  let short = maxOf(0n, -steps.reduce((sum, { refundCents }) => sum + refundCents, 0n))
  return steps
    .toReversed()
    .map((step) => {
      const kept = minOf(short, maxOf(0n, -step.refundCents))
      short -= kept
      return { ...step, refundCents: step.refundCents + kept }
    })
    .toReversed()
}

const negate = ({ valueAt, ...step }: Step): Step => ({
  valueAt,
  accruedCents: -step.accruedCents,
  interestCents: -step.interestCents,
  principalCents: -step.principalCents,
  refundCents: -step.refundCents,
})

/** One an instant, in order; those without effect are left out. */
function sumSteps(steps: readonly Step[]): Step[] {
  const sums = new Map<number, Step>()
  for (const step of steps) {
    const at = step.valueAt.getTime()
    const sum = sums.get(at)
    sums.set(at, {
      valueAt: step.valueAt,
      accruedCents: step.accruedCents + (sum?.accruedCents ?? 0n),
      interestCents: step.interestCents + (sum?.interestCents ?? 0n),
      principalCents: step.principalCents + (sum?.principalCents ?? 0n),
      refundCents: step.refundCents + (sum?.refundCents ?? 0n),
    })
  }
  return [...sums.values()]
    .filter(({ valueAt: _, ...parts }) => Object.values(parts).some((cents) => cents !== 0n))
    .sort((a, b) => a.valueAt.getTime() - b.valueAt.getTime())
}

/** What turns the principal as booked into the principal as replayed. */
function differences(
  booked: readonly PrincipalMovement[],
  replayed: readonly Step[],
): PrincipalMovement[] {
  const deltas = new Map<number, bigint>()
  const add = (at: Date, cents: bigint) =>
    deltas.set(at.getTime(), (deltas.get(at.getTime()) ?? 0n) + cents)
  for (const { valueAt, principalCents } of replayed) add(valueAt, -principalCents)
  for (const { effectiveAt, deltaCents } of booked) add(effectiveAt, -deltaCents)
  return [...deltas]
    .filter(([, deltaCents]) => deltaCents !== 0n)
    .sort(([a], [b]) => a - b)
    .map(([at, deltaCents]) => ({ effectiveAt: new Date(at), deltaCents }))
}
