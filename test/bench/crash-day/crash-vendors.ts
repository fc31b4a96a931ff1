// The outside world of the crash day: three exchanges that quote one price, a custodian and payments
// that answer as in docs/providers.md.
import { startVendors } from '../../support/servers/vendor-server.ts'
import { answerQuestions } from '../companions/answer-questions.ts'
import { accountOf } from './crash-day-data.ts'

export type VendorQuestion =
  | { ask: 'start'; accounts: number }
  | { ask: 'quote'; btcUsd: number }
  | { ask: 'report' }
export type VendorAnswer = {
  environment: Record<string, string>
  /** Calls so far, by operation. */
  calls: Record<string, number>
  complaints: string[]
}

const ONE_BTC = 100_000_000n
const SWEEP_MS = 1_000

const vendors = await startVendors()
const calls: Record<string, number> = {}

function countCalls(): void {
  // Only their number is kept: there are hundreds of thousands.
  for (const { operation } of vendors.calls.splice(0))
    calls[operation] = (calls[operation] ?? 0) + 1
}
setInterval(countCalls, SWEEP_MS)

answerQuestions(async (question: VendorQuestion): Promise<VendorAnswer> => {
  if (question.ask === 'start') start(question.accounts)
  if (question.ask === 'quote') vendors.books.prices.set('BTC', question.btcUsd.toFixed(2))
  countCalls()
  return { environment: vendors.environment, calls, complaints: vendors.complaints }
})

function start(accounts: number): void {
  const { prices, holdings } = vendors.books
  for (const [asset, price] of Object.entries({ ETH: '4000', USDC: '1' })) prices.set(asset, price)
  for (let n = 1; n <= accounts; n += 1) holdings.set(accountOf(n), new Map([['BTC', ONE_BTC]]))
}
