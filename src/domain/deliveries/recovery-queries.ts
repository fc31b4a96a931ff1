import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '../../db/database.ts'
import type { RecoveryPaceRow, WebhookRecoveryRow } from '../../db/schema/events.ts'
import { execute, unprepared } from '../../db/transactions/execute.ts'
import type { LaneName } from './lane.ts'

/** `before` is below every event of that instant or later. Ids of processes with different clocks may
 * be out of order by a moment, so the search begins at `earlierId`. */
export async function selectSequencesSince(
  db: Db,
  tenantId: string,
  { earlierId, since }: { earlierId: string; since: Date },
): Promise<{ before: bigint; last: bigint }> {
  const rows = await execute(
    db,
    unprepared(sql<{ before: bigint; last: bigint }>`
    SELECT last_sequence AS last, coalesce(
      (SELECT sequence - 1 FROM events
       WHERE tenant_id = ${tenantId} AND event_id >= ${earlierId}
         AND recorded_at >= ${since}::timestamptz - interval '1 minute'
       ORDER BY event_id LIMIT 1),
      last_sequence) AS before
    FROM tenant_counters WHERE tenant_id = ${tenantId}`),
  )
  if (!rows[0]) throw new Error(`tenant ${tenantId} has no event counter`)
  return rows[0]
}

/** False when the webhook has one already. */
export async function insertRecovery(tx: Tx, row: WebhookRecoveryRow): Promise<boolean> {
  const result = await tx
    .insertInto('webhook_recoveries')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return result.numInsertedOrUpdatedRows === 1n
}

/** Its deliveries may then be of events from before its registration. */
export async function lowerRecovered(
  tx: Tx,
  { tenantId, webhookId }: LaneName,
  sequence: bigint,
): Promise<void> {
  await tx
    .updateTable('webhooks')
    .set({ recovered_sequence: sql`least(recovered_sequence, ${sequence}::bigint)` })
    .where('tenant_id', '=', tenantId)
    .where('webhook_id', '=', webhookId)
    .execute()
}

export async function lockRecovery(
  tx: Tx,
  { tenantId, webhookId }: LaneName,
): Promise<WebhookRecoveryRow | undefined> {
  return await tx
    .selectFrom('webhook_recoveries')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('webhook_id', '=', webhookId)
    .forUpdate()
    .executeTakeFirst()
}

export async function moveRecovery(
  tx: Tx,
  { tenantId, webhookId }: LaneName,
  to: Pick<WebhookRecoveryRow, 'phase' | 'after_sequence'>,
): Promise<void> {
  await tx
    .updateTable('webhook_recoveries')
    .set(to)
    .where('tenant_id', '=', tenantId)
    .where('webhook_id', '=', webhookId)
    .execute()
}

export async function deleteRecovery(tx: Tx, { tenantId, webhookId }: LaneName): Promise<void> {
  await tx
    .deleteFrom('webhook_recoveries')
    .where('tenant_id', '=', tenantId)
    .where('webhook_id', '=', webhookId)
    .execute()
}

/** At most `limit`. */
export async function countWaiting(
  db: Db,
  { tenantId, webhookId }: LaneName,
  { now, limit }: { now: Date; limit: number },
): Promise<number> {
  // @plan reads deliveries: as many as the limit, which are counted.
  const rows = await execute(
    db,
    unprepared(sql<{ waiting: bigint }>`
    SELECT count(*) AS waiting FROM (
      SELECT due_at FROM deliveries
      WHERE tenant_id = ${tenantId} AND webhook_id = ${webhookId} AND due_at <= ${now}
      ORDER BY due_at LIMIT ${limit}) waiting`),
  )
  return Number(rows[0]?.waiting)
}

export type RecoveryStretch = Pick<
  WebhookRecoveryRow,
  'tenant_id' | 'webhook_id' | 'from_webhook_id' | 'since' | 'after_sequence' | 'until_sequence'
> & {
  phase: WebhookRecoveryRow['phase']
  now: Date
  limit: number
  /** To a host that has answered no recovery yet: one, without a schedule of its own. */
  isPaced: boolean
  maxAttempts: number
  /** The numbers of deliveries that are being attempted. */
  inFlight: readonly bigint[]
}

