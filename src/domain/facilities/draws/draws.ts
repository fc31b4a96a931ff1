import type { CursorCodec } from '../../../core/cursor.ts'
import { Refusal } from '../../../core/errors.ts'
import { isId, newId } from '../../../core/ids.ts'
import { type Amount, isMoneyAsset, MONEY_ASSETS } from '../../../core/money.ts'
import { listPage, mapPage, type Page, type PageRequest } from '../../../core/page.ts'
import type { TextKey } from '../../../core/personal-text.ts'
import type { SealedText } from '../../../core/sealing.ts'
import type { Db } from '../../../db/database.ts'
import type { Prices } from '../../collateral/prices.ts'
import { blockedBorrower, getBorrower } from '../../onboarding/borrowers.ts'
import {
  ensureBorrowerKey,
  readBorrowerKey,
  readKeyOfFacility,
} from '../../personal/borrower-key.ts'
import type { PersonalAnswer } from '../../personal/open-answer.ts'
import { requestWork } from '../../work/work.ts'
import { loadCollateral } from '../custody/collateral-of.ts'
import { type FacilityKey, getFacility } from '../facilities.ts'
import { onHold } from '../holds/on-hold.ts'
import { debitCents } from '../ledger/conversion.ts'
import { updateFacility } from '../ledger/ledger.ts'
import { provisionalAt } from '../ledger/provisional.ts'
import type { LendingContext } from '../lending-context.ts'
import type { FacilityChange, LockedFacility } from '../locked-facility.ts'
import { notApproved } from '../not-approved.ts'
import { selectDeficit, selectMarginState } from '../queries.ts'
import { RELEASE_DRAW } from '../topics.ts'
import type { DrawFacts, DrawRefusal } from './decide-draw.ts'
import { insertDraw, selectDraw, selectDraws } from './draw-queries.ts'
import { freshPrice, refuseDraw } from './refuse-draw.ts'

export type Draw = {
  id: string
  facilityId: string
  status: 'PENDING' | 'COMPLETED' | 'FAILED' | 'RETURNED'
  amount: Amount
  debtCents: bigint
  destination: SealedText
  reference: string | undefined
  failure: { code: string; retryable: boolean } | undefined
  /** Once set, only the payment's answer ends the draw. */
  payoutSentAt: Date | undefined
  /** From then on only its cancellation is called. */
  recalledAt: Date | undefined
  requestedAt: Date
  completedAt: Date | undefined
  /** What of its money came back. */
  returned: { amount: Amount; code: string; at: Date } | undefined
}

/** The destination is undefined once the borrower's data is erased. */
export type ShownDraw = Omit<Draw, 'destination'> & { destination: string | undefined }

const show = (draw: Draw, key: TextKey): ShownDraw => ({
  ...draw,
  destination: key.open(draw.destination, 'destination'),
})

export type NewDraw = { amount: Amount; destination: string }

/** Refuses `facility_not_approved`, `facility_on_hold`, `borrower_not_eligible` (blocked), `unsupported_asset`,
 * `credit_limit_exceeded`, `draws_blocked` and `price_unavailable`. */
export async function requestDraw(
  change: FacilityChange<LendingContext>,
  draw: NewDraw,
): Promise<{ draw: Draw; personal: PersonalAnswer }> {
  const { tx, tenantId, facility, now, realNow } = change
  if (facility.state !== 'APPROVED') {
    throw notApproved(facility.state)
  }
  if (facility.heldSince) throw onHold()
  const { borrowerId } = facility
  const [borrower, key] = await Promise.all([
    getBorrower(tx, tenantId, borrowerId),
    ensureBorrowerKey(tx, { tenantId, borrowerId }),
  ])
  if (borrower.block) throw blockedBorrower()
  if (!isMoneyAsset(draw.amount.asset)) {
    throw new Refusal('unsupported_asset', `Draws are paid in ${MONEY_ASSETS.join(' or ')}.`)
  }
  const prices = await change.prices.latest(tx, tenantId, now)
  const price = freshPrice(prices, draw.amount.asset, change.policy, now)
  const debtCents = debitCents(draw.amount, price)
  const refusal = await checkDraw(change, { drawCents: debtCents, price, prices })
  if (refusal) throw new Refusal(refusal.code, refusal.detail)

  const drawId = newId('drw')
  const row = await insertDraw(tx, {
    tenant_id: tenantId,
    draw_id: drawId,
    facility_id: facility.id,
    status: 'PENDING',
    asset: draw.amount.asset,
    amount_units: draw.amount.units,
    debt_cents: debtCents,
    destination: key.seal(draw.destination, 'destination'),
    requested_at: now,
  })
  await updateFacility(change, { reserved_cents: facility.reservedCents + debtCents })
  await requestWork(tx, { tenantId, topic: RELEASE_DRAW, subjectId: drawId }, realNow)
  return { draw: toDraw(row), personal: { borrowerId, key } }
}

