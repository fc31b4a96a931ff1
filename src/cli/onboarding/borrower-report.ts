import type { Report } from '../../command-line/text.ts'
import { type Borrower, getBorrower } from '../../domain/onboarding/borrowers.ts'
import { type Check, listChecks } from '../../domain/onboarding/reviews.ts'
import { listSignatures, type Signature } from '../../domain/onboarding/signatures.ts'
import { formatFields, formatRows, showTime } from '../command/output.ts'
import type { Session } from '../command/session.ts'

/** Refuses `not_found`. */
export async function reportBorrower(
  { db }: Session,
  tenantId: string,
  borrowerId: string,
): Promise<Report> {
  const borrower = await getBorrower(db, tenantId, borrowerId)
  const signatures = await listSignatures(db, tenantId, borrowerId)
  const checks = await listChecks(db, tenantId, borrowerId)
  const parts = [
    formatFields(toFields(borrower)),
    signatures.length === 0 ? 'No signatures yet.' : signatureTable(signatures),
    checks.length === 0 ? 'No checks yet.' : checkTable(checks),
  ]
  return { data: toJson(borrower, signatures, checks), text: parts.join('\n\n') }
}

function toFields(borrower: Borrower) {
  const { block } = borrower
  return {
    borrower: borrower.id,
    ...(borrower.externalId !== undefined && { "tenant's own id": borrower.externalId }),
    type: borrower.type,
    residence: [borrower.residencyCountry, borrower.residencyState].filter(Boolean).join('-'),
    'kyc attested': borrower.kycAttested ? 'yes' : 'no',
    eligible: borrower.eligible ? 'yes' : 'no',
    ...(borrower.isErased && { 'personal data': 'erased' }),
    blocked: block ? `since ${showTime(block.at)}: ${block.reason}` : 'no',
    created: showTime(borrower.createdAt),
    updated: showTime(borrower.updatedAt),
  }
}

const ERASED = '(erased)'

function signatureTable(signatures: readonly Signature[]): string {
  return formatRows(
    ['signed by', 'e-mail', 'contract', 'version', 'signed', 'recorded'],
    signatures.map((signature) => [
      ...[signature.fullName ?? ERASED, signature.email ?? ERASED],
      ...[signature.contractType, signature.contractVersion],
      ...[showTime(signature.signedAt), showTime(signature.recordedAt)],
    ]),
  )
}

function checkTable(checks: readonly Check[]): string {
  return formatRows(
    ['check', 'status', 'asked', 'decided', 'note'],
    checks.map((check) => [
      ...[check.kind, check.status, showTime(check.createdAt), showTime(check.decidedAt)],
      check.note ?? '',
    ]),
  )
}

function toJson(borrower: Borrower, signatures: readonly Signature[], checks: readonly Check[]) {
  return {
    id: borrower.id,
    external_id: borrower.externalId,
    type: borrower.type,
    kyc_attested: borrower.kycAttested,
    residency_country: borrower.residencyCountry,
    residency_state: borrower.residencyState,
    eligible: borrower.eligible,
    ...(borrower.isErased && { erased: true }),
    blocked_at: borrower.block?.at,
    blocked_reason: borrower.block?.reason,
    created_at: borrower.createdAt,
    updated_at: borrower.updatedAt,
    signatures: signatures.map((signature) => ({
      id: signature.id,
      full_name: signature.fullName,
      email: signature.email,
      ip_address: signature.ipAddress,
      signed_at: signature.signedAt,
      contract_type: signature.contractType,
      contract_version: signature.contractVersion,
      recorded_at: signature.recordedAt,
    })),
    checks: checks.map((check) => ({
      id: check.id,
      kind: check.kind,
      status: check.status,
      note: check.note,
      created_at: check.createdAt,
      decided_at: check.decidedAt,
    })),
  }
}
