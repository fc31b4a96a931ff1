import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { DecryptionError, Sealer } from '../../core/sealing.ts'
import { addMs, type Clock, MINUTE_MS, SECOND_MS } from '../../core/time.ts'
import { type Db, inTransaction } from '../../db/database.ts'
import { attempt, type FinishedAttempt } from '../../domain/deliveries/attempt.ts'
import {
  BEGIN_WITHIN_MS,
  type ClaimedDelivery,
  claim,
  type LostDelivery,
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
  /** Runs a lane later: at its tenant's limit it has ended with something due. */
  again: (lane: LaneName) => void
  onAttempt?: (attempt: FinishedAttempt) => void
  onUnknownKey?: (keyId: string) => void
}

export type Lanes = {
  /** Delivers what is due to one webhook. `more`: something may be left, and others have their turn. A lane that
   * is running takes another look, for all its callers. */
  run(lane: LaneName): Promise<'done' | 'more'>
  /** Begins nothing new; resolves once every attempt in flight is recorded. */
  drain(): Promise<void>
}

/** A run claims no more once an attempt could end after this. */
const PORTION_MS = 25 * SECOND_MS

/** Another process may have been asked to run a lane that waits for its endpoint: it looks for what is new. */
const FIRST_LOOK_MS = 50
const LAST_LOOK_MS = SECOND_MS

const FIRST_PAUSE_MS = 20
const LAST_PAUSE_MS = 5 * SECOND_MS
const LAST_RECORD_PAUSE_MS = 500

/** Attempts that have ended are recorded as soon as the database answers again, if their lease was not taken over. */
const GIVE_UP_MS = 5 * MINUTE_MS

/** All that a run has claimed and not recorded. */
type Held = {
  lease: string
  until: Date
  /** Their keys are numbers. They do not reject. */
  running: Map<bigint, Promise<void>>
  ended: FinishedAttempt[]
  lost: LostDelivery[]
  /** Numbers whose attempts failed by a mistake of the sender: they are left to the lease's end. */
  stuck: bigint[]
}

const createHeld = (now: Date): Held => ({
  ...{ lease: randomUUID(), until: now, running: new Map() },
  ...{ ended: [], lost: [], stuck: [] },
})

