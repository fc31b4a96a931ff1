import { Refusal } from '../../core/errors.ts'
import { withExample } from '../../core/field-errors.ts'
import { isId, newId } from '../../core/ids.ts'
import { addMs, MINUTE_MS } from '../../core/time.ts'
import type { Db } from '../../db/database.ts'
import { keyOfLocked, openRowKey } from '../personal/borrower-key.ts'
import type { TenantContext } from '../tenants/tenant-context.ts'
import { requestEvaluation, unknownBorrower } from './borrowers.ts'
import { acceptsSignature, listAllDocuments } from './documents.ts'
import {
  insertSignature,
  lockBorrower,
  selectBorrower,
  selectLastSignatureNumber,
  selectSignatures,
} from './queries.ts'

export type Signature = {
  id: string
  /** Undefined, as the two that follow, once the borrower's data is erased. */
  fullName: string | undefined
  email: string | undefined
  ipAddress: string | undefined
  signedAt: Date
  contractType: string
  contractVersion: string
  recordedAt: Date
}

type Signer = { fullName: string; email: string; ipAddress: string }

export type NewSignature = Omit<Signature, 'id' | 'recordedAt' | keyof Signer> & Signer

/** The list is never paged. */
export const MAX_SIGNATURES = 100

const CLOCK_SKEW_MS = MINUTE_MS

/** Stores repeated acceptances too. Refuses `not_found`, `validation_failed` for a future time,
 * `contract_version_unknown`, `borrower_erased`, and `limit_reached` for the 101st. */
export async function submitSignature(
  { tx, tenantId, now, realNow }: TenantContext,
  borrowerId: string,
  signature: NewSignature,
  { graceDays }: { graceDays: number },
): Promise<void> {
  const borrower = isId('bor', borrowerId) && (await lockBorrower(tx, tenantId, borrowerId))
  if (!borrower) throw unknownBorrower()
  if (signature.signedAt > addMs(now, CLOCK_SKEW_MS)) {
    throw new Refusal('validation_failed', 'The signing time is in the future.', {
      errors: [
        {
          pointer: '/signed_at',
          code: 'in_future',
          detail: withExample('Expected a time that is not in the future.', now.toISOString()),
        },
      ],
    })
  }
  await assertContractKnown(tx, tenantId, signature, { now, graceDays })
  const count = await selectLastSignatureNumber(tx, tenantId, borrowerId)
  if (count >= MAX_SIGNATURES) {
    throw new Refusal('limit_reached', `A borrower can have ${MAX_SIGNATURES} signatures.`)
  }
  const key = await keyOfLocked(tx, borrower)
  await insertSignature(tx, {
    tenant_id: tenantId,
    signature_id: newId('sig'),
    borrower_id: borrowerId,
    number: count + 1,
    full_name: key.seal(signature.fullName, 'name'),
    email: key.seal(signature.email, 'email'),
    ip_address: key.seal(signature.ipAddress, 'ip_address'),
    signed_at: signature.signedAt,
    contract_type: signature.contractType,
    contract_version: signature.contractVersion,
    recorded_at: now,
  })
  await requestEvaluation(tx, tenantId, borrowerId, realNow)
}

async function assertContractKnown(
  db: Db,
  tenantId: string,
  signature: NewSignature,
  { now, graceDays }: { now: Date; graceDays: number },
): Promise<void> {
  const document = (await listAllDocuments(db, tenantId)).find(
    (candidate) =>
      candidate.contractType === signature.contractType &&
      candidate.contractVersion === signature.contractVersion,
  )
  if (document && acceptsSignature(document, now, graceDays)) return
  throw new Refusal(
    'contract_version_unknown',
    `There is no ${signature.contractType} in version ${signature.contractVersion} to accept. GET /v1/documents lists the current versions.`,
  )
}

export async function listSignatures(
  db: Db,
  tenantId: string,
  borrowerId: string,
): Promise<Signature[]> {
  const borrower = isId('bor', borrowerId) && (await selectBorrower(db, tenantId, borrowerId))
  if (!borrower) throw unknownBorrower()
  const rows = await selectSignatures(db, tenantId, borrowerId)
  const key = openRowKey(db, borrower)
  return rows.map((row) => ({
    id: row.signature_id,
    fullName: key.open(row.full_name, 'name'),
    email: key.open(row.email, 'email'),
    ipAddress: key.open(row.ip_address, 'ip_address'),
    signedAt: row.signed_at,
    contractType: row.contract_type,
    contractVersion: row.contract_version,
    recordedAt: row.recorded_at,
  }))
}
