import { Cluster, Redis, type RedisOptions } from 'ioredis'
import { readRedisAddress } from './redis-address.ts'

export type RedisClient = Redis | Cluster

/** With `autoResendUnfulfilledCommands: false` a command is sent once, in a Cluster too. */
export function openRedis(
  url: string,
  options: Omit<RedisOptions, 'replyMapping'> = {},
): RedisClient {
  const address = readRedisAddress(url)
  if (!address) throw new Error('REDIS_URL is not the address of a Redis server or Cluster')
  if (address.kind === 'server') return new Redis(address.url, options)
  const { enableOfflineQueue, lazyConnect, retryStrategy, ...redisOptions } = options
  const isSentOnce = options.autoResendUnfulfilledCommands === false
  const { nodes, isTls, username, password } = address
  const cluster = new Cluster([...nodes], {
    enableOfflineQueue: enableOfflineQueue ?? true,
    lazyConnect: lazyConnect ?? false,
    ...(retryStrategy !== undefined && { clusterRetryStrategy: retryStrategy ?? (() => null) }),
    // Finds moved slots and returning members before a command meets them.
    slotsRefreshInterval: 5_000,
    ...(isSentOnce && { retryDelayOnFailover: 0, retryDelayOnClusterDown: 0, maxRedirections: 3 }),
    // Certificates contain names, so members are addressed by the names that the Cluster returns.
    ...(isTls && { dnsLookup: (name, callback) => callback(null, name) }),
    redisOptions: {
      ...redisOptions,
      ...(isTls && { tls: {} }),
      ...(username !== undefined && { username }),
      ...(password !== undefined && { password }),
    },
  })
  // At once: without a queue, early commands to a member would be refused.
  cluster.on('+node', (member: Redis) => void member.connect().catch(() => undefined))
  return cluster
}
