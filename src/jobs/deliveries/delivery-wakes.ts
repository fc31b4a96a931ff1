import { setImmediate, setTimeout } from 'node:timers/promises'
import type { DeliveryWake } from '../../db/wakes.ts'
import { duplicateRedis, type RedisClient } from '../../redis/redis.ts'

/** A list that nothing reads grows no longer than this; the sweeper finds the rest. */
const MAX_LENGTH = 10_000

const AT_ONCE = 100

/** Ends a wait on a connection that has died unnoticed. */
const WAIT_SECONDS = 5

const FIRST_PAUSE_MS = 50
const LONGEST_PAUSE_MS = 1_000

/** A plain list: a job would cost the queue more than the delivery. */
export const deliveryWakesKey = (prefix: string) => `${prefix}:delivery-wakes`

export async function pushDeliveryWakes(
  redis: RedisClient,
  prefix: string,
  wakes: readonly DeliveryWake[],
): Promise<void> {
  const key = deliveryWakesKey(prefix)
  const words = wakes.map(({ tenantId, webhookId }) => `${tenantId} ${webhookId}`)
  // Not a pipeline: BullMQ's scripts make its creation cost more than the rest of a wake.
  const length = await redis.rpush(key, ...words)
  if (length > MAX_LENGTH) await redis.ltrim(key, 0, MAX_LENGTH - 1)
}

/** One worker receives each wake. A wake that is lost with its worker is the sweeper's. */
export function receiveDeliveryWakes(
  redis: RedisClient,
  prefix: string,
  onWake: (wake: DeliveryWake) => void,
): { close(): void } {
  const connection = duplicateRedis(redis)
  connection.on('error', () => undefined)
  const closing = new AbortController()
  const key = deliveryWakesKey(prefix)

  async function receive(): Promise<void> {
    const popped = await connection.blmpop(WAIT_SECONDS, 1, key, 'LEFT', 'COUNT', AT_ONCE)
    for (const words of popped?.[1] ?? []) {
      const [tenantId, webhookId] = words.split(' ')
      if (tenantId && webhookId) onWake({ tenantId, webhookId })
    }
  }

  async function receiveAll(): Promise<void> {
    let pauseMs = FIRST_PAUSE_MS
    while (!closing.signal.aborted) {
      try {
        await receive()
        // What was received begins before the next are asked for.
        await setImmediate()
        pauseMs = FIRST_PAUSE_MS
      } catch {
        await setTimeout(pauseMs, undefined, { signal: closing.signal }).catch(() => undefined)
        pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)
      }
    }
  }

  // Not waited for: while Redis is gone, a read ends only once it is back.
  void receiveAll()
  return {
    close() {
      closing.abort()
      connection.disconnect()
    },
  }
}