export function createLanes(options: LanesOptions): Lanes {
  const { db, sender, sealer, clock, deadlineMs, perWebhook, random } = options
  const places = createPlaces<LaneName>({
    perTenant: options.perTenant,
    idOf: ({ webhookId }) => webhookId,
    again: options.again,
  })
  const runs = new Map<string, { ended: Promise<'done' | 'more'>; look: () => void }>()
  let isDraining = false

  /** Records what has ended and claims in the same transaction. `locked`: nothing was done. Undefined: the
   * lane is someone else's. */
  async function takeTurn(lane: LaneName, held: Held, room: number) {
    const { lease } = held
    const ended = [...held.ended]
    const lost = [...held.lost]
    const inFlight = [...held.running.keys(), ...held.stuck]
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
    held.until = leaseEnd({ askedAt, deadlineMs })
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
    held.running.delete(sequence)
    places.free(lane, 1)
  }

  /** Claims, attempts side by side, and records and claims again as each attempt ends. */
  async function runOnce(lane: LaneName, signal: Signal): Promise<'done' | 'more'> {
    const held: Held = createHeld(clock())
    const claimsUntil = addMs(clock(), Math.max(PORTION_MS - deadlineMs, SECOND_MS))
    let hasClaimed = false
    let waitsForKey = false
    let lookMs = FIRST_LOOK_MS
    let pauseMs = FIRST_PAUSE_MS
    for (;;) {
      signal.reset()
      const isOver =
        isDraining || clock() >= claimsUntil || (hasClaimed && places.isContended(lane))
      const wanted = !isOver ? perWebhook - held.running.size - held.stuck.length : 0
      const room = places.take(lane, wanted)
      const isCapped = wanted > 0 && room === 0
      const turn = await takeTurn(lane, held, room).catch((error: unknown) => {
        options.logger.error({ ...lane, err: error }, 'delivery lane failed a turn')
        return 'failed' as const
      })
      if (turn === 'failed' || turn === 'locked') {
        places.free(lane, room)
        const isHeld = held.ended.length > 0 && clock() < addMs(held.until, GIVE_UP_MS)
        if (held.running.size === 0 && !isHeld) {
          if (turn === 'failed' || isDraining) return 'done'
          if (isOver) return 'more'
        }
        await setTimeout(pauseMs)
        // Short, so that attempts are recorded within their lease if the database is back by then.
        const isNothingHeld = held.ended.length + held.running.size === 0
        pauseMs = Math.min(2 * pauseMs, isNothingHeld ? LAST_PAUSE_MS : LAST_RECORD_PAUSE_MS)
        continue
      }
      pauseMs = FIRST_PAUSE_MS
      if (!turn) {
        places.free(lane, room)
        await Promise.all(held.running.values())
        return 'done'
      }
      const { claimed, unknownKey, hasMore, askedAt } = turn
      if (unknownKey && !waitsForKey) tellUnknownKey(lane, unknownKey)
      waitsForKey = unknownKey !== undefined

      // One that begins later could outlast the lease. It is due again with the next turn.
      const mayBegin = !isDraining && clock() <= addMs(askedAt, BEGIN_WITHIN_MS)
      const begun = mayBegin ? claimed : []
      places.free(lane, room - begun.length)
      for (const delivery of begun) {
        const ended = attemptOne(lane, held, delivery).then(signal.raise)
        held.running.set(delivery.sequence, ended)
      }
      hasClaimed ||= claimed.length > 0

      if (held.running.size > 0) {
        if (held.ended.length > 0) continue
        lookMs = begun.length > 0 ? FIRST_LOOK_MS : Math.min(2 * lookMs, LAST_LOOK_MS)
        const looks = !isOver && !waitsForKey && room > begun.length
        await signal.wait(looks ? lookMs : undefined)
      } else if (claimed.length + held.ended.length + held.lost.length === 0) {
        if (isOver) return isDraining ? 'done' : 'more'
        if (isCapped || waitsForKey) return 'done'
        if (!hasMore && !signal.isRaised) return 'done'
      }
    }
  }

  function tellUnknownKey(lane: LaneName, { keyId, message }: DecryptionError): void {
    options.onUnknownKey?.(keyId)
    options.logger.error(
      { ...lane, keyId, reason: message },
      'deliveries wait for an encryption key: add it to ENCRYPTION_KEYS of every API and worker and restart them, or ask the tenant to create a new signing secret',
    )
  }

  async function runWhileKnown(lane: LaneName, signal: Signal): Promise<'done' | 'more'> {
    try {
      return await runOnce(lane, signal)
    } finally {
      // In the turn in which it ends, so that who asks from then on begins another.
      runs.delete(lane.webhookId)
    }
  }

  return {
    async run(lane) {
      const known = runs.get(lane.webhookId)
      known?.look()
      if (known) return await known.ended
      if (isDraining) return 'done'
      const signal = createSignal()
      const ended = runWhileKnown(lane, signal)
      runs.set(lane.webhookId, { ended, look: signal.raise })
      return await ended
    },
    async drain() {
      isDraining = true
      for (const { look } of runs.values()) look()
      await Promise.allSettled([...runs.values()].map(({ ended }) => ended))
    },
  }
}

type Signal = ReturnType<typeof createSignal>

/** Raised by an attempt that ends, or by a caller who knows of something new. */
function createSignal() {
  let raised = Promise.withResolvers<void>()
  const signal = {
    isRaised: false,
    raise() {
      signal.isRaised = true
      raised.resolve()
    },
    reset() {
      signal.isRaised = false
      raised = Promise.withResolvers()
    },
    /** Until it is raised, or so many milliseconds. */
    async wait(mostMs: number | undefined) {
      if (mostMs === undefined) return await raised.promise
      const late = new AbortController()
      const pause = setTimeout(mostMs, undefined, { signal: late.signal }).catch(() => undefined)
      await Promise.race([raised.promise, pause])
      late.abort()
    },
  }
  return signal
}
