import type { CheckKind, CheckStatus } from '../../db/schema/onboarding.ts'
import { type Accepting, findUnsigned } from './decide-eligibility.ts'
import { isRequired } from './documents.ts'

type Facts = Accepting & {
  checks: readonly { kind: CheckKind; status: CheckStatus }[]
}

const IDENTITY = {
  pending: 'Its identity check is under way.',
  review: "Its identity check waits for the operator's review.",
  failed: 'Its identity check has not passed; ask the operator.',
} as const satisfies Record<Exclude<CheckStatus, 'passed'>, string>

/** Reveals nothing of a block or of what the screening found. */
export function describeIneligible(facts: Facts): string {
  const missing = [...describeDocuments(facts), ...describeChecks(facts)]
  const reasons =
    missing.length > 0 ? missing : ['Its documents are signed and its checks have passed.']
  return [
    'The borrower is not eligible yet.',
    ...reasons,
    'Wait for borrower.eligible. If it does not arrive, ask the operator.',
  ].join(' ')
}

function describeDocuments(facts: Facts): string[] {
  if (!facts.documents.some(isRequired)) {
    return ['There is no document to sign: the operator has not published any for this tenant.']
  }
  const unsigned = findUnsigned(facts).map(
    ({ contractType, contractVersion }) => `${contractType} ${contractVersion}`,
  )
  if (unsigned.length === 0) return []
  return [`Not signed yet (POST /v1/borrowers/{borrower_id}/signatures): ${unsigned.join(', ')}.`]
}

/** Checks begin with the first signature. */
function describeChecks({ checks, signatures }: Facts): string[] {
  if (signatures.length === 0) return []
  const identity = checks.find(({ kind }) => kind !== 'aml')?.status ?? 'pending'
  const screenings = checks.filter(({ kind }) => kind === 'aml')
  const isScreened = screenings.length > 0 && screenings.every(({ status }) => status === 'passed')
  return [
    ...(identity === 'passed' ? [] : [IDENTITY[identity]]),
    ...(isScreened ? [] : ['Its screening is not complete.']),
  ]
}
