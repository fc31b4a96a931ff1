import type { CursorCodec } from '../../core/cursor.ts'
import { Refusal } from '../../core/errors.ts'
import { isId, parseId } from '../../core/ids.ts'
import { listPage, mapPage, type Page, type PageRequest } from '../../core/page.ts'
import { SECOND_MS } from '../../core/time.ts'
import { type Db, type Tx, wakeAfterCommit } from '../../db/database.ts'
import type { DeliveryState } from '../../db/schema/events.ts'
import { inSnapshot } from '../../db/transactions/snapshot.ts'
import { getWebhook, unknownWebhook } from '../webhooks/webhooks.ts'
import {
  type AttemptRow,
  countRequestedAttempts,
  type DeliveryRow,
  requestRetry,
  selectAttempts,
  selectAttemptsBefore,
  selectDeliveries,
  selectDeliveriesOfEvent,
  selectDelivery,
} from './delivery-queries.ts'
import { isInProgress, type LaneName, lockLane } from './lane.ts'
import { dropFromFlight, lowerRetry } from './lane-queries.ts'

export type Delivery = {
  webhookId: string
  eventId: string
  eventType: string
  state: DeliveryState
  nextAttemptAt: Date | undefined
  /** The newest 20, newest first; `listAttempts` has them all. */
  attempts: DeliveryAttempt[]
}

export type DeliveryAttempt = {
  number: number
  startedAt: Date
  status: number | undefined
  error: string | undefined
  durationMs: number
  responseExcerpt: string
  requested: boolean
}

const ATTEMPTS_SHOWN = 20

/** Of all deliveries in an answer: as many as a page of attempts. Each has up to 1 KiB of what the
 * endpoint answered. */
const MOST_ATTEMPTS = 500

/** More than a tenant has webhooks: those that were deleted count. */
const MOST_OF_EVENT = 100

export const MAX_RETRIES = 100

export type DeliveryKey = LaneName & { eventId: string }

export async function listDeliveries(
  db: Db,
  { tenantId, webhookId }: Omit<DeliveryKey, 'eventId'>,
  request: PageRequest & { state?: DeliveryState | undefined },
  cursors: CursorCodec,
): Promise<Page<Delivery>> {
  await getWebhook(db, tenantId, webhookId)
  const context = `deliveries/${tenantId}/${webhookId}`
  return await inSnapshot(db, {}, async (tx) => {
    const page = await listPage(
      { request, cursors, context, parseKey: BigInt, fits: countFitting },
      (stretch) => selectDeliveries(tx, { tenantId, webhookId }, request.state, stretch),
      (row) => row.sequence,
    )
    return { ...page, items: await withAttempts(tx, tenantId, page.items) }
  })
}

/** With all their attempts that are shown. */
function countFitting(rows: readonly Pick<DeliveryRow, 'attempts'>[]): number {
  let shown = 0
  const end = rows.findIndex(({ attempts }) => {
    shown += Math.min(attempts, ATTEMPTS_SHOWN)
    return shown > MOST_ATTEMPTS
  })
  return end === -1 ? rows.length : end
}

/** To the newest webhooks that it was delivered to; with many of them, fewer attempts of each. */
export async function listDeliveriesOfEvent(
  db: Db,
  tenantId: string,
  eventId: string,
): Promise<Delivery[]> {
  const parsed = parseId('evt', eventId)
  if (!parsed) return []
  const event = { eventId, recordedAt: parsed.madeAt }
  const rows = await selectDeliveriesOfEvent(db, tenantId, event, MOST_OF_EVENT)
  const shown = Math.floor(MOST_ATTEMPTS / Math.max(rows.length, MOST_ATTEMPTS / ATTEMPTS_SHOWN))
  return await withAttempts(db, tenantId, rows, shown)
}

