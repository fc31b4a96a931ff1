import type { CursorCodec } from '../../../core/cursor.ts'
import { cutPage, type Page, type PageRequest, readPosition } from '../../../core/page.ts'
import type { Tx } from '../../../db/database.ts'
import { loadPositionSources, type PositionSources } from '../../collateral/position-sources.ts'
import type { PriceFeed } from '../../collateral/prices.ts'
import type { Position } from '../../collateral/valuation.ts'
import { type Facility, getFacility, toFacility } from '../../facilities/facilities.ts'
import { totalDebtCents } from '../../facilities/ledger/debt.ts'
import { selectFacilitiesOf } from '../../facilities/queries.ts'
import type { ClockFor } from '../../tenants/tenant-clock.ts'
import type { Case, ReportedCure } from '../case.ts'
import { loadCases, loadPrices } from '../load-cases.ts'
import { loadRaises, NOTICE_WITHIN_MS, type Raise } from '../notices/raises.ts'
import type { TermsAt, Tier } from '../policy.ts'
import { selectWarning } from '../warning-queries.ts'
import { type MarginWarning, toWarning, unknownWarning } from '../warnings/warnings.ts'
import { selectWarningsByDeadline, type WarningRow } from './desk-queries.ts'

/** Of one snapshot; each tenant may have a time of its own. */
export type DeskReading = { db: Tx; clockFor: ClockFor; termsAt: TermsAt; prices: PriceFeed }

export type DeskWarning = MarginWarning & {
  tenantId: string
  borrowerId: string
  /** The tenant's time of all figures. */
  asOf: Date
  debtCents: bigint
  valueCents: bigint
  isStale: boolean
  /** The deadline stands still while a hold lies on the facility. */
  isOnHold: boolean
  /** Reported by the borrower, and not confirmed by the treasury. */
  reported: readonly ReportedCure[]
  /** Pushed, and more than the custodian has confirmed. */
  claimed: ClaimedCollateral | undefined
  /** What the custodian last answered or was read to hold. */
  custodian: CustodianReading | undefined
}

export type ClaimedCollateral = {
  positions: readonly Position[]
  pushedAt: Date
  askedSince: Date | undefined
}

export type CustodianReading = { positions: readonly Position[]; readAt: Date }

export type OpenWarningFilter = {
  tenantId?: string | undefined
  tier?: Tier | undefined
  dueBefore?: Date | undefined
  /** Real time: those whose borrower is not known to have been told by then. */
  unnoticedAt?: Date | undefined
}

const ALL_TIERS: readonly Tier[] = [1, 2, 3]

/** Of all tenants, the earliest deadline first. Refuses `cursor_invalid`. */
export async function listOpenWarnings(
  reading: DeskReading,
  filter: OpenWarningFilter,
  request: PageRequest,
  cursors: CursorCodec,
): Promise<Page<DeskWarning>> {
  const { tenantId, tier, dueBefore, unnoticedAt } = filter
  const isUnnoticed = unnoticedAt !== undefined
  const context = [
    ...['desk-warnings', tenantId, tier, dueBefore?.toISOString()],
    ...(isUnnoticed ? ['unnoticed'] : []),
  ].join('/')
  const position = readPosition({ request, cursors, context })?.split(' ')
  const after = position && { at: new Date(position[0] ?? ''), facilityId: position[1] ?? '' }
  const stretch = { after, limit: request.limit + 1 }
  const rows = await selectWarningsByDeadline(reading.db, toRowFilter(filter), stretch)
  const { items, hasMore } = cutPage(rows, request.limit)
  const last = items.at(-1)
  const nextCursor =
    last && hasMore
      ? cursors.encode(`${last.cure_deadline.toISOString()} ${last.facility_id}`, context)
      : undefined
  return { items: await viewWarnings(reading, filter, items), nextCursor, hasMore }
}

/** The same, the first so many. */
export async function readOpenWarnings(
  reading: DeskReading,
  filter: OpenWarningFilter,
  limit: number,
): Promise<DeskWarning[]> {
  const rows = await selectWarningsByDeadline(reading.db, toRowFilter(filter), {
    after: undefined,
    limit,
  })
  return await viewWarnings(reading, filter, rows)
}

