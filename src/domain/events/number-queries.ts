import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '../../db/database.ts'
import { anyOf, ofUnseenLength } from '../../db/planned-once.ts'
import type { UnnumberedEventRow } from '../../db/schema/events.ts'
import { builtOnce } from '../../db/transactions/built-once.ts'
import { execute } from '../../db/transactions/execute.ts'

export type Counter = {
  lastSequence: bigint
  lastHash: Buffer
  /** No later event is recorded before it, whatever the clocks of the processes. */
  lastRecordedAt: Date | undefined
}

type CounterRow = { last_sequence: bigint; last_hash: Buffer; last_recorded_at: Date | null }

function toCounter(row: CounterRow): Counter {
  return {
    lastSequence: row.last_sequence,
    lastHash: row.last_hash,
    lastRecordedAt: row.last_recorded_at ?? undefined,
  }
}

/** Of what is numbered or read under the lock of a counter: each row is found by its key, whatever the
 * statistics. A bitmap scan would read all events that were numbered since `unnumbered_events` was
 * vacuumed; an index scan marks those, and skips them from then on. Part of a statement that names its
 * tenant, so that a distributed database sets them on its node. */
export const SETTINGS = sql`settings AS MATERIALIZED (
      SELECT set_config('enable_seqscan', 'off', true), set_config('enable_bitmapscan', 'off', true),
             set_config('enable_hashjoin', 'off', true), set_config('enable_mergejoin', 'off', true)
    )`

/** Locked until commit: no gap, and numbers commit in order. */
export async function lockCounter(tx: Tx, tenantId: string): Promise<Counter> {
  const { rows } = await sql<CounterRow>`
    WITH ${SETTINGS}
    SELECT c.* FROM settings CROSS JOIN LATERAL (
      SELECT last_sequence, last_hash, last_recorded_at FROM tenant_counters
      WHERE tenant_id = ${tenantId}
      FOR NO KEY UPDATE
    ) c`.execute(tx)
  if (!rows[0]) throw new Error(`tenant ${tenantId} has no event counter`)
  return toCounter(rows[0])
}

/** Notes those that are locked for the statements that follow. Leaves out those that another transaction has
 * locked. Plans are kept from then on: what writes the events takes lists, mostly of one,
 * and would be planned at each call. */
const lockFreeCountersFirst = builtOnce(
  // @one server: many tenants at once; a distributed database has lockCounter.
  (_tx, { tenantIds }: { tenantIds: readonly string[] }) => sql<FreeRow>`
    WITH ${SETTINGS}, locked AS MATERIALIZED (
      SELECT c.* FROM settings
      CROSS JOIN unnest(${ofUnseenLength(tenantIds, 'text')}) AS wanted (tenant_id)
      CROSS JOIN LATERAL (
        SELECT tenant_id, last_sequence, last_hash, last_recorded_at FROM tenant_counters
        WHERE tenant_id = wanted.tenant_id
        FOR NO KEY UPDATE SKIP LOCKED
      ) c
    ), noted AS MATERIALIZED (
      SELECT set_config('svc.locked_counters', coalesce(string_agg(tenant_id, ' '), ''), true),
             set_config('plan_cache_mode', 'force_generic_plan', true)
      FROM locked
    )
    SELECT locked.* FROM noted CROSS JOIN locked`,
)

type FreeRow = CounterRow & { tenant_id: string }

/** In the transaction of lockFreeCountersFirst. */
export const LOCKED = sql`ANY ((SELECT string_to_array(current_setting('svc.locked_counters', true), ' '))::text[])`

export type TakenEvent = {
  tenantId: string
  entryId: string
  type: string
  resourceType: string
  resourceId: string
  resourceVersion: bigint
  facilityId: string | null
  borrowerId: string | null
  occurredAt: Date
  data: string
  records: string[] | null
  traceparent: string | null
}

export type ListeningWebhook = { tenantId: string; webhookId: string; eventTypes: string[] }

type TakenRow = Omit<UnnumberedEventRow, 'made_at'> & {
  micros: bigint
  webhook_id: string | null
  event_types: string[]
}

export type Taken = { events: TakenEvent[]; webhooks: ListeningWebhook[] }

/** Events in the order in which they were written, and the active webhooks. The caller holds the counter's
 * lock, under which webhooks are registered, disabled and deleted too, so "active at that event" is exact. */
export async function takeUnnumbered(tx: Tx, tenantId: string): Promise<Taken> {
  return toTakenOf(await execute(tx, takeOfTenant({ tenantId })))
}

/** Locks those counters that are free, and takes the events of their tenants: by a second statement, sent
 * without waiting for the first, which sees all that was committed before the locks. */
export async function takeOfFree(
  tx: Tx,
  tenantIds: readonly string[],
): Promise<Taken & { counters: Map<string, Counter> }> {
  const [locked, rows] = await Promise.all([
    execute(tx, lockFreeCountersFirst({ tenantIds })),
    execute(tx, takeOfLocked({ tenantIds })),
  ])
  const counters = new Map(locked.map((row) => [row.tenant_id, toCounter(row)]))
  return { ...toTakenOf(rows), counters }
}

const takeOfTenant = builtOnce((_tx, { tenantId }: { tenantId: string }) =>
  takeWhere(sql`tenant_id = ${tenantId}`),
)

const takeOfLocked = builtOnce((_tx, { tenantIds }: { tenantIds: readonly string[] }) =>
  // @one server: many tenants at once; a distributed database has takeUnnumbered.
  takeWhere(sql`tenant_id = ${anyOf(tenantIds)} AND tenant_id = ${LOCKED}`),
)

const takeWhere = (isOurs: RawBuilder<unknown>) => sql<TakenRow>`
    WITH taken AS (DELETE FROM unnumbered_events WHERE ${isOurs} RETURNING *)
    SELECT tenant_id, (extract(epoch FROM made_at) * 1000000)::bigint AS micros, place, entry_id, type,
      resource_type, resource_id, resource_version, facility_id, borrower_id, occurred_at, data, records,
      traceparent, NULL AS webhook_id, NULL::text[] AS event_types
    FROM taken
    UNION ALL
    SELECT tenant_id, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
      webhook_id, event_types
    FROM webhooks WHERE ${isOurs} AND state = 'active'`

function toTakenOf(rows: readonly TakenRow[]): Taken {
  const events = rows.filter((row) => row.webhook_id === null)
  events.sort((a, b) => Number(a.micros - b.micros) || a.place - b.place)
  return {
    events: events.map(toTaken),
    webhooks: rows.flatMap(({ tenant_id, webhook_id, event_types }) =>
      webhook_id === null
        ? []
        : [{ tenantId: tenant_id, webhookId: webhook_id, eventTypes: event_types }],
    ),
  }
}

function toTaken(row: TakenRow): TakenEvent {
  return {
    tenantId: row.tenant_id,
    entryId: row.entry_id,
    type: row.type,
    resourceType: row.resource_type,
    resourceId: row.resource_id,
    resourceVersion: row.resource_version,
    facilityId: row.facility_id,
    borrowerId: row.borrower_id,
    occurredAt: row.occurred_at,
    data: row.data,
    records: row.records,
    traceparent: row.traceparent,
  }
}

/** Older than any that a process is about to number. */
export async function selectTenantsLeft(db: Db): Promise<string[]> {
  // @across tenants: finds whose events wait; locks nothing.
  const { rows } = await sql<{ tenant_id: string }>`
    SELECT DISTINCT tenant_id FROM unnumbered_events
    WHERE made_at < clock_timestamp() - interval '1 second'`.execute(db)
  return rows.map((row) => row.tenant_id)
}
