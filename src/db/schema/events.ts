import type { Generated } from 'kysely'

export type EventTables = {
  resource_versions: {
    tenant_id: string
    resource_type: string
    resource_id: string
    version: bigint
  }
  events: EventRow
  unbound_records: { tenant_id: string; facility_id: string; record: string }
  event_anchors: { tenant_id: string; sequence: bigint; hash: Buffer }
  signing_secrets: { tenant_id: string; secret_id: string; sealed: string; created_at: Date }
  webhooks: WebhookRow
  webhook_recoveries: WebhookRecoveryRow
  recovery_paces: RecoveryPaceRow
  lanes: LaneRow
  deliveries: DeliveryRow
  delivery_attempts: DeliveryAttemptRow
}

type WebhookRow = {
  tenant_id: string
  webhook_id: string
  url: string
  event_types: string[]
  label: string | null
  state: 'active' | 'disabled' | 'deleted'
  registered_sequence: bigint
  recovered_sequence: Generated<bigint | null>
  created_at: Date
  disabled_at: Date | null
  deleted_at: Date | null
}

type LaneRow = {
  tenant_id: string
  webhook_id: string
  seen: bigint
  retry_at: Date | null
  failures: Generated<number>
  lease: string | null
  leased_until: Date | null
  in_flight: Generated<string[]>
}

export type WebhookRecoveryRow = {
  tenant_id: string
  webhook_id: string
  from_webhook_id: string | null
  since: Date
  phase: 'dead_lettered' | 'cancelled' | 'pending' | 'log'
  first_sequence: bigint
  after_sequence: bigint
  until_sequence: bigint
  requested_at: Date
}

export type RecoveryPaceRow = {
  tenant_id: string
  host: string
  answered_at: Date | null
  next_at: Date
  webhook_id: string | null
  event_id: string | null
  recorded_at: Date | null
  forget_at: Date
}

type EventRow = {
  tenant_id: string
  event_id: string
  sequence: bigint
  type: string
  resource_type: string
  resource_id: string
  resource_version: bigint
  facility_id: string | null
  borrower_id: string | null
  occurred_at: Date
  recorded_at: Date
  body: string
  previous_hash: Buffer
  hash: Buffer
  records: string[] | null
  traceparent: string | null
}

export type DeliveryState = 'pending' | 'delivered' | 'dead_lettered' | 'cancelled'

type DeliveryRow = {
  tenant_id: string
  webhook_id: string
  event_id: string
  recorded_at: Date
  sequence: bigint
  event_type: string
  state: DeliveryState
  attempts: Generated<number>
  failures: Generated<number>
  next_attempt_at: Date | null
  due_at: Date | null
  retry_requested: Generated<boolean>
  listed_as: DeliveryState | null
}

export type DeliveryAttemptRow = {
  tenant_id: string
  webhook_id: string
  event_id: string
  recorded_at: Date
  number: number
  started_at: Date
  status: number | null
  error: string | null
  duration_ms: number
  response_excerpt: string
  requested: boolean
}
