import { formatFixed, formatQuantity, formatUsd } from '../../../core/money.ts'
import { formatLtv, ONE_PPM } from '../../../core/ratio.ts'
import type { Book, Figures } from './book.ts'
import type { BookList } from './list-book.ts'
import type { ListedRow } from './list-queries.ts'

/** As the operator API answers and the command prints. */
export function toBookBody(book: Book) {
  const { total, chargedOff } = book
  const share = (cents: bigint) => shareOf(cents, total.debtCents)
  return {
    read_at: book.readAt.toISOString(),
    tenant_id: book.tenantId ?? null,
    exposure: {
      facilities: total.indebted,
      total_usd: formatUsd(total.debtCents),
      principal_usd: formatUsd(total.principalCents),
      interest_usd: formatUsd(total.debtCents - total.principalCents),
    },
    commitments: {
      facilities: total.approved,
      limits_usd: formatUsd(total.limitCents),
      reserved_usd: formatUsd(total.reservedCents),
      undrawn_usd: formatUsd(total.undrawnCents),
      undrawn_blocked_usd: formatUsd(total.blockedUndrawnCents),
    },
    collateral: {
      value_usd: formatUsd(total.valueCents),
      assets: book.assets.map(({ asset, holders, units, valueCents }) => ({
        asset,
        facilities: holders,
        quantity: formatQuantity({ asset, units }),
        value_usd: formatUsd(valueCents),
        share: shareOf(valueCents, total.valueCents),
      })),
    },
    ltv: {
      total: formatLtv(total.debtCents, total.valueCents),
      weighted: formatFixed(total.weightedLtvPpm, 6),
      distribution: book.bands.map(({ aboveLtvPpm, toLtvPpm, ...band }) => ({
        above_ltv: printLine(aboveLtvPpm),
        to_ltv: printLine(toLtvPpm),
        facilities: band.facilities,
        exposure_usd: formatUsd(band.debtCents),
        collateral_value_usd: formatUsd(band.valueCents),
        share: share(band.debtCents),
      })),
    },
    warnings: {
      open: total.warned,
      exposure_usd: formatUsd(total.warnedDebtCents),
      tiers: book.tiers.map(({ tier, warned, debtCents }) => ({
        tier,
        open: warned,
        exposure_usd: formatUsd(debtCents),
      })),
    },
    margin_calls: { running: total.called, exposure_usd: formatUsd(total.calledDebtCents) },
    deficits: {
      facilities: total.short,
      exposure_usd: formatUsd(total.shortDebtCents),
      deficit_usd: formatUsd(total.deficitCents),
    },
    stale: { facilities: total.stale, exposure_usd: formatUsd(total.staleDebtCents) },
    interest: { earned_usd: formatUsd(total.earnedCents) },
    charged_off: {
      facilities: chargedOff.facilities,
      total_usd: formatUsd(chargedOff.cents),
      recovered_usd: formatUsd(chargedOff.recoveredCents),
    },
    tenants: book.tenants.map(({ tenantId, name, figures }) => ({
      tenant_id: tenantId,
      name,
      ...toShortBody(figures),
      share: share(figures.debtCents),
    })),
    more_tenants: book.moreTenants,
    countries: book.countries.map(({ country, facilities, debtCents }) => ({
      country,
      facilities,
      exposure_usd: formatUsd(debtCents),
      share: share(debtCents),
    })),
    borrowers: book.borrowers.map((borrower) => ({
      tenant_id: borrower.tenantId,
      borrower_id: borrower.borrowerId,
      facility_id: borrower.facilityId,
      country: borrower.country,
      exposure_usd: formatUsd(borrower.debtCents),
      ltv: formatFixed(borrower.ltvPpm, 6),
      share: share(borrower.debtCents),
    })),
  }
}

function toShortBody(figures: Figures) {
  return {
    facilities: figures.indebted,
    exposure_usd: formatUsd(figures.debtCents),
    undrawn_usd: formatUsd(figures.undrawnCents),
    weighted_ltv: formatFixed(figures.weightedLtvPpm, 6),
    open_warnings: figures.warned,
    margin_calls: figures.called,
    deficit_usd: formatUsd(figures.deficitCents),
    interest_earned_usd: formatUsd(figures.earnedCents),
  }
}

export function toListBody(list: BookList) {
  return {
    read_at: list.readAt.toISOString(),
    facilities: list.facilities,
    amount_usd: formatUsd(list.amountCents),
  }
}

export function toListedBody(row: ListedRow) {
  const usd = (cents: string) => formatUsd(BigInt(cents))
  return {
    tenant_id: row.tenantId,
    facility_id: row.facilityId,
    borrower_id: row.borrowerId,
    state: row.state,
    country: row.country,
    borrower_blocked: row.isBlocked,
    amount_usd: usd(row.amount),
    limit_usd: usd(row.limit),
    undrawn_usd: usd(row.undrawn),
    exposure_usd: usd(row.debt),
    collateral_value_usd: usd(row.value),
    ltv: formatFixed(BigInt(row.ltvPpm), 6),
    valuation_status: row.isStale ? ('STALE' as const) : ('FRESH' as const),
    warning: row.warning && {
      number: row.warning.number,
      tier: row.warning.tier,
      cure_deadline: new Date(row.warning.cureDeadline).toISOString(),
    },
    margin_call_number: row.callNumber,
    interest_earned_usd: usd(row.earned),
    charged_off_usd: usd(row.chargedOff),
    recovered_usd: usd(row.recovered),
  }
}

/** Of the whole, six digits, rounded down. */
function shareOf(part: bigint, whole: bigint): string {
  return formatFixed(whole === 0n ? 0n : (part * ONE_PPM) / whole, 6)
}

function printLine(ltvPpm: bigint | undefined): string | null {
  return ltvPpm === undefined ? null : formatFixed(ltvPpm, 6)
}
