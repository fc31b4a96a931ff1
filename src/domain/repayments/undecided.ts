import type { Amount } from '../../core/money.ts'
import { type ListRequest, listAfter, type Page } from '../../core/page.ts'
import { addMs } from '../../core/time.ts'
import type { Db } from '../../db/database.ts'
import { loadPauses } from '../facilities/pauses/load-pauses.ts'
import { resumeAt } from '../facilities/pauses/pauses.ts'
import type { ClockFor } from '../tenants/tenant-clock.ts'
import { countUndecided, selectClaims, selectOldestUndecided, selectUndecided } from './queries.ts'
import { SUSPENSE_HOLD_MS, toRepayment } from './repayments.ts'

/** A receipt about which operators have to decide. */
export type Undecided = {
  tenantId: string
  facilityId: string
  repaymentId: string
  /** What the tenant reported under `reference`. */
  delivered: Amount | undefined
  reference: string | undefined
  /** The instant on the tenant's clock. */
  since: Date
} & (
  | {
      /** The treasury's transfer pays another repayment. */
      kind: 'contested'
      transfer: { id: string; paidFor: { tenantId: string; repaymentId: string } | undefined }
    }
  /** It holds an escalation until then; what can still be taken back is returned when it is final. */
  | { kind: 'in_suspense'; amount: Amount; holdsUntil: Date; finalAt: Date | undefined }
)

type Row = Awaited<ReturnType<typeof selectUndecided>>[number]

/** Receipts of every tenant, longest waiting first. Refuses `cursor_invalid`. */
export async function pageUndecided(
  db: Db,
  { clockFor, ...list }: Omit<ListRequest, 'context'> & { clockFor: ClockFor },
): Promise<Page<Undecided>> {
  const page = await listAfter(
    { ...list, context: 'operator/undecided-receipts' },
    (stretch) => selectUndecided(db, stretch),
    (row) => [row.position, row.repayment_id],
  )
  const items = await toUndecided(db, page.items, clockFor)
  return { ...page, items }
}

export async function countUndecidedReceipts(db: Db): Promise<number> {
  return await countUndecided(db, 10_000)
}

export async function measureOldestUndecided(db: Db, realNow: Date): Promise<number> {
  return Math.max(0, (await selectOldestUndecided(db, realNow)) ?? 0)
}

/** Suspense holds an escalation for a time, by the tenant's clock. */
async function loadHolds(
  db: Db,
  rows: readonly Row[],
  clockFor: ClockFor,
): Promise<Map<string, Date>> {
  const holds = new Map<string, Date>()
  for (const [tenantId, ofTenant] of Map.groupBy(rows, (row) => row.tenant_id)) {
    const now = await clockFor(db, tenantId)
    const facilityIds = ofTenant.map((row) => row.facility_id)
    const pausesOf = await loadPauses(db, tenantId, facilityIds, now)
    for (const { repayment_id: id, facility_id, undecided_since: from } of ofTenant) {
      if (!from) continue
      const due = { at: addMs(from, SUSPENSE_HOLD_MS), from }
      holds.set(id, resumeAt(due, pausesOf(facility_id), now))
    }
  }
  return holds
}

async function toUndecided(db: Db, rows: readonly Row[], clockFor: ClockFor): Promise<Undecided[]> {
  const transferIds = rows.flatMap(({ contested_transfer: id }) => id ?? [])
  const claims = transferIds.length === 0 ? [] : await selectClaims(db, transferIds)
  const suspended = rows.filter((row) => row.suspended_units > 0n)
  const holds = await loadHolds(db, suspended, clockFor)
  const paidFor = new Map(claims.map((claim) => [claim.transfer_id, claim]))
  return rows.flatMap((row): Undecided[] => {
    const { id, facilityId, delivered, reference, ...repayment } = toRepayment(row)
    const { contestedTransfer, inSuspense: amount, finalAt } = repayment
    const { tenant_id: tenantId, undecided_since: since } = row
    if (since === null) return []
    const shared = { tenantId, facilityId, repaymentId: id, delivered, reference, since }
    const holdsUntil = holds.get(id)
    if (amount && holdsUntil) {
      return [{ kind: 'in_suspense', ...shared, amount, holdsUntil, finalAt }]
    }
    if (contestedTransfer === undefined) return []
    const claim = paidFor.get(contestedTransfer)
    const other = claim && { tenantId: claim.tenant_id, repaymentId: claim.repayment_id }
    return [{ kind: 'contested', ...shared, transfer: { id: contestedTransfer, paidFor: other } }]
  })
}