/** Returns why a draw is refused. Throws `price_unavailable` for a missing or old price. */
export async function checkDraw(
  locked: LockedFacility<LendingContext>,
  { prices, ...draw }: Pick<DrawFacts, 'drawCents' | 'price'> & { prices: Prices },
): Promise<DrawRefusal | undefined> {
  const { tx, tenantId, facility, policy, now } = locked
  const { valuation, receivedAt } = await loadCollateral(locked, facility.borrowerId, prices)
  const margin = await selectMarginState(tx, tenantId, facility.id)
  const isClear = margin.openWarning === undefined && !margin.hasLiveCall
  const portfolioAgeMs = receivedAt && now.getTime() - receivedAt.getTime()
  const provisional = await provisionalAt(tx, facility, now)
  const deficitCents = await selectDeficit(tx, tenantId, facility.borrowerId)
  const on = { facility, deficitCents, provisional, valuation, portfolioAgeMs, isClear }
  return refuseDraw(on, draw, policy, now)
}

/** Refuses `not_found`. */
export async function getDraw(
  db: Db,
  tenantId: string,
  facilityId: string,
  drawId: string,
): Promise<ShownDraw> {
  const draw = await findDraw(db, tenantId, drawId)
  if (draw?.facilityId !== facilityId) throw unknownDraw()
  return show(draw, await readKeyOfFacility(db, { tenantId, facilityId }))
}

/** Of any facility. */
export async function findDraw(
  db: Db,
  tenantId: string,
  drawId: string,
): Promise<Draw | undefined> {
  const row = isId('drw', drawId) ? await selectDraw(db, tenantId, drawId) : undefined
  return row && toDraw(row)
}

export function unknownDraw(): Refusal {
  return new Refusal('not_found', 'There is no such draw.')
}

/** Newest first. Refuses `not_found`, `cursor_invalid`. */
export async function listDraws(
  db: Db,
  { tenantId, facilityId }: FacilityKey,
  request: PageRequest,
  cursors: CursorCodec,
): Promise<Page<ShownDraw>> {
  const { borrowerId } = await getFacility(db, tenantId, facilityId)
  const key = await readBorrowerKey(db, { tenantId, borrowerId })
  const context = `draws/${tenantId}/${facilityId}`
  const page = await listPage(
    { request, cursors, context, parseKey: String },
    (stretch) => selectDraws(db, tenantId, facilityId, stretch),
    (row) => row.draw_id,
  )
  return mapPage(page, (row) => show(toDraw(row), key))
}

export function toDraw(row: NonNullable<Awaited<ReturnType<typeof selectDraw>>>): Draw {
  return {
    id: row.draw_id,
    facilityId: row.facility_id,
    status: row.status,
    amount: { asset: row.asset, units: row.amount_units },
    debtCents: row.debt_cents,
    destination: row.destination,
    reference: row.reference ?? undefined,
    failure:
      row.failure_code === null
        ? undefined
        : { code: row.failure_code, retryable: row.failure_retryable ?? false },
    payoutSentAt: row.payout_sent_at ?? undefined,
    recalledAt: row.recalled_at ?? undefined,
    requestedAt: row.requested_at,
    completedAt: row.completed_at ?? undefined,
    returned:
      row.returned_at && row.returned_units && row.return_code
        ? {
            amount: { asset: row.asset, units: row.returned_units },
            code: row.return_code,
            at: row.returned_at,
          }
        : undefined,
  }
}
