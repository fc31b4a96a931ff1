import { Cluster, Redis, type RedisOptions } from 'ioredis'
import { readRedisAddress } from './redis-address.ts'

/** A connection to one server, or to the members of a Cluster; both take the same commands. */
export type RedisClient = Redis | Cluster

/**
 * Connects to what REDIS_URL names, in the background unless `lazyConnect` is asked for. The options
 * are one server's and mean the same for a Cluster: where a command is to be sent once at most
 * (`autoResendUnfulfilledCommands: false`) it is not sent again to another member either, unless that
 * one is named as the slot's owner.
 */
export function openRedis(
  url: string,
  options: Omit<RedisOptions, 'replyMapping'> = {},
): RedisClient {
  const address = readRedisAddress(url)
  if (!address) throw new Error('REDIS_URL is no address of a Redis')
  if (address.kind === 'server') return new Redis(address.url, options)
  const { enableOfflineQueue, lazyConnect, retryStrategy, ...redisOptions } = options
  const isSentOnce = options.autoResendUnfulfilledCommands === false
  const { nodes, isTls, username, password } = address
  const cluster = new Cluster([...nodes], {
    enableOfflineQueue: enableOfflineQueue ?? true,
    lazyConnect: lazyConnect ?? false,
    ...(retryStrategy !== undefined && { clusterRetryStrategy: retryStrategy ?? (() => null) }),
    // Finds what moved, and members that came back, though no command has met them yet.
    slotsRefreshInterval: 5_000,
    ...(isSentOnce && { retryDelayOnFailover: 0, retryDelayOnClusterDown: 0, maxRedirections: 3 }),
    // Certificates hold names: they are connected to as the Cluster tells them.
    ...(isTls && { dnsLookup: (name, callback) => callback(null, name) }),
    redisOptions: {
      ...redisOptions,
      ...(isTls && { tls: {} }),
      ...(username !== undefined && { username }),
      ...(password !== undefined && { password }),
    },
  })
  // Each member is connected to as it is found: where nothing may be queued, the commands beside the
  // first one to a member would be refused while it connects.
  cluster.on('+node', (member: Redis) => void member.connect().catch(() => undefined))
  return cluster
}