export async function listAttempts(
  db: Db,
  { tenantId, webhookId, eventId }: DeliveryKey,
  request: PageRequest,
  cursors: CursorCodec,
): Promise<Page<DeliveryAttempt>> {
  await getWebhook(db, tenantId, webhookId)
  const parsed = parseId('evt', eventId)
  const event = parsed && { eventId, recordedAt: parsed.madeAt }
  const row = event && (await selectDelivery(db, tenantId, webhookId, event))
  if (!row) throw unknownDelivery()
  const context = `attempts/${tenantId}/${webhookId}/${eventId}`
  const page = await listPage(
    { request, cursors, context, parseKey: Number },
    (stretch) => selectAttemptsBefore(db, tenantId, row, stretch),
    (attempt) => attempt.number,
  )
  return mapPage(page, toAttempt)
}

/** One more attempt now, in any state, without changing the schedule. Refuses `not_found`,
 * `webhook_disabled`, `delivery_in_progress` and, after a hundred, `limit_reached`. */
export async function retryDelivery(
  tx: Tx,
  { tenantId, webhookId, eventId }: DeliveryKey,
  now: Date,
): Promise<Delivery> {
  const lane = isId('whk', webhookId) && (await lockLane(tx, { tenantId, webhookId }))
  if (!lane || lane.state === 'deleted') throw unknownWebhook()
  const parsed = parseId('evt', eventId)
  const event = parsed && { eventId, recordedAt: parsed.madeAt }
  const row = event && (await selectDelivery(tx, tenantId, webhookId, event))
  if (!row) throw unknownDelivery()
  if (lane.state === 'disabled') {
    const detail =
      'The webhook is disabled. Register it again, and recover from this one to the new one.'
    throw new Refusal('webhook_disabled', detail)
  }
  if (isInProgress(lane, row.sequence, now)) {
    const detail = 'An attempt of this delivery is in progress.'
    // By then the attempt is recorded or the lease is over.
    const leftMs = (lane.leasedUntil ?? now).getTime() - now.getTime()
    const retryAfterSeconds = Math.ceil(leftMs / SECOND_MS)
    throw new Refusal('delivery_in_progress', detail, { retryAfterSeconds })
  }
  await assertRetriesLeft(tx, tenantId, row)
  if (lane.inFlight.includes(row.sequence)) {
    tx.send(dropFromFlight({ tenantId, webhookId, sequence: row.sequence }))
  }
  const dueAt = await requestRetry(tx, tenantId, row, now)
  tx.send(lowerRetry({ tenantId, webhookId, at: dueAt }))
  wakeAfterCommit(tx, { kind: 'deliveries', tenantId, webhookId })
  const [delivery] = await withAttempts(tx, tenantId, [row])
  if (!delivery) throw new Error(`delivery of ${eventId} vanished under its lock`)
  return delivery
}

async function assertRetriesLeft(tx: Tx, tenantId: string, row: DeliveryRow): Promise<void> {
  if (row.retry_requested) return
  if ((await countRequestedAttempts(tx, tenantId, row)) < MAX_RETRIES) return
  const detail = `A delivery can be retried ${MAX_RETRIES} times; replay the event instead.`
  throw new Refusal('limit_reached', detail)
}

const unknownDelivery = () =>
  new Refusal('not_found', 'There is no delivery of this event to this webhook.')

/** The newest so many of each. */
export async function withAttempts(
  db: Db,
  tenantId: string,
  rows: readonly DeliveryRow[],
  shown = ATTEMPTS_SHOWN,
): Promise<Delivery[]> {
  const attempts = rows.length === 0 ? [] : await selectAttempts(db, tenantId, rows, shown)
  const attemptsOf = Map.groupBy(attempts, (row) => `${row.webhook_id} ${row.event_id}`)
  return rows.map((row) => ({
    webhookId: row.webhook_id,
    eventId: row.event_id,
    eventType: row.event_type,
    state: row.state,
    nextAttemptAt: row.next_attempt_at ?? undefined,
    attempts: (attemptsOf.get(`${row.webhook_id} ${row.event_id}`) ?? []).map(toAttempt),
  }))
}

function toAttempt(row: AttemptRow): DeliveryAttempt {
  return {
    number: row.number,
    startedAt: row.started_at,
    status: row.status ?? undefined,
    error: row.error ?? undefined,
    durationMs: row.duration_ms,
    responseExcerpt: row.response_excerpt,
    requested: row.requested,
  }
}
