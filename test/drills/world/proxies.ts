import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { startChild } from '../../../src/local/child.ts'
import { type DnsZone, startDnsServer } from '../../support/servers/dns-server.ts'
import type { Keep } from '../../support/world/keep.ts'

const DEPLOYED = join(import.meta.dirname, '..', '..', '..', 'deploy', 'haproxy')
const API_HOST = 'api.drill'

export type ApiProxy = {
  origin: string
  /** Host and port of its `/metrics`. */
  metrics: string
  /** The addresses that the name of the API has from now on, as Docker's name server would. */
  setAddresses(addresses: readonly string[]): void
}

/** HAProxy with the configuration of docker-compose.scaled.yml, but for its ports and name server. */
export async function startApiProxy(
  keep: Keep,
  ports: { listen: number; alive: number; metrics: number; api: number },
): Promise<ApiProxy> {
  const answers = [{ addresses: [] as readonly string[] }]
  const zone: DnsZone = { [API_HOST]: answers }
  const dns = keep.use(await startDnsServer(zone))
  const metrics = `127.0.0.1:${ports.metrics}`
  const config = readFileSync(join(DEPLOYED, 'haproxy.cfg'), 'utf8')
    .replace('127.0.0.11:53', dns.address)
    .replace('bind :8080', `bind 127.0.0.1:${ports.listen}`)
    .replace('127.0.0.1:8404', `127.0.0.1:${ports.alive}`)
    .replace('bind :8405', `bind ${metrics}`)
    .replace('}:8080', `}:${ports.api}`)
  const environment = { API_HOST, TLS: 'name plain' }
  await startHaproxy(keep, { name: 'api-proxy', config, environment, port: ports.listen })
  return {
    ...{ origin: `http://127.0.0.1:${ports.listen}`, metrics },
    setAddresses(addresses) {
      answers[0] = { addresses }
    },
  }
}

export type StorePorts = {
  postgres: number
  redis: number
  postgresServers: readonly [number, number]
  redisServers: readonly [number, number]
}

export type StoreProxy = {
  /** Ends every session with the first PostgreSQL and sends nothing more to it. */
  fencePostgres(): Promise<void>
  /** Sends sessions to the second PostgreSQL. */
  switchPostgres(): Promise<void>
}

/** HAProxy with deploy/haproxy/stores.cfg. */
export async function startStoreProxy(keep: Keep, ports: StorePorts): Promise<StoreProxy> {
  const socket = join(keep.folder, 'stores.sock')
  const at = (port: number) => `127.0.0.1:${port}`
  const environment = {
    STORES_SOCKET: socket,
    METRICS_LISTEN: join(keep.folder, 'store-metrics.sock'),
    POSTGRES_LISTEN: at(ports.postgres),
    POSTGRES_ONE: at(ports.postgresServers[0]),
    POSTGRES_TWO: at(ports.postgresServers[1]),
    REDIS_LISTEN: at(ports.redis),
    REDIS_ONE: at(ports.redisServers[0]),
    REDIS_TWO: at(ports.redisServers[1]),
  }
  const config = readFileSync(join(DEPLOYED, 'stores.cfg'), 'utf8')
  await startHaproxy(keep, { name: 'store-proxy', config, environment, port: ports.postgres })
  return {
    async fencePostgres() {
      await command(socket, 'disable server postgres/one')
      await command(socket, 'shutdown sessions server postgres/one')
    },
    switchPostgres: () => command(socket, 'enable server postgres/two'),
  }
}

type Haproxy = { name: string; config: string; environment: Record<string, string>; port: number }

async function startHaproxy(keep: Keep, { name, config, environment, port }: Haproxy) {
  const file = join(keep.folder, `${name}.cfg`)
  writeFileSync(file, config)
  const child = await startChild({
    name,
    command: 'haproxy',
    args: ['-db', '-f', file],
    logFile: join(keep.folder, `${name}.log`),
    env: { ...process.env, ...environment },
    stopSignal: 'SIGTERM',
    stopSeconds: 5,
  })
  keep.onStarted(child.identity)
  while (!(await isListening(port))) await pause(50)
}

async function isListening(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}

/** Throws what HAProxy answers, which is nothing where it did it. */
async function command(path: string, line: string): Promise<void> {
  const socket = connect(path)
  socket.end(`${line}\n`)
  const answer = (await text(socket)).trim()
  if (answer !== '') throw new Error(`HAProxy answered ${line}: ${answer}`)
}
