import { showTerms } from '../margin-terms.ts'
import { type PolicyVersion, stateOf } from './versions.ts'

/** For the command and the operator API. */
export function versionToJson(
  version: PolicyVersion,
  versions: readonly PolicyVersion[],
  now: Date,
) {
  const { number, policy, effectiveFrom, created, withdrawn } = version
  return {
    version: number,
    state: stateOf(version, versions, now),
    effective_from: effectiveFrom.toISOString(),
    note: created.note,
    proposed_by: created.proposedBy,
    signed_by: created.signedBy,
    created_at: created.at.toISOString(),
    ...(withdrawn && {
      withdrawn_at: withdrawn.at.toISOString(),
      withdrawal_note: withdrawn.note,
      withdrawal_proposed_by: withdrawn.proposedBy,
      withdrawal_signed_by: withdrawn.signedBy,
    }),
    terms: showTerms(policy),
  }
}
