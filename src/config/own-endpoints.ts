import { isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import type { OwnEndpoints } from '../domain/webhooks/address-policy.ts'
import { readRedisAddress } from '../redis/redis-address.ts'
import type { Config } from './config.ts'

const POSTGRES_PORT = 5432
const REDIS_PORT = 6379

type Endpoint = { host: string; port: number }

/** Deliveries never go to these. */
export function ownEndpoints(
  config: Pick<Config, 'port' | 'metricsPort' | 'databaseUrl' | 'redisUrl' | 'webhookDenyPorts'>,
): OwnEndpoints {
  const stores = [toEndpoint(config.databaseUrl, POSTGRES_PORT), ...redisEndpoints(config.redisUrl)]
  const literals = stores.map(({ host }) => host).filter((host) => isIP(host) !== 0)
  const ports = [config.port, config.metricsPort, ...stores.map(({ port }) => port)]
  return {
    ports: [...ports, ...config.webhookDenyPorts].filter((port) => port !== 0),
    addresses: () => [...literals, ...interfaceAddresses()],
  }
}

function redisEndpoints(url: string): readonly Endpoint[] {
  const address = readRedisAddress(url)
  if (address?.kind === 'cluster') return address.nodes
  return [toEndpoint(url, REDIS_PORT)]
}

function toEndpoint(url: string, defaultPort: number): Endpoint {
  const { hostname = '', port = '' } = URL.parse(url) ?? {}
  return { host: hostname.replace(/^\[|\]$/g, ''), port: port === '' ? defaultPort : Number(port) }
}

/** Also public ones: a firewall does not see traffic that stays on the machine. */
function interfaceAddresses(): string[] {
  return Object.values(networkInterfaces()).flatMap((all) =>
    (all ?? []).map(({ address }) => address.replace(/%.*$/, '')),
  )
}
