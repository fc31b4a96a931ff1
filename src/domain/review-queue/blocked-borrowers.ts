import { type ListRequest, listAfter, mapPage, type Page } from '../../core/page.ts'
import type { Db } from '../../db/database.ts'
import type { BorrowerType } from '../../db/schema/onboarding.ts'
import { openRowKey } from '../personal/borrower-key.ts'
import { selectBlockedBorrowers, selectLastBlocks } from './queries.ts'

export type BlockedBorrower = {
  tenantId: string
  tenantName: string
  borrowerId: string
  borrowerType: BorrowerType
  blockedSince: Date
  reason: string
  /** Undefined for a block from before the record of operators. */
  blockedBy: { actor: string; actionNumber: bigint } | undefined
}

/** Of every tenant, blocked for longest first. Refuses `cursor_invalid`. */
export async function listBlockedBorrowers(
  db: Db,
  tenantId: string | undefined,
  list: Omit<ListRequest, 'context'>,
): Promise<Page<BlockedBorrower>> {
  const page = await listAfter(
    { ...list, context: `operator/blocked/${tenantId ?? ''}` },
    (stretch) => selectBlockedBorrowers(db, tenantId, stretch),
    (row) => [row.position, row.borrower_id],
  )
  const lastOf = new Map(
    (await selectLastBlocks(db, page.items)).map((last) => [last.borrower_id, last]),
  )
  return mapPage(page, (row) => ({
    tenantId: row.tenant_id,
    tenantName: row.name,
    borrowerId: row.borrower_id,
    borrowerType: row.type,
    blockedSince: row.blocked_at ?? new Date(0),
    reason: (row.blocked_reason && openRowKey(db, row).open(row.blocked_reason, 'note')) ?? '',
    blockedBy: findBlocker(lastOf.get(row.borrower_id)),
  }))
}

/** A release after it was of another block. */
function findBlocker(
  last: { actor: string; number: bigint; action: string } | undefined,
): BlockedBorrower['blockedBy'] {
  if (last?.action !== 'borrowers.block') return undefined
  return { actor: last.actor, actionNumber: last.number }
}
