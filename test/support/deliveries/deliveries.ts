import { createSealer } from '../../../src/core/sealing.ts'
import { type Db, inTransaction } from '../../../src/db/database.ts'
import { isDistributed } from '../../../src/db/distribution.ts'
import { appendEvents } from '../../../src/domain/events/append-event.ts'
import type { EventType } from '../../../src/domain/events/event-types.ts'
import {
  type ClaimedDelivery,
  claimDeliveries,
  type FinishedAttempt,
  leaseDeliveries,
  lockAndClaim,
  lockForDelivery,
} from '../../../src/domain/webhooks/deliveries/deliver.ts'
import { recordAttempts } from '../../../src/domain/webhooks/deliveries/record-attempts.ts'
import type {
  DeliveryOutcome,
  DeliveryRequest,
  WebhookSender,
} from '../../../src/domain/webhooks/webhook-sender.ts'
import { registerWebhook } from '../../../src/domain/webhooks/webhooks.ts'
import { testKey } from '../lending/onboarding.ts'

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

type Target = { tenantId: string; webhookId: string }

/** A claim in a transaction of its own. */
export function claimAt(
  db: Db,
  webhook: Target,
  claim: { limit: number; deadlineMs: number; now: Date },
): Promise<ClaimedDelivery[]> {
  return inTransaction(db, async (tx) => {
    const locked = [{ ...(await lockForDelivery(tx, webhook)), limit: claim.limit }]
    const terms = { ...claim, distributed: await isDistributed(tx) }
    const claimed = await claimDeliveries(tx, locked, terms, sealer)
    leaseDeliveries(tx, claimed)
    return claimed
  })
}

/** As claimAt, with the lock in the same message; claims nothing of a webhook that is locked. */
export function claimFreeAt(
  db: Db,
  webhook: Target,
  { limit, ...claim }: { limit: number; deadlineMs: number; now: Date },
): Promise<ClaimedDelivery[]> {
  return inTransaction(db, async (tx) => {
    const { claimed } = await lockAndClaim(tx, [{ ...webhook, limit }], claim, sealer)
    leaseDeliveries(tx, claimed)
    return claimed
  })
}

/** A record in a transaction of its own; retries come without jitter. */
export function recordAt(db: Db, webhook: Target, attempts: FinishedAttempt[], now: Date) {
  return inTransaction(db, async (tx) =>
    recordAttempts(tx, await lockForDelivery(tx, webhook), attempts, {
      random: () => 0,
      now,
      distributed: await isDistributed(tx),
    }),
  )
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
    .selectFrom('webhooks')
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
