import { setTimeout } from 'node:timers/promises'
import { DecryptionError } from '../../core/sealing.ts'
import { lockForDelivery, tryLockForDelivery } from '../../domain/webhooks/deliver.ts'
import { createGate } from '../gate.ts'
import {
  createDeliveryLane,
  createDeliveryPasses,
  type DeliveryLane,
  type DeliveryLaneOptions,
} from './delivery-lane.ts'
import { createPlaces } from './delivery-places.ts'

export type DeliveryLanesOptions = DeliveryLaneOptions & {
  /** Attempts in flight at most, in this process. */
  perWebhook: number
  perTenant: number
  /** A lane could claim nothing, because no configured key opens the secret that this one sealed. */
  onSecretShut?: (keyId: string) => void
}

export type DeliveryLanes = {
  /** Looks for due deliveries of this webhook now, or as soon as its caps allow. Returns at once. */
  wake(tenantId: string, webhookId: string): void
  /** Claims nothing more and resolves once every attempt under way has ended and is recorded. */
  drain(): Promise<void>
}

/**
 * Lanes that claim at the same time. Fewer than there are connections: however many webhooks have
 * something due at once, what has been sent is recorded without waiting behind their claims.
 */
const CLAIMS_AT_ONCE = 6

/** Pauses of a lane whose turns fail: the database is away. */
const FIRST_PAUSE_MS = 250
const LONGEST_PAUSE_MS = 5_000

/**
 * Delivers each webhook's due events in a lane of its own: claim, post side by side up to the cap,
 * record what has ended and claim again in one transaction. An endpoint that hangs fills its own lane
 * and nothing else; a lane that waits for a cap holds no slot of any queue.
 */
export function createDeliveryLanes(options: DeliveryLanesOptions): DeliveryLanes {
  const lanes = new Map<string, DeliveryLane>()
  const running = new Set<Promise<void>>()
  const places = createPlaces<DeliveryLane>(options)
  const gate = createGate(CLAIMS_AT_ONCE)
  let draining = false

  const mayClaim = (lane: DeliveryLane) => lane.awake && !draining && !lane.hold.isOn
  const recordAndClaim = createDeliveryPasses(options, places, mayClaim)

  /** Has a lane claim nothing for a while: what it has in flight it still records. */
  function holdBack(lane: DeliveryLane, { keyId, message }: DecryptionError): void {
    const { tenantId, webhookId } = lane
    options.onSecretShut?.(keyId)
    options.logger.error(
      { tenantId, webhookId, keyId, reason: message },
      'deliveries wait for an encryption key: give it to every API and worker in ENCRYPTION_KEYS and restart them, or have the tenant create a new signing secret',
    )
    lane.hold.begin(() => lane.signal())
  }

  /** Claims when the gate lets it, unless an attempt ends before: with its record goes a claim too. */
  async function claimByTurns(lane: DeliveryLane, signalled: Promise<'signal'>): Promise<void> {
    lane.turnToClaim ??= gate.enter().then(() => 'claim')
    if ((await Promise.race([lane.turnToClaim, signalled])) === 'signal') return
    try {
      await recordAndClaim(lane, tryLockForDelivery)
    } finally {
      leaveGate(lane)
    }
  }

  /** Its turn at the gate, if it has one or waits for one, is for those who can use it. */
  function leaveGate(lane: DeliveryLane): void {
    void lane.turnToClaim?.then(gate.leave)
    lane.turnToClaim = undefined
  }

  /** One turn of a lane: false when there is nothing left for it to do. */
  async function turn(lane: DeliveryLane): Promise<boolean> {
    const signalled = new Promise<'signal'>((resolve) => {
      lane.signal = () => resolve('signal')
    })
    const claims = mayClaim(lane)
    // Whoever has nothing to claim any more must not keep others from their turn.
    if (!claims || lane.pause.isOn) places.leaveLine(lane)
    if (claims && !lane.pause.isOn && lane.finished.length === 0 && places.isFree(lane)) {
      await claimByTurns(lane, signalled)
      return true
    }
    leaveGate(lane)
    if (lane.finished.length > 0) {
      await recordAndClaim(lane, lockForDelivery)
    } else if (lane.inFlight > 0 || claims || (lane.hold.isOn && !draining)) {
      await signalled
    } else {
      // At once, so that a wake from here on opens a new lane and is not lost.
      lane.hold.end()
      lane.pause.end()
      lanes.delete(lane.webhookId)
      return false
    }
    return true
  }

  async function run(lane: DeliveryLane): Promise<void> {
    let pauseMs = FIRST_PAUSE_MS
    for (;;) {
      try {
        if (!(await turn(lane))) return
        pauseMs = FIRST_PAUSE_MS
      } catch (error) {
        leaveGate(lane)
        places.leaveLine(lane)
        if (error instanceof DecryptionError) {
          holdBack(lane, error)
          continue
        }
        const { tenantId, webhookId } = lane
        options.logger.error({ tenantId, webhookId, err: error }, 'delivery lane failed a turn')
        await setTimeout(pauseMs)
        pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)
      }
    }
  }

  function openLane(tenantId: string, webhookId: string): void {
    const lane = createDeliveryLane(tenantId, webhookId)
    lanes.set(webhookId, lane)
    const done = run(lane).finally(() => running.delete(done))
    running.add(done)
  }

  return {
    wake(tenantId, webhookId) {
      if (draining) return
      const lane = lanes.get(webhookId)
      if (lane) {
        lane.awake = true
        lane.signal()
      } else {
        openLane(tenantId, webhookId)
      }
    },
    async drain() {
      draining = true
      for (const lane of lanes.values()) lane.signal()
      await Promise.all(running)
    },
  }
}
