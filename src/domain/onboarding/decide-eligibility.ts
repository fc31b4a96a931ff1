import type {
  BorrowerType,
  CheckKind,
  CheckStatus,
  SignatureRow,
} from '../../db/schema/onboarding.ts'
import { acceptsSignature, type ContractDocument, isRequired } from './documents.ts'

/** The document that was accepted, and when. */
export type Acceptance = { contractType: string; contractVersion: string; recordedAt: Date }

export type SignatureFacts = Acceptance & { id: string; fullName: string }

export function toAcceptance(row: SignatureRow): Acceptance {
  return {
    contractType: row.contract_type,
    contractVersion: row.contract_version,
    recordedAt: row.recorded_at,
  }
}

export type CheckFacts = { kind: CheckKind; subject: string; status: CheckStatus }

export type CheckToOpen = {
  kind: CheckKind
  subject: string
  signatureId: string
  /** `review`: the operator decides; no provider is asked. */
  status: 'pending' | 'review'
  note: string | undefined
}

export type EligibilityFacts = {
  borrower: { type: BorrowerType; kycAttested: boolean; isBlocked: boolean }
  documents: readonly ContractDocument[]
  signatures: readonly SignatureFacts[]
  checks: readonly CheckFacts[]
  graceDays: number
}

/** Lists the subjects that checks of this borrower may have. */
export function listSubjects(signatures: readonly { fullName: string }[]): string[] {
  return [BORROWER_SUBJECT, ...signatures.map(({ fullName }) => screeningSubject(fullName))]
}

/** The identity check is about the borrower, whichever name signed. */
const BORROWER_SUBJECT = 'borrower'

/** Eligible: every listed document is accepted in a version that counts, and the identity check and
 * the screening of every signed name have passed. Checks begin with the first signature. */
export function decideEligibility(facts: EligibilityFacts): {
  open: CheckToOpen[]
  eligible: boolean
} {
  const required = requiredChecks(facts)
  const statusOf = new Map(facts.checks.map((check) => [nameOf(check), check.status]))
  const open = required.filter((check) => !statusOf.has(nameOf(check)))
  const isVerified =
    required.length > 0 && required.every((check) => statusOf.get(nameOf(check)) === 'passed')
  return { open, eligible: isVerified && hasAcceptedAll(facts) && !facts.borrower.isBlocked }
}

const nameOf = (check: { kind: CheckKind; subject: string }) => `${check.kind} ${check.subject}`

function requiredChecks({ borrower, signatures }: EligibilityFacts): CheckToOpen[] {
  const [first] = signatures
  if (!first) return []
  const identity: CheckToOpen = {
    kind: borrower.type === 'business' ? 'kyb' : 'kyc',
    subject: BORROWER_SUBJECT,
    signatureId: first.id,
    status: borrower.kycAttested ? 'pending' : 'review',
    note: borrower.kycAttested ? undefined : 'The tenant has not attested customer KYC.',
  }
  const screenings = new Map<string, CheckToOpen>()
  for (const { id, fullName } of signatures) {
    const subject = screeningSubject(fullName)
    if (screenings.has(subject)) continue
    screenings.set(subject, {
      kind: 'aml',
      subject,
      signatureId: id,
      status: 'pending',
      note: undefined,
    })
  }
  return [identity, ...screenings.values()]
}

/** One screening for one name, however it was typed. */
function screeningSubject(fullName: string): string {
  return fullName.normalize('NFKC').trim().replace(/\s+/g, ' ').toLowerCase()
}

function hasAcceptedAll(facts: EligibilityFacts): boolean {
  return facts.documents.some(isRequired) && findUnsigned(facts).length === 0
}

/** The facts that decide which documents are accepted. */
export type Accepting = Pick<EligibilityFacts, 'documents' | 'graceDays'> & {
  signatures: readonly Acceptance[]
}

export function findUnsigned({ documents, signatures, graceDays }: Accepting): ContractDocument[] {
  const accepts = (document: ContractDocument, signature: Acceptance) =>
    document.contractType === signature.contractType &&
    document.contractVersion === signature.contractVersion &&
    acceptsSignature(document, signature.recordedAt, graceDays)

  return documents
    .filter(isRequired)
    .filter(
      ({ contractType }) =>
        !documents
          .filter((document) => document.contractType === contractType)
          .some((document) => signatures.some((signature) => accepts(document, signature))),
    )
}
