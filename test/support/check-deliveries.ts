import { sql } from 'kysely'
import type { Db } from '../../src/db/database.ts'
import { RETRY_DELAYS_MS } from '../../src/domain/webhooks/decide-outcome.ts'
import type { SeenAttempt } from './endpoint.ts'

/** What each webhook's endpoint has logged, by the webhook's id. */
export type EndpointLogs = Readonly<Record<string, readonly SeenAttempt[]>>

/**
 * Every violation of what holds once nothing is under way any more, whatever was killed on the way:
 * one delivery for each event and webhook that wants it, all of them ended, and nothing claimed that
 * the endpoints' own logs deny. Empty when all is well.
 */
export async function checkDeliveries(db: Db, logs: EndpointLogs): Promise<string[]> {
  const problems = await Promise.all([
    findMissingDeliveries(db),
    findUnended(db),
    findUnconfirmed(db, logs),
    findNumberGaps(db),
    findEarlyAttempts(db),
    findWrongCounters(db),
    findAttemptsAfterTheEnd(db),
  ])
  return problems.flat()
}

/** An active webhook has one delivery of each event of its types since its registration. */
async function findMissingDeliveries(db: Db): Promise<string[]> {
  const { rows } = await sql<{ webhook_id: string; event_id: string }>`
    SELECT w.webhook_id, e.event_id FROM events e
    JOIN webhooks w ON w.tenant_id = e.tenant_id AND w.state = 'active'
      AND e.sequence > w.registered_sequence
      AND (w.event_types = '{}' OR e.type = ANY (w.event_types))
    LEFT JOIN deliveries d ON d.tenant_id = e.tenant_id AND d.webhook_id = w.webhook_id
      AND d.event_id = e.event_id
    GROUP BY w.webhook_id, e.event_id HAVING count(d.event_id) <> 1`.execute(db)
  return rows.map((row) => `${row.event_id} has not one delivery to ${row.webhook_id}`)
}

async function findUnended(db: Db): Promise<string[]> {
  const { rows } = await sql<{ event_id: string }>`
    SELECT event_id FROM deliveries
    WHERE state = 'pending' OR due_at IS NOT NULL OR (lease IS NOT NULL AND state <> 'cancelled')
  `.execute(db)
  return rows.map((row) => `the delivery of ${row.event_id} has not ended`)
}

/** What endpoints got was an event; what is marked delivered has their 2xx; no number is made up. */
async function findUnconfirmed(db: Db, logs: EndpointLogs): Promise<string[]> {
  const rows = await db
    .selectFrom('deliveries')
    .select(['webhook_id', 'event_id', 'state', 'attempts'])
    .execute()
  const nameOf = (webhookId: string, eventId: string) => `${eventId} to ${webhookId}`
  const attemptsOf = new Map(
    rows.map((row) => [nameOf(row.webhook_id, row.event_id), row.attempts]),
  )
  const confirmed = new Set<string>()
  const problems: string[] = []
  for (const [webhookId, log] of Object.entries(logs)) {
    for (const { eventId, attempt, status = 0 } of log) {
      const name = nameOf(webhookId, eventId)
      if (status >= 200 && status <= 299) confirmed.add(name)
      const recorded = attemptsOf.get(name)
      if (recorded === undefined) problems.push(`${name} was posted and is no delivery`)
      else if (attempt > recorded) problems.push(`${name} was posted as ${attempt} of ${recorded}`)
    }
  }
  for (const row of rows) {
    const name = nameOf(row.webhook_id, row.event_id)
    if (row.state === 'delivered' && !confirmed.has(name)) {
      problems.push(`${name} is marked delivered and was not acknowledged`)
    }
  }
  return problems
}

async function findNumberGaps(db: Db): Promise<string[]> {
  const { rows } = await sql<{ event_id: string; attempts: number; numbers: number[] }>`
    SELECT d.event_id, d.attempts, array_agg(a.number ORDER BY a.number) AS numbers
    FROM deliveries d JOIN delivery_attempts a ON a.tenant_id = d.tenant_id
      AND a.webhook_id = d.webhook_id AND a.event_id = d.event_id
    GROUP BY d.webhook_id, d.event_id, d.attempts
    HAVING array_agg(a.number ORDER BY a.number)
      <> (SELECT array_agg(n) FROM generate_series(1, d.attempts) n)`.execute(db)
  return rows.map((row) => `${row.event_id} has ${row.attempts} attempts, numbered ${row.numbers}`)
}

/** An attempt of the schedule starts at least the schedule's pause after the one before it. */
async function findEarlyAttempts(db: Db): Promise<string[]> {
  const { rows } = await sql<{ event_id: string; number: number }>`
    WITH scheduled AS (
      SELECT webhook_id, event_id, number, started_at,
        row_number() OVER (PARTITION BY webhook_id, event_id ORDER BY number) AS nth
      FROM delivery_attempts WHERE NOT requested
    )
    SELECT later.event_id, later.number FROM scheduled earlier
    JOIN scheduled later ON later.webhook_id = earlier.webhook_id
      AND later.event_id = earlier.event_id AND later.nth = earlier.nth + 1
    WHERE later.started_at < earlier.started_at
      + (${[...RETRY_DELAYS_MS]}::bigint[])[earlier.nth] * interval '1 millisecond'`.execute(db)
  return rows.map((row) => `attempt ${row.number} of ${row.event_id} came before its time`)
}

/** The counter is the failed attempts recorded since the last 2xx, at most 100. */
async function findWrongCounters(db: Db): Promise<string[]> {
  const { rows } = await sql<{ webhook_id: string; counted: number; failed: number }>`
    SELECT w.webhook_id, w.consecutive_failed_attempts AS counted, least(100, count(*) FILTER (
      WHERE a.ended_at > coalesce(
        (SELECT max(s.started_at + s.duration_ms * interval '1 millisecond')
         FROM delivery_attempts s
         WHERE s.webhook_id = w.webhook_id AND s.status BETWEEN 200 AND 299), '-infinity')
    ))::int AS failed
    FROM webhooks w LEFT JOIN LATERAL (
      SELECT started_at + duration_ms * interval '1 millisecond' AS ended_at
      FROM delivery_attempts
      WHERE webhook_id = w.webhook_id AND (status IS NULL OR status NOT BETWEEN 200 AND 299)
    ) a ON true
    GROUP BY w.webhook_id, w.consecutive_failed_attempts`.execute(db)
  return rows
    .filter((row) => row.counted !== row.failed)
    .map((row) => `${row.webhook_id} counts ${row.counted} failures and had ${row.failed}`)
}

async function findAttemptsAfterTheEnd(db: Db): Promise<string[]> {
  const { rows } = await sql<{ webhook_id: string; event_id: string }>`
    SELECT a.webhook_id, a.event_id FROM delivery_attempts a
    JOIN webhooks w ON w.tenant_id = a.tenant_id AND w.webhook_id = a.webhook_id
    WHERE a.started_at > least(w.disabled_at, w.deleted_at)`.execute(db)
  return rows.map((row) => `${row.webhook_id} was sent ${row.event_id} after its end`)
}
