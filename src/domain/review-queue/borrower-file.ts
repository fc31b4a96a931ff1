import type { Db } from '../../db/database.ts'
import { type Borrower, getBorrower } from '../onboarding/borrowers.ts'
import { listAllDocuments } from '../onboarding/documents.ts'
import { type Check, listChecks } from '../onboarding/reviews.ts'
import { listSignatures, type Signature } from '../onboarding/signatures.ts'
import { type Approval, listPendingApprovals } from '../operators/approvals/approvals.ts'
import { selectLatestFacility, selectTenantName } from './queries.ts'

/** A signature without its signer: `signer` counts the names that differ, from 1. */
const MOST_PENDING = 1_000

export type MaskedSignature = Pick<
  Signature,
  'id' | 'contractType' | 'contractVersion' | 'signedAt'
> & { signer: number; document: { title: string; url: string } | undefined }

export type BorrowerFile = {
  borrower: Borrower
  tenantName: string
  checks: Omit<Check, 'note'>[]
  signatures: MaskedSignature[]
  latestFacility: { id: string; state: string; limitCents: bigint; createdAt: Date } | undefined
  /** Proposals about the borrower that a second operator has yet to confirm. */
  proposals: Approval[]
}

/** What a decision on a borrower needs, and nothing of who signed. Refuses `not_found`. */
export async function readBorrowerFile(
  db: Db,
  { tenantId, borrowerId }: { tenantId: string; borrowerId: string },
  realNow: Date,
): Promise<BorrowerFile> {
  const borrower = await getBorrower(db, tenantId, borrowerId)
  const documents = await listAllDocuments(db, tenantId)
  const facility = await selectLatestFacility(db, tenantId, borrowerId)
  const pending = await listPendingApprovals(db, realNow, MOST_PENDING)
  const checks = await listChecks(db, tenantId, borrowerId)
  const titles = new Map(
    documents.map(({ contractType, contractVersion, title, downloadUrl }) => [
      `${contractType} ${contractVersion}`,
      { title, url: downloadUrl },
    ]),
  )
  return {
    borrower,
    tenantName: (await selectTenantName(db, tenantId)) ?? '',
    checks: checks.map(({ note: _note, ...check }) => check),
    signatures: mask(await listSignatures(db, tenantId, borrowerId), titles),
    latestFacility: facility && {
      id: facility.facility_id,
      state: facility.state,
      limitCents: facility.limit_cents,
      createdAt: facility.created_at,
    },
    proposals: pending.filter(({ subject }) => subject.id === borrowerId),
  }
}

function mask(
  signatures: readonly Signature[],
  titles: ReadonlyMap<string, { title: string; url: string }>,
): MaskedSignature[] {
  const names = [...new Set(signatures.map(({ fullName }) => fullName))]
  return signatures.map(({ id, fullName, contractType, contractVersion, signedAt }) => ({
    ...{ id, contractType, contractVersion, signedAt },
    signer: names.indexOf(fullName) + 1,
    document: titles.get(`${contractType} ${contractVersion}`),
  }))
}
