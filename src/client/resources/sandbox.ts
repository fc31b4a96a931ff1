import type { Call, CallOptions } from '../call.ts'
import { listWhole } from '../listing.ts'
import type { Body } from '../operation-types.ts'
import { waitFor } from '../wait.ts'
import type { SandboxOutcome, SandboxProviderAnswer } from './resources.ts'

const POLL_MS = 500

/** Refused with `sandbox_only` on the live stack. */
export function sandboxMethods(call: Call) {
  return {
    /** Your own price; null returns to the market price. Returns the current price. */
    setSandboxPrice: (
      asset: Body<'setSandboxPrice'>['asset'],
      priceUsd: string | null,
      options?: CallOptions,
    ) => call('setSandboxPrice', { ...options, body: { asset, price_usd: priceUsd } }),

    listSandboxPrices: (options?: CallOptions) =>
      listWhole(call, 'listSandboxPrices', { ...options }),

    /** The clock of your deadlines, interest and prices. */
    getSandboxClock: (options?: CallOptions) => call('getSandboxClock', { ...options }),

    /** Waits until your clock has reached its goal and everything due on the way has happened. */
    async advanceSandboxClock(advanceSeconds: number, options?: CallOptions) {
      const body = { advance_seconds: advanceSeconds }
      let shown = await call('advanceSandboxClock', { ...options, body })
      while (shown.goal !== undefined) {
        await waitFor(POLL_MS, options?.signal)
        shown = await call('getSandboxClock', options?.signal ? { signal: options.signal } : {})
      }
      return shown
    },

    setSandboxCompliance: (borrowerId: string, outcome: SandboxOutcome, options?: CallOptions) => {
      const path = { borrower_id: borrowerId }
      return call('setSandboxCompliance', { ...options, path, body: { outcome } })
    },

    /** How the custodian answers your next call to it. */
    setSandboxCustodian: (next: SandboxProviderAnswer, options?: CallOptions) =>
      call('setSandboxCustodian', { ...options, body: { next } }),

    /** What the custodian holds, whatever is pushed; null: what was pushed. `lateSeconds` of your clock
     * is how long its answers take. */
    setSandboxCustodianPositions: (
      borrowerId: string,
      positions: Body<'setSandboxCustodianPositions'>['positions'],
      { lateSeconds = 0, ...options }: CallOptions & { lateSeconds?: number } = {},
    ) => {
      const body = { borrower_id: borrowerId, positions, late_seconds: lateSeconds }
      return call('setSandboxCustodianPositions', { ...options, body })
    },

    /** Takes back the money of a repayment, or sends back that of a draw, as the payments provider does. */
    returnSandboxPayment: (body: Body<'returnSandboxPayment'>, options?: CallOptions) =>
      call('returnSandboxPayment', { ...options, body }),

    /** The payments provider's list of a day differs from the lender's books. */
    makeSandboxBreak: (body: Body<'makeSandboxBreak'>, options?: CallOptions) =>
      call('makeSandboxBreak', { ...options, body }),

    /** Two of the lender's operators do the same; `facility.corrected` reports it. */
    correctSandboxFacility: (
      facilityId: string,
      body: Body<'correctSandboxFacility'>,
      options?: CallOptions,
    ) => {
      const path = { facility_id: facilityId }
      return call('correctSandboxFacility', { ...options, path, body })
    },

    /** The lender's operators do the same; `false` lifts every hold. */
    setSandboxHold: (facilityId: string, held: boolean, options?: CallOptions) => {
      const path = { facility_id: facilityId }
      return call('setSandboxHold', { ...options, path, body: { held } })
    },

    /** As the lender's operators do: to a version of the margin policy, a rate or both. */
    amendSandboxFacility: (
      facilityId: string,
      amendment: Body<'amendSandboxFacility'>,
      options?: CallOptions,
    ) => {
      const path = { facility_id: facilityId }
      return call('amendSandboxFacility', { ...options, path, body: amendment })
    },

    setSandboxPayments: (next: SandboxProviderAnswer, options?: CallOptions) =>
      call('setSandboxPayments', { ...options, body: { next } }),
  }
}
