import type { FieldError } from './field-errors.ts'

export const ERROR_CODES = [
  'malformed_request',
  'invalid_json',
  'idempotency_key_missing',
  'idempotency_key_invalid',
  'cursor_invalid',
  'signature_missing',
  'signature_malformed',
  'timestamp_out_of_range',
  'signature_invalid',
  'scope_missing',
  'tenant_suspended',
  'not_found',
  'sandbox_only',
  'method_not_allowed',
  'request_timeout',
  'body_too_large',
  'uri_too_long',
  'unsupported_media_type',
  'headers_too_large',
  'idempotency_in_progress',
  'secret_not_retrievable',
  'webhook_disabled',
  'delivery_in_progress',
  'recovery_in_progress',
  'clock_advancing',
  'limit_reached',
  'facility_not_approved',
  'facility_exists',
  'external_id_taken',
  'facility_on_hold',
  'nothing_to_return',
  'borrower_not_eligible',
  'borrower_erased',
  'draws_blocked',
  'outstanding_balance',
  'margin_warning_not_open',
  'margin_call_not_completed',
  'execution_already_reported',
  'duplicate_reference',
  'as_of_conflict',
  'cursor_expired',
  'validation_failed',
  'idempotency_key_reused',
  'contract_version_unknown',
  'unsupported_asset',
  'credit_limit_exceeded',
  'url_not_allowed',
  'as_of_in_future',
  'residency_not_supported',
  'rate_limited',
  'internal',
  'unavailable',
  'price_unavailable',
] as const

/** Of the console alone: tenants' programs never meet them. */
export const CONSOLE_ERROR_CODES = [
  'session_required',
  'link_invalid',
  'cross_origin',
  'passkey_required',
  'passkey_invalid',
  'link_waiting',
  'already_exists',
  'last_admin',
  'oidc_refused',
] as const

/** Of operators alone. */
export const OPERATOR_ERROR_CODES = [
  'token_required',
  'approval_not_open',
  'retention_not_over',
] as const

export type ErrorCode =
  | (typeof ERROR_CODES)[number]
  | (typeof CONSOLE_ERROR_CODES)[number]
  | (typeof OPERATOR_ERROR_CODES)[number]

export type RefusalExtras = {
  errors?: FieldError[]
  retryAfterSeconds?: number
  members?: Record<string, string>
  /** For the log only, never for the tenant. */
  cause?: unknown
}

/** Rolls the transaction back, so the idempotency key stays unused. HTTP chooses the status. */
export class Refusal extends Error {
  readonly code: ErrorCode
  readonly extras: RefusalExtras

  constructor(code: ErrorCode, detail: string, extras: RefusalExtras = {}) {
    super(detail, { cause: extras.cause })
    this.name = 'Refusal'
    this.code = code
    this.extras = extras
  }
}
