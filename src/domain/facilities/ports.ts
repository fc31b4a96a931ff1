import type { Amount } from '../../core/money.ts'
import type { Day } from '../../core/time.ts'
import { DAY_MS } from '../../core/time.ts'
import type { Position } from '../collateral/valuation.ts'

/** A call may be repeated under its id: the provider acts once and gives the same answer. A
 * provider that cannot be reached throws. */
export type CallAnswer<Result> =
  | ({ status: 'done' } & Result)
  | { status: 'refused'; code: string; retryable: boolean }
  | { status: 'pending'; askAgainAt: Date }

/** Money that was paid or received, and has come back since. Final. */
export type Returned = { status: 'returned'; amount: Amount; code: string; returnedAt: Date }

/** One that was `done` may be `returned` later, and stays so. */
export type PaymentAnswer<Result> = CallAnswer<Result> | Returned

export type Call = { tenantId: string; callId: string; realNow: Date }

/** The account may hold the assets of other borrowers too. */
export type CustodianCall = Call & {
  account: string | undefined
  facilityId: string
  borrowerId: string
}

export type CustodyAccount = Pick<CustodianCall, 'account' | 'facilityId' | 'borrowerId'>

export const MAX_READINGS = 500

/** `unanswered` must be asked alone. */
export type AccountReading =
  | { status: 'done'; positions: readonly Position[] }
  | { status: 'refused' }
  | { status: 'unanswered' }

export type CustodianOrder = Position & { inKind: boolean }

export type Custodian = {
  /** One that comes after a higher sequence changes nothing, and may be refused. */
  setFloor(
    call: CustodianCall & { sequence: bigint; floorCents: bigint },
  ): Promise<CallAnswer<object>>
  /** Refused where the assets are pledged for another facility or belong to another tenant. */
  confirmControl(call: CustodianCall): Promise<CallAnswer<object>>
  releaseLien(call: CustodianCall & { sequence: bigint }): Promise<CallAnswer<object>>
  /** Answers as `releaseLien`. An unknown id is refused, also when its release arrives later. */
  cancelRelease(call: CustodianCall & { sequence: bigint }): Promise<CallAnswer<object>>
  /** As of no earlier than the first call with this id. */
  positions(call: CustodianCall): Promise<CallAnswer<{ positions: readonly Position[] }>>
  /** By facility. The call id is new each time; a call is never repeated. */
  readings(
    call: Call & { accounts: readonly CustodyAccount[]; decides?: boolean },
  ): Promise<ReadonlyMap<string, AccountReading>>
  /** May fill less than ordered. `refused`: nothing was or will be executed under this id. An order
   * first received after `placeBy` (domain time) is refused. */
  sell(
    call: CustodianCall & { order: CustodianOrder; placeBy: Date },
  ): Promise<CallAnswer<Execution>>
  /** Answers as `sell`. An unknown id is refused, also when its order arrives later. */
  cancelSale(call: CustodianCall & { order: CustodianOrder }): Promise<CallAnswer<Execution>>
  /** Everything of the tenant that is pledged to us, by facility id, a page at a time. */
  accounts(call: Call & { after: string | undefined }): Promise<CallAnswer<AccountsPage>>
}

export const MAX_ACCOUNTS = 500

/** `next`: the page after this one begins after it; undefined on the last. */
export type AccountsPage = { accounts: readonly PledgedAccount[]; next: string | undefined }

export type PledgedAccount = {
  facilityId: string
  /** Undefined: none was ever set. */
  floorCents: bigint | undefined
  positions: readonly Position[]
}

export type Execution = {
  units: bigint
  proceedsCents: bigint
  costsCents: bigint
  /** Domain time, where the custodian reports it. */
  executedAt: Date | undefined
}

export type Payments = {
  payOut(
    call: Call & { amount: Amount; destination: string },
  ): Promise<PaymentAnswer<{ reference: string }>>
  /** Answers as `payOut`. An unknown id is refused, also when its payout arrives later. */
  cancelPayOut(
    call: Call & { amount: Amount; destination: string },
  ): Promise<PaymentAnswer<{ reference: string }>>
  confirmReceipt(
    call: Call & { reference: string; claimed: Amount },
  ): Promise<PaymentAnswer<{ receipt: Receipt | undefined }>>
  /** Lists the transfers that were booked on a day of the provider's time zone, a page at a time. Answers
   * `pending` until that is final. */
  listDay(call: Call & { day: Day; after: string | undefined }): Promise<CallAnswer<DayPage>>
}

export const MAX_LISTED = 1_000

export type DayPage = {
  /** An IANA name. */
  timeZone: string
  transfers: readonly ListedTransfer[]
  /** At the end of the day. */
  balances: readonly Amount[]
  /** The page after this one begins after it. Undefined on the last page. */
  next: string | undefined
}

export type ListedTransfer = {
  transferId: string
  /** Signed: positive came in. */
  amount: Amount
  /** Our call that it follows from, as it was sent. */
  callId: string | undefined
  /** The transfer that it takes back. */
  returns: string | undefined
}

/** `transferId` is the provider's own, whatever reference was asked about. */
export type Receipt = {
  transferId: string
  amount: Amount
  /** When the money arrived, by the provider's clock (real time). */
  receivedAt?: Date | undefined
  /** Until then it can be taken back; without it, or in the past, it is final. */
  finalAt?: Date | undefined
}

/** A card payment or a direct debit can be charged back for about this long. */
export const LONGEST_PROVISIONAL_MS = 120 * DAY_MS
