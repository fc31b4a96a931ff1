import { createHmac } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '../../../src/db/database.ts'
import type { Received, Receivers } from '../actors/receivers.ts'
import type { Tenant } from '../actors/tenant.ts'
import { exchangesOf, isSuccess } from './replays.ts'
import type { SentLog } from './sent-log.ts'

/** I3 by the receivers' own log: what they got, what they acknowledged, and who had signed it. */
export async function checkReceivers(
  db: Db,
  receivers: Pick<Receivers, 'received' | 'strays'>,
  tenants: readonly Tenant[],
  log: Pick<SentLog, 'read'>,
): Promise<string[]> {
  const shown = secretsOf(log)
  const webhooks = await db
    .selectFrom('webhooks')
    .select(['tenant_id', 'webhook_id', 'url', 'state'])
    .execute()
  const webhookAt = new Map(webhooks.map((row) => [new URL(row.url).pathname, row]))
  const deliveries = await db
    .selectFrom('deliveries as d')
    .innerJoin('events as e', (join) =>
      join
        .onRef('e.tenant_id', '=', 'd.tenant_id')
        .onRef('e.event_id', '=', 'd.event_id')
        .onRef('e.recorded_at', '=', 'd.recorded_at'),
    )
    .select(['d.webhook_id', 'd.event_id', 'd.state', 'd.attempts', 'e.body'])
    .execute()
  const deliveryOf = new Map(deliveries.map((row) => [`${row.webhook_id} ${row.event_id}`, row]))
  const acknowledged = new Set<string>()
  const problems: string[] = []
  for (const received of receivers.received) {
    const webhook = webhookAt.get(received.path)
    const name = `${webhook?.webhook_id} ${received.eventId}`
    const delivery = deliveryOf.get(name)
    if (received.acknowledged) acknowledged.add(name)
    const tenant = tenants.find(({ id }) => id === webhook?.tenant_id)
    if (!webhook || !delivery || !tenant) {
      problems.push(`${received.eventId} was posted to ${received.path} and is no delivery`)
      continue
    }
    if (received.body !== delivery.body) problems.push(`${name} was posted with another body`)
    // An attempt of a dead worker counts as not made, and is not repeated for an ended webhook.
    const most = delivery.attempts + (webhook.state === 'active' ? 0 : 1)
    if (received.attempt > most)
      problems.push(`${name} was posted as ${received.attempt} of ${most}`)
    problems.push(...checkSignature(tenant, received, shown.get(tenant.id)))
    // Stamps are whole seconds, rounded down: never later than the start.
    const deletedAt = tenant.deletions.get(delivery.webhook_id)
    if (deletedAt !== undefined && received.timestamp * 1_000 > deletedAt) {
      problems.push(`${name} was begun after the deletion was acknowledged`)
    }
  }
  for (const [name, { state }] of deliveryOf) {
    if (state !== 'delivered' || acknowledged.has(name)) continue
    problems.push(`${name} is marked delivered and was never acknowledged`)
  }
  problems.push(...(await findLongExcerpts(db)))
  if (receivers.strays() > 0) problems.push(`a redirect was followed ${receivers.strays()} times`)
  return problems
}

/** Of an answer 1 KiB is kept, however much of it there was. */
async function findLongExcerpts(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom('delivery_attempts')
    .select('event_id')
    .where(sql<boolean>`octet_length(response_excerpt) > 1024`)
    .execute()
  return rows.map((row) => `of an answer to ${row.event_id} more than 1 KiB is kept`)
}

/** What the log holds of a tenant's secrets, beyond those that its actor was answered. */
type ShownSecrets = { known: string[]; hasLost: boolean }

const SECRETS = '/v1/webhooks/secrets'

/**
 * All secrets that any answer held, by tenant; and whether one was made that none returned: repeated
 * at rest, its request was refused because the secret had been replaced since.
 */
function secretsOf(log: Pick<SentLog, 'read'>): Map<string, ShownSecrets> {
  const shown = new Map<string, ShownSecrets>()
  for (const { tenantId, sent, answered } of exchangesOf(log)) {
    if (sent[0]?.target !== SECRETS) continue
    const { known, hasLost } = shown.get(tenantId) ?? { known: [], hasLost: false }
    const success = answered.find(isSuccess)
    const isLost = !success && answered.some(({ body }) => body.includes('secret_not_retrievable'))
    shown.set(tenantId, {
      known: success ? [...known, JSON.parse(success.body).secret] : known,
      hasLost: hasLost || isLost,
    })
  }
  return shown
}

/** Signed under a secret of the tenant that was not replaced when the attempt began. */
function checkSignature(
  { name, secrets }: Tenant,
  received: Received,
  shown: ShownSecrets | undefined,
): string[] {
  const { timestamp, body, signature, eventId } = received
  const [first] = secrets
  if (signature === undefined) {
    const isLate = first && timestamp * 1_000 > first.at
    return isLate ? [`${eventId} came unsigned to ${name}, which has a secret`] : []
  }
  const isBy = (secret: string) => {
    const mac = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')
    return signature === `sha256=${mac}`
  }
  const index = secrets.findLastIndex(({ secret }) => isBy(secret))
  if (index === -1) {
    const isExplained = shown?.known.some(isBy) || shown?.hasLost
    return isExplained ? [] : [`${eventId} came to ${name} signed by no secret of its`]
  }
  const next = secrets[index + 1]
  const isOld = next !== undefined && timestamp * 1_000 > next.at
  return isOld ? [`${eventId} came to ${name} signed by a secret that was replaced before`] : []
}
