import type { Logger } from 'pino'
import type { DecryptionError, Sealer } from '../../core/sealing.ts'
import { addMs, type Clock, MINUTE_MS, SECOND_MS } from '../../core/time.ts'
import { type Db, inTransaction } from '../../db/database.ts'
import { attempt, type FinishedAttempt } from '../../domain/deliveries/attempt.ts'
import {
  BEGIN_WITHIN_MS,
  type ClaimedDelivery,
  claim,
  leaseEnd,
  mayClaim,
} from '../../domain/deliveries/claim.ts'
import {
  CANCEL_BATCH,
  cancelPending,
  type LaneName,
  lockToDeliver,
} from '../../domain/deliveries/lane.ts'
import { record, recordLost } from '../../domain/deliveries/record.ts'
import type { WebhookSender } from '../../domain/webhooks/webhook-sender.ts'
import { createPlaces } from '../places.ts'
import {
  beginPortion,
  createHeld,
  endPortion,
  forgetFailures,
  type Held,
  pauseAfterFailure,
} from './held.ts'

export type LanesOptions = {
  db: Db
  sender: WebhookSender
  sealer: Sealer
  clock: Clock
  /** In [0, 1), for the schedule's jitter. */
  random: () => number
  /** How long an attempt may take. */
  deadlineMs: number
  /** Attempts at the same time in this process. */
  perWebhook: number
  perTenant: number
  logger: Logger
  /** Runs a lane later, by way of the queue: something may be left of it. */
  again: (lane: LaneName) => void
  onAttempt?: (attempt: FinishedAttempt) => void
  onUnknownKey?: (keyId: string) => void
}

export type Lanes = {
  /** Delivers what is due to one webhook, for a portion of time. `more`: something may be left, and others go
   * first. Attempts under way go on without this run, and the next one of this process claims beside them. */
  run(lane: LaneName): Promise<'done' | 'more'>
  /** For a place of its tenant in this process, and is run as soon as there is one. */
  waitsForPlace(lane: LaneName): boolean
  /** Begins nothing new; resolves once every attempt under way is recorded. */
  drain(): Promise<void>
}

/** A run lets its lane claim for so long. */
const PORTION_MS = 10 * SECOND_MS

/** Another process may have been asked to run a lane that waits for its endpoint: it looks for what is new. */
const FIRST_LOOK_MS = 50
const LAST_LOOK_MS = SECOND_MS

/** Attempts that have ended are recorded as soon as the database answers again, if their lease was not taken over. */
const GIVE_UP_MS = 5 * MINUTE_MS

