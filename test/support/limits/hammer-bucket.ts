// A process that takes tokens as fast as it can: node hammer-bucket.ts <redis> <tenant> <class>
// <requests> <at once>. Says "ready", starts at the first input, prints how many were admitted.
import { once } from 'node:events'
import { Redis } from 'ioredis'
import { type LimitClass, parseLimits } from '../../../src/core/limits/limit-classes.ts'
import { createTokenBuckets, limiterRedisOptions } from '../../../src/http/limits/token-buckets.ts'

const [redisUrl = '', tenantId = '', limitClass = '', requests = '', atOnce = ''] =
  process.argv.slice(2)
const limits = parseLimits('')
if (typeof limits === 'string') throw new Error(limits)

// The limit alone is under test: a slow machine must not make the process count on its own.
const redis = new Redis(redisUrl, { ...limiterRedisOptions, commandTimeout: 60_000 })
await once(redis, 'ready')
const logger = { warn: () => undefined, info: () => undefined }
const buckets = createTokenBuckets({ redis, limits, logger })

process.stdout.write('ready\n')
await once(process.stdin, 'data')

let left = Number(requests)
let admitted = 0
const callers = Array.from({ length: Number(atOnce) }, async () => {
  while (left > 0) {
    left -= 1
    const decision = await buckets.take({ tenantId }, limitClass as LimitClass)
    if (decision.degraded) throw new Error('Redis did not answer')
    if (decision.allowed) admitted += 1
  }
})
await Promise.all(callers)
process.stdout.write(`${admitted}\n`)
process.stdin.destroy()
redis.disconnect()
