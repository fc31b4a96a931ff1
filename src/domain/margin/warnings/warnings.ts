import type { CursorCodec } from '../../../core/cursor.ts'
import { Refusal } from '../../../core/errors.ts'
import { listPage, mapPage, type Page, type PageRequest } from '../../../core/page.ts'
import type { CuredBy } from '../../../db/schema/margin.ts'
import { getFacility } from '../../facilities/facilities.ts'
import { totalDebtCents } from '../../facilities/ledger/debt.ts'
import { additionsOf, type Case, cureOf, type MarginReading } from '../case.ts'
import type { CureAddition } from '../ladder/cure-amounts.ts'
import { loadCase } from '../load-cases.ts'
import { loadRaises, type Raise } from '../notices/raises.ts'
import type { Tier } from '../policy.ts'
import { planSale } from '../sale-plan.ts'
import { selectWarning, selectWarnings } from '../warning-queries.ts'
import { ltvAt } from './warning-events.ts'

export type MarginWarning = {
  facilityId: string
  number: number
  tier: Tier
  status: 'OPEN' | 'CURED' | 'ESCALATED'
  cureAmountCents: bigint
  cureCollateralCents: bigint
  /** While it is open. */
  cureAdditions: CureAddition[]
  cureDeadline: Date
  /** By the windows of its tiers alone; holds where the custodian does not confirm critical. */
  windowDeadline: Date
  ltvAtRaise: string
  latestLtv: string | undefined
  raisedAt: Date
  curedAt: Date | undefined
  escalatedAt: Date | undefined
  curedBy: CuredBy | undefined
  extendedSeconds: number
  ifEscalated: { saleCents: bigint; targetLtvPpm: bigint } | undefined
}

/** With proof of what the borrower was told. */
export type NoticedWarning = MarginWarning & { raises: readonly Raise[] }

/** Refuses `not_found`. */
export async function getMarginWarning(
  reading: MarginReading,
  facilityId: string,
  number: number,
): Promise<NoticedWarning> {
  const { db, tenantId, now } = reading
  const facility = await getFacility(db, tenantId, facilityId)
  const row = await selectWarning(db, tenantId, facilityId, number)
  if (!row) throw unknownWarning()
  const raisesOf = await loadRaises(db, tenantId, [facilityId])
  const warning = toWarning(row, await loadCase(reading, facility), now)
  return { ...warning, raises: raisesOf(facilityId, number) }
}

/** Newest first. Refuses `not_found`, `cursor_invalid`. */
export async function listMarginWarnings(
  reading: MarginReading,
  facilityId: string,
  request: PageRequest,
  cursors: CursorCodec,
): Promise<Page<MarginWarning>> {
  const { db, tenantId, now } = reading
  const facility = await getFacility(db, tenantId, facilityId)
  const context = `margin-warnings/${tenantId}/${facilityId}`
  const page = await listPage(
    { request, cursors, context, parseKey: Number },
    (stretch) => selectWarnings(db, tenantId, facilityId, stretch),
    (row) => row.number,
  )
  const evaluated = await loadCase(reading, facility)
  return mapPage(page, (row) => toWarning(row, evaluated, now))
}

export function unknownWarning(): Refusal {
  return new Refusal('not_found', 'There is no such margin warning.')
}

type WarningRow = NonNullable<Awaited<ReturnType<typeof selectWarning>>>

export function toWarning(row: WarningRow, evaluated: Case, now: Date): MarginWarning {
  const isOpen = row.status === 'OPEN'
  const { cureDeadline, windowDeadline, extendedSeconds } = (isOpen && evaluated.warning) || {
    cureDeadline: row.cure_deadline,
    windowDeadline: row.window_deadline ?? row.cure_deadline,
    extendedSeconds: row.extended_seconds,
  }
  const cure = cureOf(evaluated, cureDeadline, now)
  return {
    facilityId: row.facility_id,
    number: row.number,
    tier: row.tier,
    status: row.status,
    cureAmountCents: isOpen ? cure.amountCents : (row.cure_amount_cents ?? 0n),
    cureCollateralCents: isOpen ? cure.collateralCents : (row.cure_collateral_cents ?? 0n),
    cureAdditions: isOpen ? additionsOf(evaluated, cure.collateralCents) : [],
    cureDeadline,
    windowDeadline,
    ltvAtRaise: row.ltv_at_raise,
    latestLtv: isOpen ? ltvAt(evaluated, 'latestCents', now) : undefined,
    raisedAt: row.raised_at,
    curedAt: row.cured_at ?? undefined,
    escalatedAt: row.escalated_at ?? undefined,
    curedBy: row.cured_by ?? undefined,
    extendedSeconds,
    ifEscalated: isOpen ? saleIfEscalated(evaluated, now) : undefined,
  }
}

function saleIfEscalated({ facility, policy, collateral }: Case, now: Date) {
  const debtCents = totalDebtCents(facility.debt, now)
  const { positions } = collateral.latest
  const { orders } = planSale({ debtCents, positions }, policy)
  const saleCents = orders.reduce((sum, order) => sum + order.grossCents, 0n)
  return { saleCents, targetLtvPpm: policy.targetLtvPpm }
}