export function createLanes(options: LanesOptions): Lanes {
  const { db, sender, sealer, clock, deadlineMs, perWebhook, random } = options
  const places = createPlaces<LaneName>({
    perTenant: options.perTenant,
    idOf: ({ webhookId }) => webhookId,
    // Not by way of the queue: until it came, the lane that frees the place would have taken it back.
    again(lane) {
      const held = lanes.get(lane.webhookId)
      if (held) beginPortion(held)
      else void runAgain(lane)
    },
  })
  const lanes = new Map<string, Held>()
  let isDraining = false

  /** Records what has ended and claims in the same transaction. `locked`: nothing was done. Undefined: the
   * lane is someone else's. */
  async function takeTurn(lane: LaneName, held: Held, room: number) {
    const { lease } = held
    const ended = [...held.ended]
    const lost = [...held.lost]
    const inFlight = [...held.underWay.keys(), ...held.stuck]
    const settled = [...ended.map(({ delivery }) => delivery), ...lost].map((one) => one.sequence)
    const turn = await inTransaction(db, async (tx) => {
      // After the wait for a connection.
      const askedAt = clock()
      const locked = await lockToDeliver(tx, lane)
      if (locked === 'locked') return locked
      if (!locked || !mayClaim(locked, lease, askedAt)) return undefined
      const recording = { lease, random, now: askedAt }
      const { recorded, lane: after } = await record(tx, locked, ended, recording)
      recordLost(tx, lane, lost)
      // One that this turn has disabled has cancelled a batch under the tenant's counter.
      const cancelled = locked.state === 'active' ? 0 : await cancelPending(tx, lane)
      const terms = { lease, inFlight, settled, room, failures: after.failures }
      const claimed = claim(tx, after, { ...terms, deadlineMs, askedAt }, sealer)
      return { askedAt, recorded, claimed, hasMore: cancelled === CANCEL_BATCH }
    })
    if (turn === 'locked') return turn
    // Attempts that have ended meanwhile are recorded by the next turn.
    held.ended.splice(0, ended.length)
    held.lost.splice(0, lost.length)
    const recorded = turn?.recorded ?? []
    for (const { attempt } of recorded) options.onAttempt?.(attempt)
    if (recorded.length < ended.length) {
      const attempts = ended.length - recorded.length
      options.logger.warn({ ...lane, attempts }, 'attempts have outlasted their lease')
    }
    if (!turn) return undefined
    const { askedAt, hasMore } = turn
    held.leasedUntil = leaseEnd({ askedAt, deadlineMs })
    held.lost.push(...turn.claimed.lost())
    const { unknownKey } = turn.claimed
    return { claimed: turn.claimed.deliveries(), unknownKey, hasMore, askedAt }
  }

  async function attemptOne(lane: LaneName, held: Held, delivery: ClaimedDelivery): Promise<void> {
    const { sequence, eventId } = delivery
    try {
      held.ended.push(await attempt(sender, delivery, clock))
    } catch (error) {
      held.stuck.push(sequence)
      options.logger.error({ ...lane, eventId, err: error }, 'delivery sender failed')
    }
    held.underWay.delete(sequence)
    places.free(lane, 1)
    held.signal.raise()
  }

  /** Claims, attempts side by side, and records and claims again as each attempt ends: until nothing is due, or
   * nothing is under way when it may not claim. `failed`: the database did not serve it, and the sweep tries later. */
  async function runLane(lane: LaneName, held: Held): Promise<'ended' | 'failed'> {
    let waitsForKey = false
    let lookMs = FIRST_LOOK_MS
    for (;;) {
      held.signal.reset()
      const now = clock()
      if (mustEndPortion(lane, held, now)) endPortion(held, now)
      const { portion } = held
      if (portion.restsUntil && now >= portion.restsUntil) portion.restsUntil = undefined
      const mayTake = portion.restsUntil === undefined
      if (mayTake) portion.until ??= addMs(now, PORTION_MS)
      const wanted = mayTake ? perWebhook - held.underWay.size - held.stuck.length : 0
      const room = places.take(lane, wanted)
      // Whoever frees a place runs it again.
      if (wanted > 0 && room === 0 && isEmpty(held)) return 'ended'
      const turn = await takeTurn(lane, held, room).catch((error: unknown) => {
        options.logger.error({ ...lane, err: error }, 'delivery lane failed a turn')
        return 'failed' as const
      })
      if (turn === 'failed' || turn === 'locked') {
        places.free(lane, room)
        if (!isHolding(held) && turn === 'failed') return 'failed'
        if (!isHolding(held) && !mayTake) return 'ended'
        await pauseAfterFailure(held)
        continue
      }
      forgetFailures(held)
      if (!turn) {
        places.free(lane, room)
        await Promise.all(held.underWay.values())
        return 'ended'
      }
      const { claimed, unknownKey, hasMore, askedAt } = turn
      if (unknownKey && !waitsForKey) tellUnknownKey(lane, unknownKey)
      if (room > 0) waitsForKey = unknownKey !== undefined

      // One that begins later could outlast the lease. It is due again with the next turn.
      const mayBegin = !isDraining && clock() <= addMs(askedAt, BEGIN_WITHIN_MS)
      const begun = mayBegin ? claimed : []
      places.free(lane, room - begun.length)
      for (const delivery of begun) {
        held.underWay.set(delivery.sequence, attemptOne(lane, held, delivery))
      }
      portion.hasClaimed ||= claimed.length > 0

      if (held.underWay.size > 0) {
        if (held.ended.length > 0) continue
        lookMs = begun.length > 0 ? FIRST_LOOK_MS : Math.min(2 * lookMs, LAST_LOOK_MS)
        const looks = mayTake && !waitsForKey && room > begun.length
        const turnMs = (portion.restsUntil ?? portion.until ?? now).getTime() - now.getTime()
        const waitMs = looks ? Math.min(lookMs, turnMs) : turnMs
        await held.signal.wait(isDraining ? undefined : waitMs)
      } else if (claimed.length === 0 && isEmpty(held)) {
        if (waitsForKey || !(held.signal.isRaised || (hasMore && mayTake))) return 'ended'
      }
    }
  }

  /** At the tenant's limit a lane that has claimed gives way to those that wait. */
  function mustEndPortion(lane: LaneName, { portion }: Held, now: Date) {
    const { until, hasClaimed } = portion
    return isDraining || (until && now >= until) || (hasClaimed && places.isContended(lane))
  }

  const isEmpty = ({ underWay, ended, lost }: Held) =>
    underWay.size + ended.length + lost.length === 0

  /** Attempts, or what came of them if that may still be recorded. */
  function isHolding({ underWay, ended, leasedUntil }: Held): boolean {
    return underWay.size > 0 || (ended.length > 0 && clock() < addMs(leasedUntil, GIVE_UP_MS))
  }

  function tellUnknownKey(lane: LaneName, { keyId, message }: DecryptionError): void {
    options.onUnknownKey?.(keyId)
    options.logger.error(
      { ...lane, keyId, reason: message },
      'deliveries wait for an encryption key: add it to ENCRYPTION_KEYS of every API and worker and restart them, or ask the tenant to create a new signing secret',
    )
  }

  /** A lane may have something left if it ends between two portions, or as a run comes. */
  async function holdLane(lane: LaneName, held: Held): Promise<void> {
    const end = await runLane(lane, held).catch((error: unknown) => {
      options.logger.error({ ...lane, err: error }, 'delivery lane failed')
      return 'failed'
    })
    lanes.delete(lane.webhookId)
    held.portion.outcome.resolve('done')
    if (end === 'failed') return
    if (held.signal.isRaised || held.portion.restsUntil) options.again(lane)
  }

  async function run(lane: LaneName): Promise<'done' | 'more'> {
    let held = lanes.get(lane.webhookId)
    if (!held && isDraining) return 'more'
    if (held) beginPortion(held)
    else {
      held = createHeld(clock())
      lanes.set(lane.webhookId, held)
      held.hasEnded = holdLane(lane, held)
    }
    return await held.portion.outcome.promise
  }

  async function runAgain(lane: LaneName): Promise<void> {
    if ((await run(lane)) === 'more') options.again(lane)
  }

  return {
    run,
    waitsForPlace: places.isWaiting,
    async drain() {
      isDraining = true
      for (const { signal } of lanes.values()) signal.raise()
      await Promise.all([...lanes.values()].map(({ hasEnded }) => hasEnded))
    },
  }
}