function toRowFilter({ tenantId, tier, dueBefore, unnoticedAt }: OpenWarningFilter) {
  const tiers = tier === undefined ? ALL_TIERS : [tier]
  const unnoticed = unnoticedAt && { realNow: unnoticedAt, patienceMs: NOTICE_WITHIN_MS }
  return { tenantId, tiers, dueBefore, unnoticed }
}

/** Also one that has ended. Refuses `not_found`. */
export async function getDeskWarning(
  reading: DeskReading,
  tenantId: string,
  facilityId: string,
  number: number,
): Promise<DeskWarning & { raises: readonly Raise[] }> {
  const facility = await getFacility(reading.db, tenantId, facilityId)
  const row = await selectWarning(reading.db, tenantId, facilityId, number)
  if (!row) throw unknownWarning()
  const [warning] = await viewOfTenant(reading, tenantId, [facility], [row])
  if (!warning) throw new Error(`warning ${facilityId}/${number} was not viewed`)
  const raisesOf = await loadRaises(reading.db, tenantId, [facilityId])
  return { ...warning, raises: raisesOf(facilityId, number) }
}

/** In the order of the current deadlines: pauses have moved those of the rows, by which pages are cut, to later. */
async function viewWarnings(
  reading: DeskReading,
  { dueBefore }: OpenWarningFilter,
  rows: readonly WarningRow[],
): Promise<DeskWarning[]> {
  const viewed = new Map<string, DeskWarning>()
  for (const [tenantId, ofTenant] of Map.groupBy(rows, (row) => row.tenant_id)) {
    const ids = ofTenant.map((row) => row.facility_id)
    const facilities = (await selectFacilitiesOf(reading.db, tenantId, ids)).map(toFacility)
    for (const warning of await viewOfTenant(reading, tenantId, facilities, ofTenant)) {
      viewed.set(warning.facilityId, warning)
    }
  }
  return rows
    .flatMap((row) => viewed.get(row.facility_id) ?? [])
    .filter(({ cureDeadline }) => !dueBefore || cureDeadline < dueBefore)
    .sort((a, b) => a.cureDeadline.getTime() - b.cureDeadline.getTime())
}

async function viewOfTenant(
  { db, clockFor, termsAt, prices }: DeskReading,
  tenantId: string,
  facilities: readonly Facility[],
  rows: readonly WarningRow[],
): Promise<DeskWarning[]> {
  const now = await clockFor(db, tenantId)
  const { termsOf } = await termsAt(db, now)
  const reading = { db, tenantId, now, prices, termsOf }
  const cases = await loadCases(reading, facilities, loadPrices(reading))
  const borrowerIds = facilities.map(({ borrowerId }) => borrowerId)
  const sourcesOf = await loadPositionSources(db, tenantId, borrowerIds)
  const rowOf = new Map(rows.map((row) => [row.facility_id, row]))
  return cases.flatMap((evaluated) => {
    const { id, borrowerId } = evaluated.facility
    const row = rowOf.get(id)
    if (!row) return []
    return {
      ...toWarning(row, evaluated, now),
      ...viewCase(evaluated, now),
      custodian: lastReading(sourcesOf.get(borrowerId)),
      tenantId,
    }
  })
}

function viewCase({ facility, collateral, reported, claimed, push }: Case, now: Date) {
  return {
    borrowerId: facility.borrowerId,
    asOf: now,
    debtCents: totalDebtCents(facility.debt, now),
    valueCents: collateral.latest.valueCents,
    isStale: collateral.isStale,
    isOnHold: facility.heldSince !== undefined,
    reported,
    claimed:
      claimed && push
        ? { positions: claimed, pushedAt: push.receivedAt, askedSince: push.askedSince }
        : undefined,
  }
}

export function lastReading(sources: PositionSources | undefined): CustodianReading | undefined {
  const readings = [sources?.custodian, sources?.confirmed].filter((one) => one !== undefined)
  const [last] = readings.sort((a, b) => b.readAt.getTime() - a.readAt.getTime())
  if (!last) return undefined
  const positions = [...last.units]
    .map(([asset, units]) => ({ asset, units }))
    .sort((a, b) => (a.asset < b.asset ? -1 : 1))
  return { positions, readAt: last.readAt }
}