/** The next deliveries of a state in the order of their events. */
const scannedDeliveries = (stretch: RecoveryStretch) => sql`
  scanned AS MATERIALIZED (
    SELECT tenant_id, webhook_id, event_id, recorded_at, sequence, retry_requested, attempts, due_at
    FROM deliveries
    WHERE tenant_id = ${stretch.tenant_id} AND webhook_id = ${stretch.webhook_id}
      AND listed_as = ${stretch.phase} AND sequence > ${stretch.after_sequence}
      AND sequence <= ${stretch.until_sequence} AND recorded_at >= ${stretch.since}
    ORDER BY sequence LIMIT ${stretch.limit}
  ), missed AS (
    SELECT * FROM scanned
    WHERE NOT retry_requested AND attempts < ${stretch.maxAttempts}
      AND sequence <> ALL (${stretch.inFlight}::bigint[])
      AND (${stretch.phase === 'pending'} IS FALSE OR due_at > ${stretch.now})
  )`

const wantedBy = (webhook: RawBuilder<unknown>) => sql`
  (${webhook}.event_types = '{}' OR e.type = ANY (${webhook}.event_types))`

/** The next events of the log, and of them those that the other webhook should have and has not. */
const scannedEvents = (stretch: RecoveryStretch) => sql`
  scanned AS MATERIALIZED (
    SELECT tenant_id, event_id, recorded_at, sequence, type, resource_type, resource_id FROM events
    WHERE tenant_id = ${stretch.tenant_id} AND sequence > ${stretch.after_sequence}
      AND sequence <= ${stretch.until_sequence} AND recorded_at >= ${stretch.since}
    ORDER BY sequence LIMIT ${stretch.limit}
  ), missed AS (
    SELECT e.* FROM scanned e
    JOIN webhooks old ON old.tenant_id = ${stretch.tenant_id}
      AND old.webhook_id = ${stretch.from_webhook_id} AND e.sequence > old.registered_sequence
    JOIN webhooks heir ON heir.tenant_id = ${stretch.tenant_id}
      AND heir.webhook_id = ${stretch.webhook_id}
    WHERE ${wantedBy(sql`old`)} AND ${wantedBy(sql`heir`)}
      AND NOT (e.resource_type = 'webhook' AND e.resource_id = heir.webhook_id)
      AND NOT EXISTS (
        SELECT FROM deliveries d WHERE d.tenant_id = ${stretch.tenant_id}
          AND d.webhook_id = old.webhook_id AND d.event_id = e.event_id
          AND d.recorded_at = e.recorded_at
          AND (d.state = 'delivered' OR d.state = 'pending' AND old.state = 'active'))
      AND NOT EXISTS (
        SELECT FROM deliveries d WHERE d.tenant_id = ${stretch.tenant_id}
          AND d.webhook_id = heir.webhook_id AND d.event_id = e.event_id
          AND d.recorded_at = e.recorded_at)
  )`

const scannedOf = (stretch: RecoveryStretch) =>
  stretch.phase === 'log' ? scannedEvents(stretch) : scannedDeliveries(stretch)

export async function countMissed(db: Db, stretch: RecoveryStretch): Promise<number> {
  // @plan reads deliveries, events: the first 10,000 of a stretch are counted.
  const rows = await execute(
    db,
    unprepared(sql<{ missed: bigint }>`
    WITH ${scannedOf(stretch)}
    SELECT count(*) AS missed FROM missed`),
  )
  return Number(rows[0]?.missed)
}

/** `last`: up to which sequence the stretch is done. `one`: the first that was recovered. */
export type Recovered = {
  scanned: number
  recovered: number
  last: bigint | null
  one: { eventId: string; recordedAt: Date } | undefined
}

/** The caller has locked the lane. Deliveries of its own are retried at once; events that another
 * webhook missed become deliveries, where paced as if cancelled with one attempt asked for. */
