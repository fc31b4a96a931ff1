import type { Amount } from '../../core/money.ts'
import { type ListRequest, listAfter, type Page } from '../../core/page.ts'
import { addMs } from '../../core/time.ts'
import type { Db } from '../../db/database.ts'
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
  list: Omit<ListRequest, 'context'>,
): Promise<Page<Undecided>> {
  const page = await listAfter(
    { ...list, context: 'operator/undecided-receipts' },
    (stretch) => selectUndecided(db, stretch),
    (row) => [row.position, row.repayment_id],
  )
  const items = await toUndecided(db, page.items)
  return { ...page, items }
}

export async function countUndecidedReceipts(db: Db): Promise<number> {
  return await countUndecided(db, 10_000)
}

export async function measureOldestUndecided(db: Db, realNow: Date): Promise<number> {
  return Math.max(0, (await selectOldestUndecided(db, realNow)) ?? 0)
}

async function toUndecided(db: Db, rows: readonly Row[]): Promise<Undecided[]> {
  const transferIds = rows.flatMap(({ contested_transfer: id }) => id ?? [])
  const claims = transferIds.length === 0 ? [] : await selectClaims(db, transferIds)
  const paidFor = new Map(claims.map((claim) => [claim.transfer_id, claim]))
  return rows.flatMap((row): Undecided[] => {
    const { id, facilityId, delivered, reference, ...repayment } = toRepayment(row)
    const { contestedTransfer, inSuspense: amount, finalAt } = repayment
    const { tenant_id: tenantId, undecided_since: since } = row
    if (since === null) return []
    const shared = { tenantId, facilityId, repaymentId: id, delivered, reference, since }
    if (amount) {
      const holdsUntil = addMs(since, SUSPENSE_HOLD_MS + Number(row.hold_lost_ms))
      return [{ kind: 'in_suspense', ...shared, amount, holdsUntil, finalAt }]
    }
    if (contestedTransfer === undefined) return []
    const claim = paidFor.get(contestedTransfer)
    const other = claim && { tenantId: claim.tenant_id, repaymentId: claim.repayment_id }
    return [{ kind: 'contested', ...shared, transfer: { id: contestedTransfer, paidFor: other } }]
  })
}
