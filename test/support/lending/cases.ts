import { HOUR_MS } from '../../../src/core/time.ts'
import { ONE_USD, type Prices, parsePrice } from '../../../src/domain/collateral/prices.ts'
import type { Position } from '../../../src/domain/collateral/valuation.ts'
import type { Facility } from '../../../src/domain/facilities/facilities.ts'
import type { Debt } from '../../../src/domain/facilities/ledger/debt.ts'
import type { Case } from '../../../src/domain/margin/case.ts'
import { evaluateCollateral } from '../../../src/domain/margin/ladder/window-values.ts'
import { DEFAULT_MARGIN_POLICY } from '../../../src/domain/margin/policy.ts'
import { type OpenWarningAt, startDeadlines } from '../../../src/domain/margin/warnings/paused.ts'

export const NOW = new Date('2026-11-20T12:00:00Z')

/** Prices in USD, accepted now; the dollar is always there. */
export function pricesOf(quoted: Readonly<Record<string, string>>): Prices {
  const prices = Object.entries(quoted).map(([asset, text]) => {
    return [asset, { price: parsePrice(text) ?? 0n, at: NOW }] as const
  })
  return new Map([['USD', { price: ONE_USD, at: NOW }], ...prices])
}

type CaseTerms = {
  debtCents: bigint
  ratePpm?: bigint
  positions: Position[]
  prices: Prices
} & Partial<Pick<Case, 'policy' | 'warning' | 'hasLiveCall'>>

/** A case without a database: a debt accrued until now, prices held for the window. */
export function aCase({ debtCents, ratePpm = 0n, positions, prices, ...rest }: CaseTerms): Case {
  const debt: Debt = {
    principalCents: debtCents,
    ratePpm,
    interestNumerator: 0n,
    accruedAt: NOW,
    interestBookedCents: 0n,
    interestPaidCents: 0n,
  }
  const facility = {
    id: 'fac_x',
    borrowerId: 'bor_x',
    debt,
    eased: [] as const,
  } as unknown as Facility
  return withPrices(
    {
      facility,
      policy: DEFAULT_MARGIN_POLICY,
      nextPolicy: undefined,
      positions,
      curing: undefined,
      pushed: positions,
      claimed: undefined,
      held: undefined,
      push: undefined,
      raise: undefined,
      warning: undefined,
      hasLiveCall: false,
      lastWarningNumber: 0,
      lastCallNumber: 0,
      lastCure: undefined,
      reported: [],
      changedBy: undefined,
      ...rest,
    },
    prices,
  )
}

export function withPrices(evaluated: Omit<Case, 'collateral'>, latest: Prices): Case {
  const { staleMs, haircuts } = DEFAULT_MARGIN_POLICY
  const view = { latest, window: [latest] }
  const terms = { now: NOW, staleMs, haircuts }
  const collateral = evaluateCollateral(evaluated.positions, view, terms)
  return { ...evaluated, collateral }
}

/** With so many milliseconds left. */
export function openWarning(leftMs = HOUR_MS, tier: OpenWarningAt['tier'] = 3): OpenWarningAt {
  const deadline = new Date(NOW.getTime() + leftMs)
  return {
    number: 1,
    tier,
    ...startDeadlines(
      { cureDeadline: deadline, windowDeadline: deadline, extendedSeconds: 0 },
      NOW,
      DEFAULT_MARGIN_POLICY,
    ),
    raisedAt: NOW,
    ltvAtRaise: '0.700001',
    upheld: false,
  }
}