export async function recoverNext(tx: Tx, stretch: RecoveryStretch): Promise<Recovered> {
  // @plan reads deliveries, events: a whole stretch is scanned for the one that a pace allows.
  const { isPaced, now } = stretch
  const schedule = isPaced
    ? sql`'cancelled', 'cancelled', NULL::timestamptz, true`
    : sql`'pending', 'pending', ${now}::timestamptz, false`
  const recovered =
    stretch.phase === 'log'
      ? sql`
        INSERT INTO deliveries (tenant_id, webhook_id, event_id, recorded_at, sequence, event_type,
                                state, listed_as, next_attempt_at, retry_requested, due_at)
        SELECT ${stretch.tenant_id}, ${stretch.webhook_id}, event_id, recorded_at, sequence, type,
               ${schedule}, ${now}::timestamptz
        FROM chosen
        RETURNING event_id, recorded_at, sequence`
      : sql`
        UPDATE deliveries d SET retry_requested = true, due_at = ${now}
        FROM chosen m
        WHERE d.tenant_id = ${stretch.tenant_id} AND d.webhook_id = m.webhook_id
          AND d.event_id = m.event_id AND d.recorded_at = m.recorded_at
        RETURNING d.event_id, d.recorded_at, d.sequence`
  const rows = await execute(
    tx,
    unprepared(sql<RecoveredRow>`
    WITH ${scannedOf(stretch)}, chosen AS (
      SELECT * FROM missed ORDER BY sequence LIMIT ${isPaced ? 1 : stretch.limit}
    ), recovered AS (${recovered}), one AS (
      SELECT event_id, recorded_at, sequence FROM recovered ORDER BY sequence LIMIT 1)
    SELECT s.scanned, r.recovered, one.event_id, one.recorded_at,
           CASE WHEN ${isPaced} THEN coalesce(one.sequence, s.last) ELSE s.last END AS last
    FROM (SELECT count(*) AS scanned, max(sequence) AS last FROM scanned) s
    CROSS JOIN (SELECT count(*) AS recovered FROM recovered) r
    LEFT JOIN one ON true`),
  )
  const [row] = rows
  const { event_id: eventId, recorded_at: recordedAt } = row ?? {}
  return {
    scanned: Number(row?.scanned),
    recovered: Number(row?.recovered),
    last: row?.last ?? null,
    one: eventId && recordedAt ? { eventId, recordedAt } : undefined,
  }
}

type RecoveredRow = {
  scanned: bigint
  recovered: bigint
  last: bigint | null
  event_id: string | null
  recorded_at: Date | null
}

export type HostName = { tenantId: string; host: string }

/** Locks the row, which is made if there is none. */
export async function lockPace(
  tx: Tx,
  { tenantId, host }: HostName,
  { now, forgetAt }: { now: Date; forgetAt: Date },
): Promise<RecoveryPaceRow> {
  return await tx
    .insertInto('recovery_paces')
    .values({ tenant_id: tenantId, host, next_at: now, forget_at: forgetAt })
    .onConflict((conflict) =>
      conflict
        .columns(['tenant_id', 'host'])
        .doUpdateSet({ forget_at: sql`greatest(recovery_paces.forget_at, excluded.forget_at)` }),
    )
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function updatePace(
  tx: Tx,
  { tenantId, host }: HostName,
  to: Partial<Omit<RecoveryPaceRow, 'tenant_id' | 'host'>>,
): Promise<void> {
  await tx
    .updateTable('recovery_paces')
    .set(to)
    .where('tenant_id', '=', tenantId)
    .where('host', '=', host)
    .execute()
}

/** How the delivery stands that was asked for last. `since`: an attempt of a webhook that ended before
 * has ended too. */
export async function selectAsked(
  tx: Tx,
  tenantId: string,
  asked: { webhookId: string; eventId: string; recordedAt: Date },
  since: Date,
): Promise<{ isDelivered: boolean; isUnderWay: boolean } | undefined> {
  return await tx
    .selectFrom('deliveries as d')
    .innerJoin('webhooks as w', (join) =>
      join.onRef('w.tenant_id', '=', 'd.tenant_id').onRef('w.webhook_id', '=', 'd.webhook_id'),
    )
    .innerJoin('lanes as l', (join) =>
      join.onRef('l.tenant_id', '=', 'd.tenant_id').onRef('l.webhook_id', '=', 'd.webhook_id'),
    )
    .select([
      sql<boolean>`d.state = 'delivered'`.as('isDelivered'),
      sql<boolean>`(d.retry_requested OR d.sequence = ANY (l.in_flight)) AND (w.state = 'active'
        OR coalesce(w.deleted_at, w.disabled_at) > ${since})`.as('isUnderWay'),
    ])
    .where('w.tenant_id', '=', tenantId)
    .where('l.tenant_id', '=', tenantId)
    .where('d.tenant_id', '=', tenantId)
    .where('d.webhook_id', '=', asked.webhookId)
    .where('d.event_id', '=', asked.eventId)
    .where('d.recorded_at', '=', asked.recordedAt)
    .executeTakeFirst()
}
