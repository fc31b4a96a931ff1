import type { Generated } from 'kysely'

export type CollateralTables = {
  portfolios: PortfolioRow
  portfolio_sources: PortfolioSourceRow
  custodian_positions: CustodianPositionsRow
  price_rounds: PriceRoundRow
  price_feed: PriceFeedRow
}

export type PortfolioSource = 'push' | 'custodian'

type PortfolioSourceRow = { tenant_id: string; mode: PortfolioSource; set_at: Date }

type CustodianPositionsRow = {
  tenant_id: string
  borrower_id: string
  /** Units by asset, as text. */
  positions: Record<string, string>
  read_at: Date
}

type PortfolioRow = {
  tenant_id: string
  borrower_id: string
  /** Microseconds since 1970, as the tenant gave it. */
  as_of: bigint
  digest: Buffer
  /** Units by asset, as decimal text. */
  positions: Record<string, string>
  received_at: Date
  is_new: Generated<boolean>
  asked_since: Generated<Date | null>
  confirmed: Generated<Record<string, string> | null>
  confirmed_at: Generated<Date | null>
  changed_at: Generated<Date | null>
  least: Generated<Record<string, string> | null>
  checking_since: Generated<Date | null>
}

/** Prices are decimal text and instants ISO 8601: JSON has neither bigint nor Date. */
type PriceRoundRow = {
  accepted_at: Date
  prices: Record<string, { price: string; at: string }>
  sources: Record<string, { source: string; price: string; at: string }[]>
}

type PriceFeedRow = {
  only_row: Generated<boolean>
  slot: Generated<bigint>
  candidates: Generated<Record<string, { price: string; since: string }>>
  evaluating_until: Date | null
}
