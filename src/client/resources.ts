// What the interface sends and takes (interface, Resources and their fields). Timestamps are
// ISO 8601 UTC strings.
import type { WebhookEvent } from './verify-webhook.ts'

/** A contract that your borrowers must accept. */
export type ContractDocument = {
  contract_type: string
  /** Year and month, for example `2026-11`. */
  contract_version: string
  title: string
  download_url: string
  content_type: string
}

export type NewBorrower = {
  type: 'individual' | 'business'
  kyc_attested: boolean
  /** ISO 3166-1 alpha-2. */
  residency_country: string
  /** ISO 3166-2 without the country; required for the US and refused elsewhere. */
  residency_state?: string
}

export type Borrower = NewBorrower & {
  id: string
  eligible: boolean
  created_at: string
  updated_at: string
}

/** `contract_type` and `contract_version` as the documents list returned them. */
export type NewSignature = {
  full_name: string
  email: string
  ip_address: string
  signed_at: string
  contract_type: string
  contract_version: string
}

export type Signature = NewSignature & { id: string; recorded_at: string }

/** All that a borrower holds at one instant, each asset once, quantities as decimal strings. */
export type PortfolioSnapshot = {
  /** UTC, with up to six fraction digits: the order of snapshots. */
  as_of: string
  positions: readonly { asset: string; quantity: string }[]
}

/** `as_of` is that of the newest snapshot stored (before the first: of the one that waits). */
export type PortfolioPush = { applied: boolean; as_of: string }

export type PortfolioSource = { mode: 'push' | 'custodian' }

export type NewWebhook = {
  url: string
  /** Omitted or empty: every event. */
  event_types?: readonly string[]
  label?: string
}

export type ListedWebhook = { id: string; url: string; event_types: string[]; label?: string }

export type Webhook = ListedWebhook & {
  consecutive_failed_attempts: number
  state: 'active' | 'disabled'
}

export type EventPage = { items: WebhookEvent[]; next_cursor: string; has_more: boolean }

export type Simulation = { webhook_id: string; event_type: string; data: Record<string, unknown> }

export type SimulationResult = {
  webhook_id: string
  event_type: string
  /** `status` is 0 and `error` names the cause when the endpoint gave no answer. */
  response: { status: number; body: string; error: string | null }
}

export type SandboxOutcome = 'pass' | 'fail' | 'review'

export type SandboxProviderAnswer = 'fail' | 'delay' | 'succeed'
