import { newId } from '../../core/ids.ts'
import { sealedText, type TextKey } from '../../core/personal-text.ts'
import type { Instant } from '../../core/time.ts'
import { type Db, inTransaction } from '../../db/database.ts'
import type { BorrowerRow, ComplianceCheckRow, SignatureRow } from '../../db/schema/onboarding.ts'
import { appendEvents } from '../events/append/append.ts'
import { ensureBorrowerKey, keyOfLocked } from '../personal/borrower-key.ts'
import type { TenantContext } from '../tenants/tenant-context.ts'
import type { WorkResult } from '../work/work.ts'
import type { CheckAnswer, CheckRequest, ComplianceProvider } from './compliance.ts'
import { decideEligibility, listSubjects, toAcceptance } from './decide-eligibility.ts'
import { listAllDocuments } from './documents.ts'
import {
  insertCheck,
  lockBorrower,
  selectChecks,
  selectSignatures,
  updateCheck,
  updateEligible,
} from './queries.ts'

export type EvaluationContext = {
  db: Db
  provider: ComplianceProvider
  instant: () => Promise<Instant>
  graceDays: number
}

type OpenCheck = {
  checkId: string
  request: CheckRequest
  kind: 'identity' | 'aml'
}

/** Returns the checks that wait for a provider's answer. */
async function settleEligibility(
  { tx, tenantId, now, realNow }: TenantContext,
  borrowerId: string,
  graceDays: number,
): Promise<OpenCheck[]> {
  const borrower = await lockBorrower(tx, tenantId, borrowerId)
  if (!borrower || borrower.eligible || borrower.erased_at) return []
  const key = await keyOfLocked(tx, borrower)
  const signatures = await selectSignatures(tx, tenantId, borrowerId)
  const facts = signatures.map((row) => ({
    ...toAcceptance(row),
    id: row.signature_id,
    fullName: key.open(row.full_name, 'name') ?? '',
  }))
  const checks = await selectChecks(tx, tenantId, borrowerId)
  // Stored as a digest. A row that the migration has yet to seal has the subject itself.
  const subjectOf = new Map(
    listSubjects(facts).map((subject) => [sealedText(key.digest(subject)), subject]),
  )
  const { open, eligible } = decideEligibility({
    borrower: {
      type: borrower.type,
      kycAttested: borrower.kyc_attested,
      isBlocked: borrower.blocked_at !== null,
    },
    documents: await listAllDocuments(tx, tenantId),
    signatures: facts,
    checks: checks.map(({ kind, subject, status }) => ({
      ...{ kind, status },
      subject: subjectOf.get(sealedText(subject)) ?? sealedText(subject),
    })),
    graceDays,
  })
  for (const check of open) {
    await insertCheck(tx, {
      tenant_id: tenantId,
      check_id: newId('chk'),
      borrower_id: borrowerId,
      kind: check.kind,
      signature_id: check.signatureId,
      subject: key.digest(check.subject),
      status: check.status,
      note: check.note === undefined ? null : key.seal(check.note, 'note'),
      created_at: now,
    })
  }
  if (eligible && (await updateEligible(tx, tenantId, borrowerId, now))) {
    appendEvents(tx, tenantId, [
      {
        type: 'borrower.eligible',
        resource: { type: 'borrower', id: borrowerId },
        occurredAt: now,
        data: { borrower_id: borrowerId },
      },
    ])
    return []
  }
  return (await selectChecks(tx, tenantId, borrowerId))
    .filter(({ status }) => status === 'pending')
    .map((check) => toOpenCheck({ borrower, key, signatures }, check, realNow))
}

type CheckedBorrower = {
  borrower: Pick<BorrowerRow, 'type' | 'residency_country' | 'residency_state'>
  key: TextKey
  signatures: readonly SignatureRow[]
}

function toOpenCheck(
  { borrower, key, signatures }: CheckedBorrower,
  check: ComplianceCheckRow,
  realNow: Date,
): OpenCheck {
  const signer = signatures.find((row) => row.signature_id === check.signature_id)
  return {
    checkId: check.check_id,
    kind: check.kind === 'aml' ? 'aml' : 'identity',
    request: {
      tenantId: check.tenant_id,
      checkId: check.check_id,
      subject: {
        borrowerType: borrower.type,
        residencyCountry: borrower.residency_country,
        residencyState: borrower.residency_state ?? undefined,
        fullName: (signer && key.open(signer.full_name, 'name')) ?? '',
        email: (signer && key.open(signer.email, 'email')) ?? '',
      },
      reference: check.reference ?? undefined,
      now: realNow,
    },
  }
}

/** Decides, asks providers outside any transaction, records each answer once, decides again. Throws
 * when a provider cannot be reached, so that the work is retried. */
export async function evaluateBorrower(
  { db, provider, instant, graceDays }: EvaluationContext,
  tenantId: string,
  borrowerId: string,
): Promise<WorkResult> {
  const settle = async () => {
    const asOf = await instant()
    return await inTransaction(db, (tx) =>
      settleEligibility({ tx, tenantId, ...asOf }, borrowerId, graceDays),
    )
  }
  const checks = await settle()
  if (checks.length === 0) return { done: true }

  const lookAgain: Date[] = []
  for (const check of checks) {
    const answer = await ask(provider, check)
    const asOf = await instant()
    await inTransaction(db, (tx) =>
      recordAnswer({ tx, tenantId, ...asOf }, { borrowerId, checkId: check.checkId }, answer),
    )
    if (answer.status === 'pending') lookAgain.push(answer.askAgainAt)
  }
  await settle()
  const [soonest] = lookAgain.sort((a, b) => a.getTime() - b.getTime())
  return soonest ? { done: false, retryAt: soonest } : { done: true }
}

function ask({ identity, aml }: ComplianceProvider, check: OpenCheck): Promise<CheckAnswer> {
  return check.kind === 'aml' ? aml.screen(check.request) : identity.verify(check.request)
}

/** A late or repeated answer changes nothing. */
async function recordAnswer(
  { tx, tenantId, now }: TenantContext,
  { borrowerId, checkId }: { borrowerId: string; checkId: string },
  answer: CheckAnswer,
): Promise<void> {
  const key = await ensureBorrowerKey(tx, { tenantId, borrowerId })
  if (key.isErased) return
  const note = answer.status === 'pending' ? undefined : answer.note
  await updateCheck(tx, tenantId, checkId, {
    from: ['pending'],
    to: answer.status,
    reference: answer.reference,
    note: note === undefined ? undefined : key.seal(note, 'note'),
    now,
  })
}
