import type { Generated } from 'kysely'

export type WorkTables = {
  work: WorkRow
  worker_heartbeat: { only_row: Generated<boolean>; beaten_at: Date }
  audits: AuditRow
  processes: ProcessRow
  stack: StackRow
  write_probe: { filler: string }
}

type WorkRow = {
  tenant_id: string
  topic: string
  subject_id: string
  clock: 'real' | 'tenant'
  priority: number
  due_at: Date
  ready: Generated<boolean>
  lease: string | null
  held_until: Date | null
  generation: Generated<bigint>
  attempts: Generated<number>
  failing_since: Date | null
  last_error: string | null
  traceparent: string | null
}

type StackRow = {
  only_row: Generated<boolean>
  name: 'live' | 'sandbox' | 'distributed live' | 'distributed sandbox'
  instance_id: Generated<string>
  written_at: Generated<Date>
  distributed_at: Generated<Date | null>
}

type AuditRow = {
  only_row: Generated<boolean>
  slot: Generated<bigint>
  finished_at: Date | null
  /** How many, by invariant. */
  violations: Generated<Record<string, number>>
  unfinished: Generated<number>
  /** By scan: what was written before has been checked. */
  progress: Generated<Record<string, string>>
  marked_from: Generated<Date>
  findings: Generated<unknown>
  requested_at: Generated<Date | null>
}

type ProcessRow = {
  process_id: string
  kind: 'api' | 'worker'
  host: string
  version: string
  started_at: Date
  reported_at: Date
  /** As the build that wrote it forms it. */
  report: unknown
}
