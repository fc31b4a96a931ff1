import type { Call, CallOptions } from '../call.ts'
import { listWhole } from '../listing.ts'
import type { Body } from '../operation-types.ts'
import { waitFor } from '../wait.ts'
import type { SandboxOutcome, SandboxProviderAnswer } from './resources.ts'

/** How often a clock is read that is still on its way. */
const POLL_MS = 500

/** Controls of your own sandbox; on the live stack each is refused with `sandbox_only`. */
export function sandboxMethods(call: Call) {
  return {
    /** The price that you alone see; null returns to the market. Answers what holds now. */
    setSandboxPrice: (
      asset: Body<'setSandboxPrice'>['asset'],
      priceUsd: string | null,
      options?: CallOptions,
    ) => call('setSandboxPrice', { ...options, body: { asset, price_usd: priceUsd } }),

    /** The price of each asset as you see it, and whether you have set it. */
    listSandboxPrices: (options?: CallOptions) =>
      listWhole(call, 'listSandboxPrices', { ...options }),

    /** The time by which deadlines, interest and prices go for you. */
    getSandboxClock: (options?: CallOptions) => call('getSandboxClock', { ...options }),

    /** Sets your clock ahead and waits until it has arrived: what falls due on the way has then happened. */
    async advanceSandboxClock(advanceSeconds: number, options?: CallOptions) {
      const body = { advance_seconds: advanceSeconds }
      let shown = await call('advanceSandboxClock', { ...options, body })
      while (shown.goal !== undefined) {
        await waitFor(POLL_MS, options?.signal)
        shown = await call('getSandboxClock', options?.signal ? { signal: options.signal } : {})
      }
      return shown
    },

    /** Decides a borrower's open compliance checks. */
    setSandboxCompliance: (borrowerId: string, outcome: SandboxOutcome, options?: CallOptions) => {
      const path = { borrower_id: borrowerId }
      return call('setSandboxCompliance', { ...options, path, body: { outcome } })
    },

    /** How the custodian answers your next call to it. */
    setSandboxCustodian: (next: SandboxProviderAnswer, options?: CallOptions) =>
      call('setSandboxCustodian', { ...options, body: { next } }),

    /** How the payments provider answers your next call to it. */
    setSandboxPayments: (next: SandboxProviderAnswer, options?: CallOptions) =>
      call('setSandboxPayments', { ...options, body: { next } }),
  }
}
