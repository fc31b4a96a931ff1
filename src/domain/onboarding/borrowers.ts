import type { CursorCodec } from '../../core/cursor.ts'
import { Refusal } from '../../core/errors.ts'
import { isId, newId } from '../../core/ids.ts'
import { listPage, mapPage, type Page, type PageRequest } from '../../core/page.ts'
import { borrowerErased } from '../../core/personal-text.ts'
import type { Instant } from '../../core/time.ts'
import type { Db, Tx } from '../../db/database.ts'
import type { BorrowerType } from '../../db/schema/onboarding.ts'
import { createBorrowerKey, keyOfLocked, openRowKey } from '../personal/borrower-key.ts'
import type { TenantContext } from '../tenants/tenant-context.ts'
import { requestWork } from '../work/work.ts'
import { toAcceptance } from './decide-eligibility.ts'
import { describeIneligible } from './describe-ineligible.ts'
import { listAllDocuments } from './documents.ts'
import {
  type BorrowerFilter,
  insertBorrower,
  lockBorrower,
  selectBorrower,
  selectBorrowers,
  selectChecks,
  selectIdOfExternal,
  selectSignatures,
  updateBlocked,
} from './queries.ts'
import { findResidencyFault, findResidencyRule } from './residency.ts'

export type Borrower = {
  id: string
  /** The tenant's own. */
  externalId: string | undefined
  type: BorrowerType
  kycAttested: boolean
  residencyCountry: string
  residencyState: string | undefined
  eligible: boolean
  block: { at: Date; reason: string } | undefined
  /** Its personal data is erased. */
  isErased: boolean
  createdAt: Date
  updatedAt: Date
}

export type NewBorrower = Pick<
  Borrower,
  'type' | 'kycAttested' | 'residencyCountry' | 'residencyState'
> & { externalId?: string | undefined }

export const EVALUATE_BORROWER = 'evaluate-borrower' as const

/** Refuses `validation_failed` for an unknown residency, `residency_not_supported` by policy, and
 * `external_id_taken`. */
export async function createBorrower(
  tx: Tx,
  tenantId: string,
  borrower: NewBorrower,
  { now, realNow }: Instant,
): Promise<Borrower> {
  await assertResidencyAllowed(tx, borrower)
  const { externalId } = borrower
  const created: Borrower = {
    ...borrower,
    id: newId('bor'),
    externalId,
    eligible: false,
    block: undefined,
    isErased: false,
    createdAt: now,
    updatedAt: now,
  }
  const isInserted = await insertBorrower(tx, {
    tenant_id: tenantId,
    borrower_id: created.id,
    external_id: externalId ?? null,
    type: created.type,
    kyc_attested: created.kycAttested,
    residency_country: created.residencyCountry,
    residency_state: created.residencyState ?? null,
    created_at: now,
    updated_at: now,
  })
  if (!isInserted && externalId !== undefined) {
    throw externalIdTaken('borrower', await selectIdOfExternal(tx, tenantId, externalId))
  }
  createBorrowerKey(tx, { tenantId, borrowerId: created.id })
  await requestEvaluation(tx, tenantId, created.id, realNow)
  return created
}

/** Names the one that has it, so that a creation whose answer was lost is found again. */
export function externalIdTaken(kind: 'borrower' | 'facility', id: string | undefined): Refusal {
  const detail = `The ${kind} ${id ?? ''} has this external id.`
  return new Refusal('external_id_taken', detail, { members: { existing_id: id ?? '' } })
}

async function assertResidencyAllowed(db: Db, borrower: NewBorrower): Promise<void> {
  const residency = { country: borrower.residencyCountry, state: borrower.residencyState }
  const fault = findResidencyFault(residency)
  if (fault) {
    throw new Refusal('validation_failed', 'The residency is not valid.', {
      errors: [{ pointer: `/${fault.member}`, code: fault.code, detail: fault.detail }],
    })
  }
  const rule = await findResidencyRule(db, residency, borrower.type)
  if (!rule?.allowed) {
    const place = [residency.country, residency.state].filter(Boolean).join('-')
    throw new Refusal(
      'residency_not_supported',
      `The service does not lend to a borrower of type ${borrower.type} resident in ${place}.`,
    )
  }
}

