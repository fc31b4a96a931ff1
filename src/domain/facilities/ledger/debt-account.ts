import { accrueInterest, interestCents } from '../../../core/interest.ts'
import { minOf } from '../../../core/money.ts'

/** What happened to a debt at an instant. `id` is the entry that booked it. */
export type DebtEvent = { id: string; valueAt: Date } & DebtChange

export type DebtChange =
  /** A receipt pays interest, principal, and the rest is owed back. A recovery is a receipt after the
   * charge-off. A draw that came back pays principal, then interest. */
  | { kind: 'draw' | 'receipt' | 'recovery' | 'draw_return'; cents: bigint }
  /** A refund that was paid. What was not owed back is principal again. */
  | { kind: 'payout'; cents: bigint }
  /** A refund that came back is owed back again. */
  | { kind: 'payout_return'; payoutId: string; cents: bigint }
  /** At most what is owed then: interest, or principal. Of a debt charged off, what is left of it. */
  | { kind: 'waive_interest' | 'credit'; cents: bigint }
  /** Writes off all that is owed. After a charge-off no interest runs. */
  | { kind: 'waiver' | 'charge_off' }
  | { kind: 'rate'; ratePpm: bigint }

/** What is booked at an instant: interest accrued, and credits of interest and loans receivable, refunds
 * payable and recoveries. What they do not sum to is money, or written off. */
export type Step = {
  valueAt: Date
  /** What the charge-off takes is booked apart. */
  isChargeOff?: boolean
  accruedCents: bigint
  interestCents: bigint
  principalCents: bigint
  refundCents: bigint
  recoveredCents: bigint
}

export const NO_STEP = {
  accruedCents: 0n,
  interestCents: 0n,
  principalCents: 0n,
  refundCents: 0n,
  recoveredCents: 0n,
} as const satisfies Omit<Step, 'valueAt'>

export type ChargedOff = { principalCents: bigint; interestCents: bigint; recoveredCents: bigint }

/** Credits of an event, by account. */
type Credits = Partial<Omit<Step, 'valueAt' | 'isChargeOff' | 'accruedCents'>>

type Owed = { interest: bigint; principal: bigint }

const NOTHING_OWED: Owed = { interest: 0n, principal: 0n }

/** A debt from its first event on, as its events are taken in their order. */
export class DebtAccount {
  readonly debt = { principalCents: 0n, interestNumerator: 0n, interestPaidCents: 0n }
  chargedOff: ChargedOff | undefined
  owedBackCents = 0n
  #ratePpm: bigint
  #since: Date | undefined
  #accruedCents = 0n
  /** What of a payout was principal again. */
  readonly #uncovered = new Map<string, bigint>()
  /** Taken out of the charge-off, because it is waived. */
  #reinstated = NOTHING_OWED

  constructor(ratePpm: bigint) {
    this.#ratePpm = ratePpm
  }

  /** Accrues until `until`, and returns what is booked at the event; the second, where there is one, is
   * what the charge-off takes. */
  take(event: DebtEvent | undefined, valueAt: Date, until: Date): [Step, Step?] {
    const accruedCents = this.accrue(until)
    if (!event) return [{ ...NO_STEP, valueAt, accruedCents }]
    const step = { ...NO_STEP, valueAt, accruedCents, ...this.#apply(event) }
    const chargeOff = this.#chargeOff()
    return chargeOff ? [step, { ...NO_STEP, valueAt, ...chargeOff, isChargeOff: true }] : [step]
  }

  /** Returns the cents to be booked. */
  accrue(until: Date): bigint {
    const { debt } = this
    const since = this.#since ?? until
    debt.interestNumerator += accrueInterest(debt.principalCents, this.#ratePpm, since, until)
    this.#since = until
    const accrued = interestCents(debt.interestNumerator)
    const cents = accrued - this.#accruedCents
    this.#accruedCents = accrued
    return cents
  }

  #apply(event: DebtEvent): Credits {
    switch (event.kind) {
      case 'draw':
        return this.#lend(event.cents)
      case 'receipt':
      case 'recovery':
        return this.#receive(event.cents, 'interest')
      case 'draw_return':
        return this.#receive(event.cents, 'principal')
      case 'payout':
        return this.#payOut(event.id, event.cents)
      case 'payout_return':
        return this.#takeBack(event.payoutId, event.cents)
      case 'waive_interest':
        return this.#waive({ interest: event.cents, principal: 0n })
      case 'credit':
        return this.#waive({ interest: 0n, principal: event.cents })
      case 'waiver':
        return this.#pay(this.#owed)
      case 'charge_off':
        this.chargedOff = { principalCents: 0n, interestCents: 0n, recoveredCents: 0n }
        return {}
      case 'rate':
        this.#ratePpm = event.ratePpm
        return {}
      default: {
        const unreachable: never = event
        return unreachable
      }
    }
  }

  get #owed(): Owed {
    const { principalCents, interestPaidCents } = this.debt
    return { interest: this.#accruedCents - interestPaidCents, principal: principalCents }
  }

  #lend(cents: bigint): Credits {
    this.debt.principalCents += cents
    return { principalCents: -cents }
  }

