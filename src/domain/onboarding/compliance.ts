import type { BorrowerType } from '../../db/schema.ts'

/** Whom a check is about: the signer, for a borrower of this type and residency. */
export type ComplianceSubject = {
  borrowerType: BorrowerType
  residencyCountry: string
  residencyState: string | undefined
  fullName: string
  email: string
}

export type CheckRequest = {
  tenantId: string
  /** Identifies the check to the provider: asking twice with the same id starts one check. */
  checkId: string
  subject: ComplianceSubject
  /** The provider's own name for the check, once it has given one. */
  reference: string | undefined
  /** Real time. */
  now: Date
}

export type CheckAnswer =
  | {
      status: 'passed' | 'failed' | 'review'
      reference?: string | undefined
      note?: string | undefined
    }
  /** Not decided yet: ask again, with the reference, at this real time. */
  | { status: 'pending'; reference: string; askAgainAt: Date }

/** Verifies who somebody is: KYC for an individual, KYB for a business. */
export type IdentityVerifier = { verify(request: CheckRequest): Promise<CheckAnswer> }

/** Screens a name and country against sanctions and watch lists. */
export type AmlScreener = { screen(request: CheckRequest): Promise<CheckAnswer> }

/** What eligibility needs of the outside world. A call that fails throws and is repeated later. */
export type ComplianceProvider = { identity: IdentityVerifier; aml: AmlScreener }
