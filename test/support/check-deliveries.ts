import { sql } from 'kysely'
import type { Db } from '../../src/db/database.ts'
import { audit } from '../../src/domain/audit/audit.ts'
import type { SeenAttempt } from './endpoint.ts'

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
    ...(await findUnconfirmed(db, logs)),
  ]
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
