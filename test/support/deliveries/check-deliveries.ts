import { sql } from 'kysely'
import type { Db } from '../../../src/db/database.ts'
import { audit } from '../../../src/domain/audit/audit.ts'
import { signDelivery } from '../../../src/domain/webhooks/sign-delivery.ts'
import type { SeenAttempt } from '../servers/endpoint.ts'

/** What each webhook's endpoint has logged, by the webhook's id. */
export type EndpointLogs = Readonly<Record<string, readonly SeenAttempt[]>>

/**
 * Every violation of what holds once nothing is under way any more, whatever was killed on the way:
 * one delivery for each event and webhook that wants it, all of them ended, and nothing claimed that
 * the endpoints' own logs deny. Empty when all is well.
 */
export async function checkDeliveries(db: Db, logs: EndpointLogs): Promise<string[]> {
  const findings = await audit(db, { hasSimulation: false, invariants: ['I3', 'I5'] })
  const violations = findings.flatMap((finding) => finding.violations)
  return [
    ...violations.map(({ subject, detail }) => `${subject} ${detail}`),
    ...(await findUnended(db)),
    ...(await findStartsAfterTheEnd(db)),
    ...(await findUnconfirmed(db, logs)),
  ]
}

async function findUnended(db: Db): Promise<string[]> {
  const { rows } = await sql<{ event_id: string }>`
    SELECT event_id FROM deliveries WHERE state = 'pending' OR due_at IS NOT NULL
  `.execute(db)
  return rows.map((row) => `the delivery of ${row.event_id} has not ended`)
}

/** To the millisecond, as all clocks are one here. */
async function findStartsAfterTheEnd(db: Db): Promise<string[]> {
  const { rows } = await sql<{ webhook_id: string; event_id: string }>`
    SELECT a.webhook_id, a.event_id FROM delivery_attempts a
    JOIN webhooks w ON w.tenant_id = a.tenant_id AND w.webhook_id = a.webhook_id
    WHERE a.started_at > least(w.disabled_at, w.deleted_at)`.execute(db)
  return rows.map((row) => `${row.webhook_id} was sent ${row.event_id} after its end`)
}

/** A signing secret and the instant by which it was seen to be in force. */
export type InForce = { secret: string; since: Date }

/**
 * Attempts at a webhook that started when the secret which signed them had been replaced. `secrets`
 * in the order in which they replaced each other, the first from before all events.
 */
export async function findOldSignatures(
  db: Db,
  webhookId: string,
  log: readonly SeenAttempt[],
  secrets: readonly InForce[],
): Promise<string[]> {
  const attempts = await db
    .selectFrom('delivery_attempts')
    .select(['event_id', 'number', 'started_at'])
    .where('webhook_id', '=', webhookId)
    .execute()
  const startOf = new Map(attempts.map((row) => [`${row.event_id} ${row.number}`, row.started_at]))
  return log.flatMap(({ eventId, attempt, headers, rawBody }) => {
    const startedAt = startOf.get(`${eventId} ${attempt}`)
    if (startedAt === undefined) return [`attempt ${attempt} of ${eventId} is not recorded`]
    const timestamp = Number(headers['x-svc-webhook-timestamp'])
    const signer = secrets.findIndex(
      ({ secret }) =>
        signDelivery(secret, timestamp, rawBody) === headers['x-svc-webhook-signature'],
    )
    if (signer < 0) return [`attempt ${attempt} of ${eventId} has no valid signature`]
    const replacement = secrets[signer + 1]
    const isOld = replacement !== undefined && startedAt > replacement.since
    return isOld ? [`attempt ${attempt} of ${eventId} has the signature of before`] : []
  })
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
