import type { StressSums } from '../../data/stress.ts'

export type Figure = { name: string; isMoney?: boolean; of: (sums: StressSums) => string }

const count = (name: string, of: (sums: StressSums) => number): Figure => ({
  name,
  of: (sums) => String(of(sums)),
})
const usd = (name: string, of: (sums: StressSums) => string): Figure => ({
  name,
  isMoney: true,
  of,
})

/** The lines of the comparison, as those of the command. */
export const FIGURES: readonly Figure[] = [
  count('Facilities', ({ facilities }) => facilities),
  usd('Debt', ({ debt_usd: debt }) => debt),
  usd('Collateral', ({ collateral_value_usd: value }) => value),
  count('Warned at tier 1', ({ warned_by_tier: warned }) => warned[1]),
  count('Warned at tier 2', ({ warned_by_tier: warned }) => warned[2]),
  count('Warned at tier 3', ({ warned_by_tier: warned }) => warned[3]),
  count('Held by a reported repayment', ({ held }) => held),
  count('Escalated as critical', ({ escalated_as_critical: critical }) => critical),
  count('Escalated by deadline', ({ escalated_by_deadline: overdue }) => overdue),
  count('In a margin call', ({ in_margin_call: called }) => called),
  count('Cured', ({ cured }) => cured),
  count('With nothing to sell', ({ nothing_to_sell: { facilities } }) => facilities),
  count('Not evaluated', ({ not_evaluated: stale }) => stale),
  usd('Sold at once', ({ sold_at_once: { gross_usd } }) => gross_usd),
  usd('Costs of it', ({ sold_at_once: { costs_usd } }) => costs_usd),
  count('Deficits', ({ sold_at_once: { deficits } }) => deficits),
  usd('Deficit in all', ({ sold_at_once: { deficit_usd } }) => deficit_usd),
  usd('Sold if none cures', ({ if_uncured: { gross_usd } }) => gross_usd),
  usd('Deficit if none cures', ({ if_uncured: { deficit_usd } }) => deficit_usd),
]
