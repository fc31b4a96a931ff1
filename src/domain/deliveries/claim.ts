import { DecryptionError, type Sealer } from '../../core/sealing.ts'
import { addMs, MINUTE_MS, SECOND_MS } from '../../core/time.ts'
import type { Tx } from '../../db/database.ts'
import type { DeliveryState } from '../../db/schema/events.ts'
import type { Sent } from '../../db/transactions/transaction.ts'
import { openSecret } from '../webhooks/signing-secret.ts'
import { type ClaimedRow, claimDue, holdLane, makeDueAgain } from './claim-queries.ts'
import type { LaneName, LockedLane } from './lane.ts'

/** A delivery that is leased, with all that its attempt needs. */
export type ClaimedDelivery = LaneName & {
  eventId: string
  eventType: string
  recordedAt: Date
  sequence: bigint
  /** Read before the lane is locked: earlier than any deletion or disabling that the claim does not see. */
  claimedAt: Date
  url: string
  body: Buffer
  secret: string | undefined
  traceparent: string | undefined
  /** The number of the attempt, from 1. */
  attempt: number
  failures: number
  state: DeliveryState
  /** When the schedule wants it; undefined: no more. */
  nextAttemptAt: Date | undefined
  requested: boolean
  /** Its state stands in `listed_as`, by which the lists of waiting and failed deliveries find it. */
  isListed: boolean
}

/** An attempt begins within this time of the claim, or not at all. */
export const BEGIN_WITHIN_MS = 2 * SECOND_MS

/** After the latest attempt's deadline. */
const RECORD_WITHIN_MS = SECOND_MS

/** A lane waits so long for an encryption key, if no process that has it comes and the secret is not replaced. */
const KEY_PAUSE_MS = MINUTE_MS

export type Claim = {
  lease: string
  /** Numbers that the holder attempts, or has attempted and not recorded. */
  inFlight: readonly bigint[]
  /** Numbers that this transaction has recorded. */
  settled: readonly bigint[]
  /** Attempts that may begin; 0: the claim extends the lease alone, or frees the lane. */
  room: number
  /** In a row, with those that this transaction records. */
  failures: number
  deadlineMs: number
  /** Before the transaction began. */
  askedAt: Date
}

export const leaseEnd = ({ askedAt, deadlineMs }: Pick<Claim, 'askedAt' | 'deadlineMs'>): Date =>
  addMs(askedAt, BEGIN_WITHIN_MS + deadlineMs + RECORD_WITHIN_MS)

/** True where nobody else holds the lane. One who holds it with nothing in flight only waits for the key
 * of a secret, which this process may have. */
export function mayClaim(lane: LockedLane, mine: string, now: Date): boolean {
  return lane.lease === mine || lane.inFlight.length === 0 || !isLeased(lane, now)
}

const isLeased = ({ lease, leasedUntil }: LockedLane, now: Date): boolean =>
  lease !== null && leasedUntil !== null && leasedUntil > now

export type LostDelivery = { eventId: string; recordedAt: Date; sequence: bigint }

/** Its lists are filled once the transaction has committed: attempts must begin after that. */
export type Claimed = {
  deliveries: () => ClaimedDelivery[]
  /** Deliveries whose events are no longer retained. Cancel them before the next claim. */
  lost: () => LostDelivery[]
  unknownKey: DecryptionError | undefined
}

/** Claims what is due on a lane that `mayClaim`. What was claimed before, and is in the hands of no one,
 * is due again. A secret that no key opens holds the lane for a minute. */
export function claim(tx: Tx, lane: LockedLane, terms: Claim, sealer: Sealer): Claimed {
  const { tenantId, webhookId } = lane
  const { lease, inFlight, failures, askedAt: now } = terms
  const room = lane.state === 'active' ? terms.room : 0
  const known = new Set([...inFlight, ...terms.settled])
  const orphans = lane.inFlight.filter((sequence) => !known.has(sequence))
  if (orphans.length > 0) tx.send(makeDueAgain({ tenantId, webhookId, sequences: orphans, now }))
  const names = { tenantId, webhookId, lease, inFlight, failures }
  const secret = room > 0 ? open(lane, sealer) : undefined
  if (secret instanceof DecryptionError) {
    // It has been said, and is said again when the minute is over.
    const isKnown = lane.lease !== lease && isLeased(lane, now)
    if (isKnown) return { deliveries: () => [], lost: () => [], unknownKey: undefined }
    const until = inFlight.length > 0 ? leaseEnd(terms) : addMs(now, KEY_PAUSE_MS)
    tx.send(holdLane({ ...names, leasedUntil: until }))
    return { deliveries: () => [], lost: () => [], unknownKey: secret }
  }
  const sent: Sent<ClaimedRow> = tx.send(
    claimDue({ ...names, room, now, leasedUntil: leaseEnd(terms) }),
  )
  return {
    deliveries: () =>
      sent.rows.flatMap((row) => toClaimed(lane, row, { secret, claimedAt: now }) ?? []),
    lost: () => sent.rows.flatMap((row) => toLost(row) ?? []),
    unknownKey: undefined,
  }
}

function toLost({ body, event_id, recorded_at, sequence }: ClaimedRow): LostDelivery | undefined {
  return body === null ? { eventId: event_id, recordedAt: recorded_at, sequence } : undefined
}

function open({ tenantId, sealed }: LockedLane, sealer: Sealer) {
  if (sealed === null) return undefined
  try {
    return openSecret(sealed, tenantId, sealer)
  } catch (error) {
    if (error instanceof DecryptionError) return error
    throw error
  }
}

function toClaimed(
  { tenantId, webhookId, url }: LockedLane,
  row: ClaimedRow,
  { secret, claimedAt }: Pick<ClaimedDelivery, 'secret' | 'claimedAt'>,
): ClaimedDelivery | undefined {
  if (row.body === null) return undefined
  // An ordinary delivery has no schedule of its own yet: it is due since its event was recorded.
  const first = row.state === 'pending' ? row.recorded_at : undefined
  return {
    tenantId,
    webhookId,
    url,
    secret,
    claimedAt,
    eventId: row.event_id,
    eventType: row.event_type,
    recordedAt: row.recorded_at,
    sequence: row.sequence,
    body: Buffer.from(row.body),
    traceparent: row.traceparent ?? undefined,
    attempt: row.attempts + 1,
    failures: row.failures,
    state: row.state,
    nextAttemptAt: row.next_attempt_at ?? first,
    requested: row.retry_requested,
    isListed: row.listed_as !== null,
  }
}