export async function requestEvaluation(
  tx: Tx,
  tenantId: string,
  borrowerId: string,
  realNow: Date,
): Promise<void> {
  await requestWork(tx, { tenantId, topic: EVALUATE_BORROWER, subjectId: borrowerId }, realNow)
}

export type BorrowerKey = { tenantId: string; borrowerId: string }

export async function getBorrower(db: Db, tenantId: string, borrowerId: string): Promise<Borrower> {
  const row = isId('bor', borrowerId) && (await selectBorrower(db, tenantId, borrowerId))
  if (!row) throw unknownBorrower()
  return toBorrower(db, row)
}

/** Newest first; refuses `cursor_invalid`. */
export async function listBorrowers(
  db: Db,
  tenantId: string,
  request: PageRequest & Partial<BorrowerFilter>,
  cursors: CursorCodec,
): Promise<Page<Borrower>> {
  const { eligible, externalId } = request
  const context = `borrowers/${tenantId}${eligible === undefined ? '' : `/eligible=${eligible}`}`
  const page = await listPage(
    { request, cursors, context, parseKey: String },
    (stretch) => selectBorrowers(db, tenantId, { eligible, externalId, ...stretch }),
    (row) => row.borrower_id,
  )
  return mapPage(page, (row) => toBorrower(db, row))
}

type BorrowerRow = NonNullable<Awaited<ReturnType<typeof selectBorrower>>>

function toBorrower(db: Db, row: BorrowerRow): Borrower {
  const { blocked_at: at, blocked_reason: reason } = row
  return {
    id: row.borrower_id,
    externalId: row.external_id ?? undefined,
    type: row.type,
    kycAttested: row.kyc_attested,
    residencyCountry: row.residency_country,
    residencyState: row.residency_state ?? undefined,
    eligible: row.eligible,
    block: at
      ? { at, reason: (reason && openRowKey(db, row).open(reason, 'note')) ?? '' }
      : undefined,
    isErased: row.erased_at !== null,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

/** `reason` undefined lifts the block. A borrower that is eligible stays so. Returns the block
 * before it. */
export async function setBorrowerBlock(
  { tx, tenantId, now, realNow }: TenantContext,
  borrowerId: string,
  reason: string | undefined,
): Promise<Borrower['block']> {
  const row = await lockBorrower(tx, tenantId, borrowerId)
  if (!row) throw unknownBorrower()
  const { block: former } = toBorrower(tx, row)
  const sealed =
    reason === undefined ? undefined : (await keyOfLocked(tx, row)).seal(reason, 'note')
  const block = sealed && { at: now, reason: sealed }
  await updateBlocked(tx, tenantId, borrowerId, { block, now })
  await requestEvaluation(tx, tenantId, borrowerId, realNow)
  return former
}

/** One answer for malformed, unknown and another tenant's ids. */
export function unknownBorrower(): Refusal {
  return new Refusal('not_found', 'There is no such borrower.')
}

/** A concurrent portfolio or block comes before or after this lock, and each sees the other.
 * Refuses `not_found` and `borrower_not_eligible`. */
export async function lockEligibleBorrower(
  tx: Tx,
  tenantId: string,
  borrowerId: string,
  graceDays: number,
): Promise<Borrower> {
  if (isId('bor', borrowerId)) await lockBorrower(tx, tenantId, borrowerId)
  const borrower = await getBorrower(tx, tenantId, borrowerId)
  if (borrower.isErased) throw borrowerErased()
  if (!borrower.eligible) throw await notEligible(tx, tenantId, borrowerId, graceDays)
  if (borrower.block) throw blockedBorrower()
  return borrower
}

async function notEligible(
  tx: Tx,
  tenantId: string,
  borrowerId: string,
  graceDays: number,
): Promise<Refusal> {
  const signatures = await selectSignatures(tx, tenantId, borrowerId)
  const detail = describeIneligible({
    documents: await listAllDocuments(tx, tenantId),
    signatures: signatures.map(toAcceptance),
    checks: await selectChecks(tx, tenantId, borrowerId),
    graceDays,
  })
  return new Refusal('borrower_not_eligible', detail)
}

/** Does not reveal why. */
export function blockedBorrower(): Refusal {
  const detail = 'The borrower is eligible, but gets no credit at present; ask the operator.'
  return new Refusal('borrower_not_eligible', detail)
}
