import { Refusal } from '../../../core/errors.ts'
import { findUnseen } from '../../../core/external-reference.ts'
import { isId } from '../../../core/ids.ts'
import type { Amount } from '../../../core/money.ts'
import { type ListRequest, listAfter, mapPage, type Page } from '../../../core/page.ts'
import { borrowerErased } from '../../../core/personal-text.ts'
import type { Db } from '../../../db/database.ts'
import { ensureKeyOfFacility, openRowKey } from '../../personal/borrower-key.ts'
import type { TenantContext } from '../../tenants/tenant-context.ts'
import { requestWork } from '../../work/work.ts'
import { hasReturnedDraw } from '../draws/draw-queries.ts'
import { PAY_REFUND } from '../topics.ts'
import {
  countRefused,
  insertRedirect,
  lockRefund,
  selectRefused,
  updateRefundDestination,
} from './refund-queries.ts'

export type RefusedRefund = {
  tenantId: string
  id: string
  facilityId: string
  amount: Amount
  /** Undefined where it names a person who is erased. */
  destination: string | undefined
  refusals: number
  /** A payment is ordered and not answered: the destination cannot change. */
  isOrdered: boolean
  createdAt: Date
}

/** Of every tenant, oldest first. */
export async function listRefusedRefunds(db: Db): Promise<RefusedRefund[]> {
  return (await selectRefused(db, {})).map((row) => toRefusedRefund(db, row))
}

/** The same in pages. Refuses `cursor_invalid`. */
export async function pageRefusedRefunds(
  db: Db,
  list: Omit<ListRequest, 'context'>,
): Promise<Page<RefusedRefund>> {
  const page = await listAfter(
    { ...list, context: 'operator/refused-refunds' },
    (stretch) => selectRefused(db, stretch),
    (row) => [row.position, row.refund_id],
  )
  return mapPage(page, (row) => toRefusedRefund(db, row))
}

export async function countRefusedRefunds(db: Db): Promise<number> {
  return await countRefused(db, 10_000)
}

function toRefusedRefund(
  db: Db,
  row: Awaited<ReturnType<typeof selectRefused>>[number],
): RefusedRefund {
  return {
    tenantId: row.tenant_id,
    id: row.refund_id,
    facilityId: row.facility_id,
    amount: { asset: row.asset, units: row.amount_units },
    destination: openRowKey(db, row).open(row.destination, 'destination'),
    refusals: row.refusals,
    isOrdered: row.ordered === row.refusals,
    createdAt: row.created_at,
  }
}

const MAX_LENGTH = 200

/** Refuses `validation_failed`. */
export function assertDestination(destination: string): void {
  if (destination === '' || destination.length > MAX_LENGTH) {
    throw invalid(`The destination must have 1 to ${MAX_LENGTH} characters.`)
  }
  // The operator who confirms must see where the money goes.
  const unseen = findUnseen(destination)
  if (unseen) throw invalid(`The destination must have no invisible characters: it has ${unseen}.`)
}

/** Returns the former one. Refuses `not_found`, and `validation_failed` without a refused payment, and for
 * a destination from which a draw came back. */
export async function redirectRefund(
  { tx, tenantId, now, realNow }: TenantContext,
  refundId: string,
  redirect: { destination: string; reason: string },
): Promise<{ from: string }> {
  const { destination, reason } = redirect
  assertDestination(destination)
  if (reason.trim() === '') throw invalid('The reason must not be empty.')
  const refund = isId('rfd', refundId) ? await lockRefund(tx, tenantId, refundId) : undefined
  if (!refund) throw new Refusal('not_found', `Tenant ${tenantId} has no refund ${refundId}.`)
  const key = await ensureKeyOfFacility(tx, { tenantId, facilityId: refund.facility_id })
  const from = key.open(refund.destination, 'destination')
  if (from === undefined) throw borrowerErased()
  if (refund.status === 'PAID') throw invalid(`Refund ${refundId} is paid.`)
  if (refund.status !== 'PENDING') throw invalid(`Refund ${refundId} is not owed any more.`)
  if (refund.ordered === refund.refusals) {
    throw invalid(`A payment of ${refundId} to ${from} is under way. Redirect it after a refusal.`)
  }
  if (refund.refusals === 0) throw invalid(`No payment of ${refundId} was refused.`)
  if (from === destination) throw invalid('The refund already has this destination.')
  const sealed = key.seal(destination, 'destination')
  if (
    await hasReturnedDraw(tx, tenantId, { facility_id: refund.facility_id, destination: sealed })
  ) {
    throw invalid(`A draw has come back from ${destination}: choose another.`)
  }
  await updateRefundDestination(tx, tenantId, refundId, sealed)
  await insertRedirect(tx, {
    tenant_id: tenantId,
    refund_id: refundId,
    from_destination: refund.destination,
    to_destination: sealed,
    refusals: refund.refusals,
    reason: key.seal(reason, 'note'),
    redirected_at: now,
  })
  await requestWork(tx, { tenantId, topic: PAY_REFUND, subjectId: refundId }, realNow)
  return { from }
}

const invalid = (detail: string) => new Refusal('validation_failed', detail)
