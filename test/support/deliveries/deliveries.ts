import { randomUUID } from 'node:crypto'
import { createSealer } from '../../../src/core/sealing.ts'
import { type Db, inTransaction } from '../../../src/db/database.ts'
import type { FinishedAttempt } from '../../../src/domain/deliveries/attempt.ts'
import { type ClaimedDelivery, claim, mayClaim } from '../../../src/domain/deliveries/claim.ts'
import { type LaneName, lockToDeliver } from '../../../src/domain/deliveries/lane.ts'
import { record } from '../../../src/domain/deliveries/record.ts'
import { appendEvents } from '../../../src/domain/events/append/append.ts'
import type { EventType } from '../../../src/domain/events/catalogue/event-types.ts'
import type {
  DeliveryOutcome,
  DeliveryRequest,
  WebhookSender,
} from '../../../src/domain/webhooks/webhook-sender.ts'
import { registerWebhook } from '../../../src/domain/webhooks/webhooks.ts'
import { testKey } from '../stores/sealer.ts'

export const sealer = createSealer([testKey('test')])

export async function addWebhook(
  db: Db,
  tenantId: string,
  rest: { url?: string; label?: string; eventTypes?: EventType[] } = {},
): Promise<string> {
  const { url = 'https://example.com/hook', eventTypes = [], label } = rest
  const registration = { url, eventTypes, label }
  const options = { maxWebhooks: 1_000, now: new Date() }
  return await inTransaction(db, (tx) => registerWebhook(tx, tenantId, registration, options))
}

/** Writes `count` events, each of a resource of its own. */
export async function addEvents(db: Db, tenantId: string, count: number): Promise<void> {
  const events = Array.from({ length: count }, (_, index) => eligible(`bor_${index}`))
  await inTransaction(db, (tx) => appendEvents(tx, tenantId, events))
}

export function eligible(borrowerId: string) {
  return {
    type: 'borrower.eligible' as const,
    resource: { type: 'borrower' as const, id: borrowerId },
    occurredAt: new Date('2026-11-20T10:00:00.000Z'),
    data: { borrower_id: borrowerId },
  }
}

export const answered = (status: number): DeliveryOutcome => ({
  succeeded: status >= 200 && status <= 299,
  status,
  error: undefined,
  bodyExcerpt: '',
  durationMs: 1,
})

/** A claim with the lease of its worker. */
export type LeasedDelivery = ClaimedDelivery & { lease: string }

export type LeasedAttempt = FinishedAttempt & { delivery: LeasedDelivery }

/** Claims in a transaction of its own, as another worker or, with its lease, as one that has claimed before. */
export async function claimAt(
  db: Db,
  webhook: LaneName,
  terms: { limit: number; deadlineMs: number; now: Date; lease?: string },
): Promise<LeasedDelivery[]> {
  const { limit: room, deadlineMs, now: askedAt, lease = randomUUID() } = terms
  const claimed = await inTransaction(db, async (tx) => {
    const lane = await lockToDeliver(tx, webhook)
    if (!lane || lane === 'locked' || !mayClaim(lane, lease, askedAt)) return undefined
    const inFlight = lane.lease === lease ? lane.inFlight : []
    const { failures } = lane
    return claim(
      tx,
      lane,
      { lease, inFlight, settled: [], room, failures, deadlineMs, askedAt },
      sealer,
    )
  })
  return (claimed?.deliveries() ?? []).map((delivery) => ({ ...delivery, lease }))
}

/** Records in a transaction of its own, as the worker of the first; retries come without jitter. */
export async function recordAt(
  db: Db,
  webhook: LaneName,
  attempts: readonly LeasedAttempt[],
  now: Date,
): Promise<{ recorded: number; disabled: boolean }> {
  const lease = attempts[0]?.delivery.lease ?? randomUUID()
  return await inTransaction(db, async (tx) => {
    const lane = await lockToDeliver(tx, webhook)
    if (!lane || lane === 'locked' || lane.lease !== lease) return { recorded: 0, disabled: false }
    const ended = await record(tx, lane, attempts, { lease, random: () => 0, now })
    const settled = ended.recorded.map(({ attempt }) => attempt.delivery.sequence)
    const inFlight = lane.inFlight.filter((sequence) => !settled.includes(sequence))
    const { failures, state } = ended.lane
    const terms = { lease, inFlight, settled, room: 0, failures, deadlineMs: 15_000, askedAt: now }
    claim(tx, ended.lane, terms, sealer)
    return { recorded: settled.length, disabled: state !== lane.state }
  })
}

export type HeldAttempt = DeliveryRequest & { answer(status: number): void }

/** A sender that keeps its attempts in flight until the test answers them. */
export function createHeldSender() {
  const held: HeldAttempt[] = []
  const begun: DeliveryRequest[] = []
  const sender: WebhookSender = {
    send: (request) =>
      new Promise((resolve) => {
        begun.push(request)
        const attempt: HeldAttempt = {
          ...request,
          answer(status) {
            held.splice(held.indexOf(attempt), 1)
            resolve(answered(status))
          },
        }
        held.push(attempt)
      }),
    close: async () => undefined,
  }
  return { sender, held, begun }
}

export async function readDeliveries(db: Db, webhookId: string) {
  return await db
    .selectFrom('deliveries')
    .selectAll()
    .where('webhook_id', '=', webhookId)
    .orderBy('sequence')
    .execute()
}

export async function readWebhook(db: Db, webhookId: string) {
  return await db
    .selectFrom('webhooks as w')
    .innerJoin('lanes as l', (join) =>
      join.onRef('l.tenant_id', '=', 'w.tenant_id').onRef('l.webhook_id', '=', 'w.webhook_id'),
    )
    .select(['w.state', 'w.url', 'w.disabled_at', 'w.deleted_at', 'l.failures'])
    .where('w.webhook_id', '=', webhookId)
    .executeTakeFirstOrThrow()
}

export async function readLane(db: Db, webhookId: string) {
  return await db
    .selectFrom('lanes')
    .selectAll()
    .where('webhook_id', '=', webhookId)
    .executeTakeFirstOrThrow()
}

/** Leaves a tenant's secret, and the replays of its creation, under an unknown key: `lost_key`. */
export async function sealUnderLostKey(db: Db, tenantId: string): Promise<void> {
  const lost = createSealer([testKey('lost_key')]).seal('text', 'anywhere')
  await db
    .updateTable('signing_secrets')
    .set({ sealed: lost })
    .where('tenant_id', '=', tenantId)
    .execute()
  await db
    .updateTable('idempotency_records')
    .set({ body: lost })
    .where('tenant_id', '=', tenantId)
    .where('secret_id', 'is not', null)
    .execute()
}
