import { Refusal } from '../../core/errors.ts'
import { firstIdAt, isId } from '../../core/ids.ts'
import { addMs, type Clock, MINUTE_MS } from '../../core/time.ts'
import { type Db, inTransaction, type Tx, wakeAfterCommit } from '../../db/database.ts'
import type { WebhookRecoveryRow } from '../../db/schema/events.ts'
import { selectWebhook } from '../webhooks/queries.ts'
import { unknownWebhook } from '../webhooks/webhooks.ts'
import { requestWork, type WorkResult } from '../work/work.ts'
import { RETRY_DELAYS_MS } from './decide-outcome.ts'
import { MAX_RETRIES } from './deliveries.ts'
import { type LockedLane, lockLane } from './lane.ts'
import { lowerRetry } from './lane-queries.ts'
import { notePaced, takePace } from './recovery-pace.ts'
import {
  countMissed,
  countWaiting,
  deleteRecovery,
  insertRecovery,
  lockRecovery,
  lowerRecovered,
  moveRecovery,
  type Recovered,
  recoverNext,
  selectSequencesSince,
} from './recovery-queries.ts'

/** The subject is the webhook. */
export const RECOVER_WEBHOOK = 'recover-webhook' as const

export type RecoveryRequest = {
  tenantId: string
  webhookId: string
  since: Date
  /** The webhook that missed the events; undefined: this one. */
  fromWebhookId: string | undefined
}

export type Recovery = {
  /** Counted up to `COUNTED`. */
  deliveries: number
}

const COUNTED = 10_000

/** Deliveries read in one step; all of them may be made due. */
const STEP = 50

/** No step while so many are due: a new event waits behind few recovered ones, and with one step more they
 * are too few to disable the webhook if its endpoint begins to refuse. */
const MOST_WAITING = 50

const PAUSE_MS = 100

/** A recovery asks for no more attempts than retries can. */
const MAX_ATTEMPTS = RETRY_DELAYS_MS.length + 1 + MAX_RETRIES

const PHASE_AFTER = {
  dead_lettered: 'cancelled',
  cancelled: 'pending',
  pending: undefined,
  log: undefined,
} as const satisfies Record<WebhookRecoveryRow['phase'], WebhookRecoveryRow['phase'] | undefined>

/** Every delivery since then that failed or was cancelled is made once more by the worker, or what
 * another webhook missed is delivered to this one. Refuses `validation_failed`, `not_found`,
 * `webhook_disabled` and `recovery_in_progress`. */
export async function requestRecovery(
  tx: Tx,
  request: RecoveryRequest,
  now: Date,
): Promise<Recovery> {
  const { tenantId, webhookId, fromWebhookId, since } = request
  assertRequest(request, now)
  const lane = isId('whk', webhookId) && (await lockLane(tx, { tenantId, webhookId }))
  if (!lane || lane.state === 'deleted') throw unknownWebhook()
  if (lane.state === 'disabled') {
    const detail = 'The webhook is disabled. Register another one and recover from this one to it.'
    throw new Refusal('webhook_disabled', detail)
  }
  const from =
    fromWebhookId === undefined ? undefined : await selectWebhook(tx, tenantId, fromWebhookId)
  if (fromWebhookId !== undefined && !from) throw unknownWebhook()
  const heir = await selectWebhook(tx, tenantId, webhookId)
  if (!heir) throw unknownWebhook()

  const earlierId = firstIdAt('evt', addMs(since, -MINUTE_MS))
  const { before, last } = await selectSequencesSince(tx, tenantId, { earlierId, since })
  const row: WebhookRecoveryRow = {
    tenant_id: tenantId,
    webhook_id: webhookId,
    from_webhook_id: fromWebhookId ?? null,
    since,
    phase: from ? 'log' : 'dead_lettered',
    first_sequence: before,
    after_sequence: before,
    // Later events are its own.
    until_sequence: from ? heir.registered_sequence : last,
    requested_at: now,
  }
  if (!(await insertRecovery(tx, row))) throw inProgress()
  if (from) await lowerRecovered(tx, { tenantId, webhookId }, before)
  await requestWork(tx, { tenantId, topic: RECOVER_WEBHOOK, subjectId: webhookId }, now)
  return { deliveries: await countAll(tx, row, lane, now) }
}

