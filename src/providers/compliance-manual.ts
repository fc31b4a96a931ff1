import type { ComplianceProvider } from '../domain/onboarding/compliance.ts'

/**
 * Compliance without a vendor: every check goes to the operator, who decides it with
 * `borrowers review`. What a live stack runs on until vendors are configured.
 */
export function createManualCompliance(): ComplianceProvider {
  const review = async () => ({
    status: 'review' as const,
    note: 'No compliance vendor is configured.',
  })
  return { identity: { verify: review }, aml: { screen: review } }
}
