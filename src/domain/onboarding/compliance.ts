import type { BorrowerType } from '../../db/schema/onboarding.ts'

export type ComplianceSubject = {
  borrowerType: BorrowerType
  residencyCountry: string
  residencyState: string | undefined
  fullName: string
  email: string
}

export type CheckRequest = {
  tenantId: string
  /** The provider starts one check an id. */
  checkId: string
  subject: ComplianceSubject
  /** The provider's own id of the check. */
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
  /** Ask again at this real time. */
  | { status: 'pending'; reference: string; askAgainAt: Date }

export type IdentityVerifier = { verify(request: CheckRequest): Promise<CheckAnswer> }

export type AmlScreener = { screen(request: CheckRequest): Promise<CheckAnswer> }

/** A call that fails throws and is retried. */
export type ComplianceProvider = { identity: IdentityVerifier; aml: AmlScreener }