function assertRequest({ webhookId, fromWebhookId, since }: RecoveryRequest, now: Date): void {
  if (since > now) throw invalid('/since', 'Expected an instant that is not in the future.')
  if (fromWebhookId === webhookId) {
    throw invalid('/from_webhook_id', 'Expected another webhook. Leave it out for this one.')
  }
}

function invalid(pointer: string, detail: string): Refusal {
  return new Refusal('validation_failed', 'The request is not valid; see errors.', {
    errors: [{ pointer, code: 'not_allowed', detail }],
  })
}

function inProgress(): Refusal {
  return new Refusal('recovery_in_progress', 'A recovery of this webhook is in progress.', {
    retryAfterSeconds: 5,
  })
}

async function countAll(
  tx: Tx,
  row: WebhookRecoveryRow,
  { inFlight }: LockedLane,
  now: Date,
): Promise<number> {
  let counted = 0
  let phase: WebhookRecoveryRow['phase'] | undefined = row.phase
  while (phase !== undefined && counted < COUNTED) {
    const terms = { now, limit: COUNTED - counted, isPaced: false, inFlight }
    counted += await countMissed(tx, stretchOf({ ...row, phase }, terms))
    phase = PHASE_AFTER[phase]
  }
  return counted
}

type Terms = { now: Date; limit: number; isPaced: boolean; inFlight: readonly bigint[] }

const stretchOf = (row: WebhookRecoveryRow, terms: Terms) => ({
  ...row,
  ...terms,
  maxAttempts: MAX_ATTEMPTS,
})

/** One step, which a process that dies repeats. Ends with a webhook that is no longer active. */
export async function continueRecovery(
  { db, clock }: { db: Db; clock: Clock },
  tenantId: string,
  webhookId: string,
): Promise<WorkResult> {
  const name = { tenantId, webhookId }
  return await inTransaction(db, async (tx) => {
    const lane = await lockLane(tx, name)
    const recovery = await lockRecovery(tx, name)
    if (!recovery) return { done: true }
    const now = clock()
    if (lane?.state !== 'active') {
      await deleteRecovery(tx, name)
      return { done: true }
    }
    if ((await countWaiting(tx, name, { now, limit: MOST_WAITING })) === MOST_WAITING) {
      return { done: false, retryAt: addMs(now, PAUSE_MS) }
    }
    const host = { tenantId, host: new URL(lane.url).hostname.replace(/\.$/, '') }
    const witness = { requestedAt: recovery.requested_at, failures: lane.failures }
    const pace = await takePace(tx, host, witness, now)
    if (pace.allows === 'none') return { done: false, retryAt: pace.until }
    const isPaced = pace.allows === 'one'
    const { inFlight } = lane
    const { result, one } = await takeStep(tx, recovery, { now, limit: STEP, isPaced, inFlight })
    if (isPaced && one) await notePaced(tx, host, webhookId, one)
    return result
  })
}

async function takeStep(
  tx: Tx,
  row: WebhookRecoveryRow,
  terms: Terms,
): Promise<{ result: WorkResult; one: Recovered['one'] }> {
  const { tenant_id: tenantId, webhook_id: webhookId, phase } = row
  const { now, isPaced } = terms
  const { scanned, recovered, last, one } = await recoverNext(tx, stretchOf(row, terms))
  if (recovered > 0) {
    tx.send(lowerRetry({ tenantId, webhookId, at: now }))
    wakeAfterCommit(tx, { kind: 'deliveries', tenantId, webhookId })
  }
  // A paced step that has found one has looked no further.
  const isOver = scanned < STEP && !(isPaced && one)
  const nextPhase = isOver ? PHASE_AFTER[phase] : phase
  if (nextPhase === undefined) {
    await deleteRecovery(tx, { tenantId, webhookId })
    return { result: { done: true }, one }
  }
  const after = isOver ? row.first_sequence : (last ?? row.after_sequence)
  await moveRecovery(tx, { tenantId, webhookId }, { phase: nextPhase, after_sequence: after })
  return { result: { done: false, retryAt: now }, one }
}