  #pay({ interest, principal }: Owed) {
    this.debt.interestPaidCents += interest
    this.debt.principalCents -= principal
    return { interestCents: interest, principalCents: principal }
  }

  #receive(cents: bigint, first: keyof Owed) {
    if (this.chargedOff) return this.#recover(this.chargedOff, cents)
    const owed = this.#owed
    const last = first === 'interest' ? 'principal' : 'interest'
    const paid = { ...owed, [first]: minOf(cents, owed[first]) }
    paid[last] = minOf(cents - paid[first], owed[last])
    const refundCents = cents - paid.interest - paid.principal
    this.owedBackCents += refundCents
    return { ...this.#pay(paid), refundCents }
  }

  #recover(chargedOff: ChargedOff, cents: bigint) {
    const { principalCents, interestCents: interest, recoveredCents: before } = chargedOff
    const recoveredCents = minOf(cents, principalCents + interest - before)
    const refundCents = cents - recoveredCents
    chargedOff.recoveredCents += recoveredCents
    this.owedBackCents += refundCents
    return { recoveredCents, refundCents }
  }

  #payOut(id: string, cents: bigint): Credits {
    const covered = minOf(cents, this.owedBackCents)
    this.owedBackCents -= covered
    this.#uncovered.set(id, cents - covered)
    return { ...this.#lend(cents - covered), refundCents: -covered }
  }

  #takeBack(payoutId: string, cents: bigint): Credits {
    const lent = this.#uncovered.get(payoutId) ?? 0n
    const repaid = minOf(cents, lent)
    this.#uncovered.set(payoutId, lent - repaid)
    const received = this.#receive(repaid, 'principal')
    this.owedBackCents += cents - repaid
    return { ...received, refundCents: received.refundCents + cents - repaid }
  }

  #waive(most: Owed): Credits {
    const owed = this.chargedOff ? leftOf(this.chargedOff) : this.#owed
    const waived = {
      interest: minOf(most.interest, owed.interest),
      principal: minOf(most.principal, owed.principal),
    }
    if (!this.chargedOff) return this.#pay(waived)
    this.#reinstated = waived
    return { interestCents: waived.interest, principalCents: waived.principal }
  }

  /** What is owed after the charge-off joins it. */
  #chargeOff(): Credits | undefined {
    if (!this.chargedOff) return undefined
    const joins = this.#pay(this.#owed)
    const interest = joins.interestCents - this.#reinstated.interest
    const principal = joins.principalCents - this.#reinstated.principal
    this.#reinstated = NOTHING_OWED
    if (interest === 0n && principal === 0n) return undefined
    this.chargedOff.interestCents += interest
    this.chargedOff.principalCents += principal
    return { interestCents: interest, principalCents: principal }
  }
}

/** Recovered are principal first, then interest. */
function leftOf({ principalCents, interestCents: interest, recoveredCents }: ChargedOff): Owed {
  const ofPrincipal = minOf(principalCents, recoveredCents)
  return {
    interest: interest - (recoveredCents - ofPrincipal),
    principal: principalCents - ofPrincipal,
  }
}
