import type { AcceptedQuote } from '../../collateral/prices.ts'
import type { Position } from '../../collateral/valuation.ts'
import type { Debt } from '../../facilities/ledger/debt.ts'
import { easedDebtCents } from '../../facilities/ledger/eased.ts'
import type { Case, PriceView } from '../case.ts'
import { decode, encode, listPrices, roundsOf } from '../decisions/decision-record.ts'
import type { RecordedPrice } from '../ladder/raise-facts.ts'
import type { MarginPolicy } from '../policy.ts'

/** A step of a sale was planned from these facts. The custodian reported the positions just before. */
export type PlanRecord = {
  at: Date
  debt: Debt
  /** Less than the debt, while what a message has brought sells nothing. */
  easedCents?: bigint
  policy: MarginPolicy
  positions: readonly Position[]
  /** The rounds of the window, the latest last, with the prices of these assets alone. */
  rounds: RecordedPrice[][]
}

/** The debt that the proceeds of a fill were applied to, at the instant of its booking. */
export type BookingRecord = { at: Date; debt: Debt }

export type Market = { view: PriceView; quotes: readonly AcceptedQuote[] }

/** Without a market nothing was planned: no debt was left. */
export function recordPlan(
  { facility, policy, positions }: Pick<Case, 'facility' | 'policy' | 'positions'>,
  at: Date,
  market: Market | undefined,
): PlanRecord {
  const easedCents = easedDebtCents(facility, at)
  const assets = new Set(positions.map(({ asset }) => asset))
  const rounds = market ? roundsOf(market.view) : []
  return {
    at,
    debt: facility.debt,
    ...(easedCents !== undefined && { easedCents }),
    policy,
    positions: positions.map(({ asset, units }) => ({ asset, units })),
    rounds: rounds.map((round) =>
      listPrices(round, market?.quotes ?? []).filter(({ asset }) => assets.has(asset)),
    ),
  }
}

/** Returns the record in the form that the table stores. */
export function encodeRecord(record: PlanRecord | BookingRecord): unknown {
  return JSON.stringify(encode(record))
}

export function decodePlan(stored: unknown): PlanRecord | undefined {
  if (stored === null || stored === undefined) return undefined
  const record = decode(stored) as PlanRecord
  const haircuts = new Map(
    Object.entries(record.policy.haircuts as unknown as Record<string, bigint>),
  )
  return { ...record, policy: { ...record.policy, haircuts } }
}

export function decodeBooking(stored: unknown): BookingRecord | undefined {
  return stored === null || stored === undefined ? undefined : (decode(stored) as BookingRecord)
}
