import type { Generated } from 'kysely'

export type ConsoleTables = {
  console_people: ConsolePersonRow
  console_invitations: ConsoleInvitationRow
  console_sessions: ConsoleSessionRow
  console_passkeys: ConsolePasskeyRow
  console_challenges: ChallengeRow
  console_actions: ConsoleActionRow
}

export type ConsoleRole = 'viewer' | 'developer' | 'admin'

export type InvitationKind = 'invitation' | 'link'

export type SignInMethod = 'link' | 'invitation' | 'passkey' | 'oidc'

type ConsolePersonRow = {
  tenant_id: string
  person_id: string
  email: string
  name: string
  role: ConsoleRole
  oidc_subject: Generated<string | null>
  oidc_bound_at: Generated<Date | null>
  oidc_ends_at: Generated<Date | null>
  notices_seen_at: Generated<Date | null>
  failure_mails: Generated<boolean>
  confirmed_email: Generated<string | null>
  created_at: Date
  removed_at: Generated<Date | null>
}

type ConsoleInvitationRow = {
  tenant_id: string
  invitation_id: string
  person_id: string
  kind: InvitationKind
  is_trusted: Generated<boolean>
  token_hash: Buffer
  created_at: Date
  expires_at: Date
  used_at: Generated<Date | null>
  replaces_at: Generated<Date | null>
}

type ConsoleSessionRow = {
  tenant_id: string
  session_id: string
  person_id: string
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

type ConsolePasskeyRow = {
  tenant_id: string
  passkey_id: string
  person_id: string
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

/** Of operators too, whose purposes are others. */
export type ChallengeRow = {
  challenge: Buffer
  purpose: 'sign_in' | 'add_passkey' | 'confirm'
  subject: string
  expires_at: Date
}

type ConsoleActionRow = {
  tenant_id: string
  action_id: string
  person_id: string | null
  key_id: Generated<string | null>
  action: string
  subject: string | null
  before: Record<string, unknown> | null
  after: Record<string, unknown> | null
  request_id: string | null
  acted_at: Date
}
