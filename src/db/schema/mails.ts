import type { Generated } from 'kysely'

export type MailTables = {
  asked_addresses: AskedAddressRow
  console_mails: AccountMailColumns & { tenant_id: string; person_id: string }
  operator_mails: AccountMailColumns & { operator_id: string; due_at: Date | null }
  failure_notices: FailureNoticeRow
}

type AskedAddressRow = { address: string; asked_by: string; asked_at: Date }

type AccountMailColumns = {
  mail_id: string
  kind: string
  subject_id: string | null
  asked_at: Date
  sent_at: Generated<Date | null>
}

type FailureNoticeRow = {
  tenant_id: string
  notice_id: string
  person_id: string
  webhook_id: string
  failed_attempts: number
  dead_letters: number
  is_disabled: boolean
  first_at: Date
  last_at: Date
  mail_id: Generated<string | null>
  reserved_at: Generated<Date | null>
  sent_at: Generated<Date | null>
}
