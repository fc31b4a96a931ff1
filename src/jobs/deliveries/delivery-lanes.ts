import { setTimeout } from 'node:timers/promises'
import { DecryptionError } from '../../core/sealing.ts'
import { isDistributed } from '../../db/distribution.ts'
import { createDeliveryLane, type DeliveryLane, FIRST_STRIDE } from './delivery-lane.ts'
import type { DeliveryPassOptions } from './delivery-pass.ts'
import { createDeliverySlots } from './delivery-slots.ts'
import { createSharedPasses, createTenantPasses, type SharedPasses } from './shared-passes.ts'

export type DeliveryLanesOptions = Omit<DeliveryPassOptions, 'distributed'> & {
  perWebhook: number
  perTenant: number
  onUnknownKey?: (keyId: string) => void
}

export type DeliveryLanes = {
  wake(tenantId: string, webhookId: string): void
  /** Resolves once every attempt in flight is recorded. */
  drain(): Promise<void>
}

/** Ended attempts wait this long for others, to be recorded together. */
const GATHER_MS = 1

const FIRST_PAUSE_MS = 250
const LONGEST_PAUSE_MS = 5_000

/** One lane a webhook: an endpoint that hangs fills only its own. */
export function createDeliveryLanes(options: DeliveryLanesOptions): DeliveryLanes {
  const lanes = new Map<string, DeliveryLane>()
  const running = new Set<Promise<void>>()
  const slots = createDeliverySlots<DeliveryLane>(options)
  let draining = false

  const mayClaim = (lane: DeliveryLane) => lane.awake && !draining && !lane.hold.isOn
  let passes: SharedPasses | undefined

  async function getPasses(): Promise<SharedPasses> {
    const distributed = await isDistributed(options.db)
    const create = () => createSharedPasses({ ...options, distributed }, slots, mayClaim)
    passes ??= distributed ? createTenantPasses(create) : create()
    return passes
  }

  function holdBack(lane: DeliveryLane, { keyId, message }: DecryptionError): void {
    const { tenantId, webhookId } = lane
    options.onUnknownKey?.(keyId)
    options.logger.error(
      { tenantId, webhookId, keyId, reason: message },
      'deliveries wait for an encryption key: add it to ENCRYPTION_KEYS of every API and worker and restart them, or ask the tenant to create a new signing secret',
    )
    lane.hold.begin(() => lane.signal())
  }

  const isReady = (lane: DeliveryLane) => mayClaim(lane) && !lane.pause.isOn && slots.isFree(lane)

  /** What has ended is recorded with the next pass of any lane, unless there is more to claim. */
  async function recordAndClaim(lane: DeliveryLane, claims: boolean): Promise<void> {
    if (claims || draining) {
      const isBacklog = lane.stride > FIRST_STRIDE
      const isEarly = isBacklog && lane.finished.length > 0 && lane.finished.length < lane.inFlight
      if (isEarly) await setTimeout(GATHER_MS)
      await (await getPasses()).run(lane)
    } else {
      lane.signal = () => {
        if (draining || isReady(lane)) passes?.hurry(lane)
      }
      await (await getPasses()).runWithNext(lane)
    }
  }

  /** False when nothing is left to do. */
  async function runPass(lane: DeliveryLane): Promise<boolean> {
    const signalled = new Promise<void>((resolve) => {
      lane.signal = resolve
    })
    const claims = mayClaim(lane)
    // A lane with nothing to claim must not keep others waiting.
    if (!claims || lane.pause.isOn) slots.leaveQueue(lane)
    const claimsNow = isReady(lane)
    if (claimsNow || (lane.finished.length > 0 && !lane.pause.isOn)) {
      await recordAndClaim(lane, claimsNow)
    } else if (lane.inFlight > 0 || claims || lane.pause.isOn || (lane.hold.isOn && !draining)) {
      await signalled
    } else {
      // Synchronous, so that a wake from here on opens a new lane and is not lost.
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
        if (!(await runPass(lane))) return
        pauseMs = FIRST_PAUSE_MS
      } catch (error) {
        slots.leaveQueue(lane)
        if (error instanceof DecryptionError) {
          holdBack(lane, error)
          continue
        }
        const { tenantId, webhookId } = lane
        options.logger.error({ tenantId, webhookId, err: error }, 'delivery lane failed a pass')
        await setTimeout(pauseMs)
        pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)
      }
    }
  }

  function openLane(tenantId: string, webhookId: string): DeliveryLane {
    const lane = createDeliveryLane(tenantId, webhookId)
    lanes.set(webhookId, lane)
    const done = run(lane).finally(() => running.delete(done))
    running.add(done)
    return lane
  }

  return {
    wake(tenantId, webhookId) {
      if (draining) return
      const lane = lanes.get(webhookId) ?? openLane(tenantId, webhookId)
      lane.awake = true
      lane.signal()
    },
    async drain() {
      draining = true
      for (const lane of lanes.values()) lane.signal()
      await Promise.all(running)
    },
  }
}
