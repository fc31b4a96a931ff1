import { Refusal } from '../../core/errors.ts'
import type { Db } from '../../db/database.ts'
import type { CheckKind, CheckStatus } from '../../db/schema/onboarding.ts'
import { readBorrowerKey } from '../personal/borrower-key.ts'
import { readBorrowerKeys } from '../personal/record-keys.ts'
import type { TenantContext } from '../tenants/tenant-context.ts'
import { requestEvaluation, unknownBorrower } from './borrowers.ts'
import { moveChecks } from './move-checks.ts'
import {
  lockBorrower,
  selectAllChecksInReview,
  selectChecks,
  selectChecksInReview,
  selectChecksInReviewOf,
} from './queries.ts'

export type CheckInReview = {
  tenantId: string
  checkId: string
  borrowerId: string
  kind: CheckKind
  /** Undefined, as the note, once the borrower's data is erased. */
  fullName: string | undefined
  note: string | undefined
  createdAt: Date
}

export async function listReviews(db: Db, tenantId: string): Promise<CheckInReview[]> {
  return await toReviews(db, await selectChecksInReview(db, tenantId))
}

export async function listReviewsOf(
  db: Db,
  tenantId: string,
  borrowerId: string,
): Promise<CheckInReview[]> {
  return await toReviews(db, await selectChecksInReviewOf(db, tenantId, borrowerId))
}

export async function listAllReviews(db: Db): Promise<CheckInReview[]> {
  return await toReviews(db, await selectAllChecksInReview(db))
}

async function toReviews(
  db: Db,
  rows: Awaited<ReturnType<typeof selectChecksInReview>>,
): Promise<CheckInReview[]> {
  const found = rows.map((row) => ({
    row,
    borrower: { tenantId: row.tenant_id, borrowerId: row.borrower_id },
  }))
  const keys = await readBorrowerKeys(
    db,
    found.map(({ borrower }) => borrower),
  )
  return found.map(({ row, borrower }) => {
    const key = keys.of(borrower)
    return {
      ...borrower,
      checkId: row.check_id,
      kind: row.kind,
      fullName: key.open(row.full_name, 'name'),
      note: row.note ? key.open(row.note, 'note') : undefined,
      createdAt: row.created_at,
    }
  })
}

export type Check = {
  id: string
  kind: CheckKind
  status: CheckStatus
  note: string | undefined
  createdAt: Date
  decidedAt: Date | undefined
}

export async function listChecks(db: Db, tenantId: string, borrowerId: string): Promise<Check[]> {
  const rows = await selectChecks(db, tenantId, borrowerId)
  const key = await readBorrowerKey(db, { tenantId, borrowerId })
  return rows.map((row) => ({
    id: row.check_id,
    kind: row.kind,
    status: row.status,
    note: row.note ? key.open(row.note, 'note') : undefined,
    createdAt: row.created_at,
    decidedAt: row.decided_at ?? undefined,
  }))
}

/** Approving also overrules a failed check. Refuses `not_found` when nothing waits. */
export async function decideReview(
  tenant: TenantContext,
  borrowerId: string,
  decision: { approve: boolean; note: string },
): Promise<number> {
  const { tx, tenantId, realNow } = tenant
  if (!(await lockBorrower(tx, tenantId, borrowerId))) throw unknownBorrower()
  const { approve, note } = decision
  const move = approve
    ? ({ from: ['review', 'failed'], to: 'passed', note } as const)
    : ({ from: ['review'], to: 'failed', note } as const)
  const decided = await moveChecks(tenant, borrowerId, move)
  if (decided === 0) {
    throw new Refusal('not_found', `Borrower ${borrowerId} has no check that waits for a decision.`)
  }
  await requestEvaluation(tx, tenantId, borrowerId, realNow)
  return decided
}
