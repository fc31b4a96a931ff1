import { addMs, monthEnd } from '../../../src/core/time.ts'
import type { DebtEvent } from '../../../src/domain/facilities/ledger/debt-account.ts'

/** Of a debt, in cents. Income is the interest since the first draw. */
export type Balances = {
  principal: bigint
  interest: bigint
  income: bigint
  owedBack: bigint
  recovered: bigint
  chargedOff: bigint
}

const ORDER = [
  'rate',
  'draw',
  'receipt',
  'draw_return',
  'payout_return',
  'waive_interest',
  'credit',
  'waiver',
  'charge_off',
  'recovery',
  'payout',
]

/** What the books must show at an instant, from nothing but what is true at last: an oracle that shares
 * nothing with the replay, and computes each figure anew from the whole path of the debt. */
export function expectedAt(events: readonly DebtEvent[], at: Date, firstRatePpm: bigint): Balances {
  const path: { from: Date; principal: bigint; ratePpm: bigint }[] = []
  const lentBy = new Map<string, bigint>()
  let [principal, ratePpm, paid, owedBack, recovered] = [0n, firstRatePpm, 0n, 0n, 0n]
  let deficit: { principal: bigint; interest: bigint } | undefined
  const interestAt = (until: Date) => {
    const exact = path.reduce((sum, part, index) => {
      const end = path[index + 1]?.from ?? until
      return sum + part.principal * part.ratePpm * BigInt(end.getTime() - part.from.getTime())
    }, 0n)
    const perCent = 1_000_000n * 365n * 86_400_000n
    return exact === 0n ? 0n : (exact - 1n) / perCent + 1n
  }
  const known = events
    .filter(({ valueAt }) => valueAt <= at)
    .toSorted(
      (a, b) =>
        a.valueAt.getTime() - b.valueAt.getTime() ||
        ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind) ||
        a.id.localeCompare(b.id, 'en'),
    )
  for (const event of known) {
    const due = () => interestAt(event.valueAt) - paid
    const least = (a: bigint, b: bigint) => (a < b ? a : b)
    /** Returns what is left. */
    const receive = (cents: bigint, isPrincipalFirst: boolean): bigint => {
      if (deficit) {
        const more = least(cents, deficit.principal + deficit.interest - recovered)
        recovered += more
        return cents - more
      }
      let left = cents
      for (const part of isPrincipalFirst ? ['principal', 'interest'] : ['interest', 'principal']) {
        const pays = least(left, part === 'interest' ? due() : principal)
        if (part === 'interest') paid += pays
        else principal -= pays
        left -= pays
      }
      return left
    }
    if (event.kind === 'draw') principal += event.cents
    if (event.kind === 'rate') ratePpm = event.ratePpm
    if (event.kind === 'receipt' || event.kind === 'recovery')
      owedBack += receive(event.cents, false)
    if (event.kind === 'draw_return') owedBack += receive(event.cents, true)
    if (event.kind === 'payout') {
      const lent = event.cents - least(event.cents, owedBack)
      lentBy.set(event.id, lent)
      owedBack -= event.cents - lent
      principal += lent
    }
    if (event.kind === 'payout_return') {
      const lent = least(event.cents, lentBy.get(event.payoutId) ?? 0n)
      owedBack += event.cents - lent + receive(lent, true)
    }
    if (event.kind === 'waive_interest' && !deficit) paid += least(event.cents, due())
    if (event.kind === 'credit' && !deficit) principal -= least(event.cents, principal)
    if (deficit && (event.kind === 'credit' || event.kind === 'waive_interest')) {
      const part = event.kind === 'credit' ? 'principal' : 'interest'
      const overPrincipal = recovered > deficit.principal ? recovered - deficit.principal : 0n
      const left = {
        principal: deficit.principal - (recovered - overPrincipal),
        interest: deficit.interest - overPrincipal,
      }
      deficit[part] -= least(event.cents, left[part])
    }
    if (event.kind === 'charge_off') deficit = { principal: 0n, interest: 0n }
    if (event.kind === 'waiver' || deficit) {
      if (deficit) {
        deficit.principal += principal
        deficit.interest += due()
      }
      paid += due()
      principal = 0n
    }
    path.push({ from: event.valueAt, principal, ratePpm })
  }
  // The last millisecond of a month has its interest.
  const next = addMs(at, 1)
  const income = interestAt(monthEnd(at) <= next ? next : at)
  const chargedOff = deficit ? deficit.principal + deficit.interest : 0n
  return { principal, interest: income - paid, income, owedBack, recovered, chargedOff }
}
