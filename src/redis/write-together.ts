import type { Duplex } from 'node:stream'
import type { RedisClient } from './redis.ts'

/** To be called before a command: those of one pass of the event loop are sent by one write. Does
 * nothing for a Cluster, whose members have connections of their own. */
export function createWriteTogether(redis: RedisClient): () => void {
  if (redis.isCluster) return () => undefined
  let held: Duplex | undefined
  const write = () => {
    held?.uncork()
    held = undefined
  }
  return () => {
    if (held) return
    held = (redis as unknown as { stream: Duplex | undefined }).stream
    if (!held) return
    held.cork()
    setImmediate(write)
  }
}
