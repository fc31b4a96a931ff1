import type { Generated } from 'kysely'
import type { ChallengeRow, InvitationKind, SignInMethod } from './console.ts'

export type OperatorTables = {
  operators: OperatorRow
  operator_actions: OperatorActionRow
  operator_trail: OperatorTrailRow
  approvals: ApprovalRow
  operator_tokens: OperatorTokenRow
  operator_invitations: OperatorInvitationRow
  operator_sessions: OperatorSessionRow
  operator_passkeys: OperatorPasskeyRow
  operator_challenges: ChallengeRow
  operator_answers: OperatorAnswerRow
}

export type OperatorRole = 'viewer' | 'reviewer' | 'risk' | 'admin'

type OperatorRow = {
  operator_id: string
  email: string
  name: string
  role: OperatorRole
  oidc_subject: Generated<string | null>
  confirmed_email: Generated<string | null>
  oidc_bound_at: Generated<Date | null>
  oidc_ends_at: Generated<Date | null>
  notices_seen_at: Generated<Date | null>
  created_at: Date
  removed_at: Generated<Date | null>
}

type OperatorActionRow = {
  number: bigint
  operator_id: string | null
  actor: string
  action: string
  subject_kind: string | null
  subject_id: string | null
  tenant: string | null
  /** Whose key has sealed what is personal. */
  borrower_id: Generated<string | null>
  reason: string | null
  before: Record<string, unknown> | null
  after: Record<string, unknown> | null
  request_id: string | null
  acted_at: Date
  previous_hash: Buffer
  hash: Buffer
  written_at: Generated<Date>
}

type OperatorTrailRow = {
  only_row: Generated<boolean>
  last_number: bigint
  last_hash: Buffer
}

export type ApprovalStatus = 'PENDING' | 'CONFIRMED' | 'REJECTED'

type ApprovalRow = {
  approval_id: string
  action: string
  subject_kind: string
  subject_id: string
  tenant: string | null
  borrower_id: Generated<string | null>
  request: Record<string, unknown>
  before: Record<string, unknown> | null
  after: Record<string, unknown> | null
  preview: Generated<Record<string, unknown> | null>
  reason: string
  proposed_by: string
  proposed_at: Date
  expires_at: Date
  seen_number: Generated<bigint | null>
  held_since: Generated<Date | null>
  status: ApprovalStatus
  decided_by: Generated<string | null>
  decided_at: Generated<Date | null>
  decision_reason: Generated<string | null>
}

type OperatorTokenRow = {
  token_id: string
  operator_id: string
  name: string
  token_hash: Buffer
  created_at: Date
  expires_at: Date
  held_since: Generated<Date | null>
  is_trusted: Generated<boolean>
  revoked_at: Generated<Date | null>
  ends_at: Generated<Date | null>
}

type OperatorInvitationRow = {
  invitation_id: string
  operator_id: string
  kind: InvitationKind
  is_trusted: Generated<boolean>
  token_hash: Buffer
  created_at: Date
  expires_at: Date
  used_at: Generated<Date | null>
  replaces_at: Generated<Date | null>
}

type OperatorSessionRow = {
  session_id: string
  operator_id: string
  token_hash: Buffer
  signed_in_by: SignInMethod
  must_add_passkey: boolean
  created_at: Date
  held_since: Generated<Date | null>
  proven_at: Generated<Date | null>
  confirmed_at: Generated<Date | null>
  notices_seen_at: Generated<Date | null>
  ends_at: Generated<Date | null>
  seen_at: Date
  ended_at: Generated<Date | null>
}

type OperatorPasskeyRow = {
  passkey_id: string
  operator_id: string
  credential_id: Buffer
  public_key: Buffer
  counter: bigint
  transports: string[]
  name: string
  created_at: Date
  last_used_at: Generated<Date | null>
  held_since: Generated<Date | null>
  ends_at: Generated<Date | null>
}

type OperatorAnswerRow = {
  operator_id: string
  key: string
  fingerprint: Buffer
  status: number
  body: string | null
  recorded_at: Date
}
