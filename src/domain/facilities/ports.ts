import type { Amount } from '../../core/money.ts'
import type { Position } from '../collateral/valuation.ts'

/**
 * What a provider says of a call. Every call carries an id of ours and may be made again with it:
 * the provider acts once and gives the same answer. A provider that cannot be reached throws.
 */
export type CallAnswer<Result> =
  | ({ status: 'done' } & Result)
  | { status: 'refused'; code: string; retryable: boolean }
  /** Not decided yet: make the same call again at this real time. */
  | { status: 'pending'; askAgainAt: Date }

/** Identifies a call and tells when (real time) it is made. */
export type Call = { tenantId: string; callId: string; realNow: Date }

/**
 * A call about what secures a facility: its borrower's part of an account, which may hold the assets
 * of others too.
 */
export type CustodianCall = Call & {
  account: string | undefined
  facilityId: string
  borrowerId: string
}

/** A borrower's part of a custody account, named by the facility that it secures. */
export type CustodyAccount = Pick<CustodianCall, 'account' | 'facilityId' | 'borrowerId'>

/** How many accounts one call to `readings` may name. */
export const MAX_READINGS = 500

/** One account's part of the answer to `readings`; `unanswered` has to be asked for alone. */
export type AccountReading =
  | { status: 'done'; positions: readonly Position[] }
  | { status: 'refused' }
  | { status: 'unanswered' }

/** So much of an asset, to be sold or, in kind, taken as it is. */
export type CustodianOrder = Position & { inKind: boolean }

/** The qualified custodian that holds the borrower's assets under our lien. */
export type Custodian = {
  /**
   * Forbids withdrawals below a value. The sequence counts floors and releases of one facility's lien.
   * A floor that comes after a higher sequence, be that a floor's or the release's, changes nothing;
   * it may be refused.
   */
  setFloor(
    call: CustodianCall & { sequence: bigint; floorCents: bigint },
  ): Promise<CallAnswer<object>>
  /**
   * Whether the borrower's part of the account is under our control for this facility alone, as
   * underwriting requires: what is pledged for another one, or is another tenant's, is refused.
   */
  confirmControl(call: CustodianCall): Promise<CallAnswer<object>>
  /** Ends a facility's lien, its floor with it, for good: no lower sequence brings it back. */
  releaseLien(call: CustodianCall & { sequence: bigint }): Promise<CallAnswer<object>>
  /**
   * What the account holds of the borrower's own, as of no earlier than the first call with this id:
   * the truth behind what tenants push.
   */
  positions(call: CustodianCall): Promise<CallAnswer<{ positions: readonly Position[] }>>
  /**
   * What up to `MAX_READINGS` accounts of one tenant hold, by facility: for each of them what
   * `positions` would answer. The call id is new each time; a call is never repeated.
   */
  readings(
    call: Call & { accounts: readonly CustodyAccount[] },
  ): Promise<ReadonlyMap<string, AccountReading>>
  /**
   * Sells collateral as secured party, or takes dollars and USDC in kind. May fill less than was
   * ordered. Pending means that it has taken the order on. Refused means that nothing was executed
   * under this id, and that nothing ever will be. An order that it first hears of after `placeBy`
   * (domain time) is refused: what it was planned from may hold no more. One that it knows is
   * answered as it was.
   */
  sell(
    call: CustodianCall & { order: CustodianOrder; placeBy: Date },
  ): Promise<CallAnswer<Execution>>
  /**
   * Ends the sale of the same call id, and answers as `sell` would: done with what was executed
   * before, and nothing more will be; or refused. An id that it never heard of is refused from then
   * on, so that an order which is still on its way does nothing when it arrives. Pending while it
   * cannot say yet.
   */
  cancelSale(call: CustodianCall & { order: CustodianOrder }): Promise<CallAnswer<Execution>>
}

/** What was executed of an order: proceeds before costs, in cents. */
export type Execution = {
  units: bigint
  proceedsCents: bigint
  costsCents: bigint
  /** The domain time of the execution, where the custodian tells one. */
  executedAt: Date | undefined
}

/** The treasury: pays out, and knows what has arrived. */
export type Payments = {
  payOut(
    call: Call & { amount: Amount; destination: string },
  ): Promise<CallAnswer<{ reference: string }>>
  /** The transfer that was received under an external reference; undefined when none was. */
  confirmReceipt(
    call: Call & { reference: string; claimed: Amount },
  ): Promise<CallAnswer<{ receipt: Receipt | undefined }>>
}

/**
 * Money that has arrived. The transfer's id is the provider's own and the same whatever reference
 * was asked about.
 */
export type Receipt = { transferId: string; amount: Amount }
