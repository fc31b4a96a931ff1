import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { type Child, startChild, untilReady } from '../../../src/local/child.ts'
import { findFreePorts } from '../../../src/local/free-ports.ts'
import { findNativeRedis } from '../../../src/local/stores/redis.ts'

const MASTERS = 3
const SLOTS = 16_384

export type RedisCluster = {
  /** As REDIS_URL has it. */
  url: string
  /** Each master's own address. */
  nodeUrls: readonly string[]
  stop(): Promise<void>
}

/** Starts a Redis Cluster of three masters, which keep nothing; ready when this resolves. */
export async function startRedisCluster(folder: string): Promise<RedisCluster> {
  const ports = await findFreePorts(2 * MASTERS)
  const masters: Child[] = []
  const stop = async () => void (await Promise.all(masters.map((master) => master.stop())))
  try {
    for (let index = 0; index < MASTERS; index += 1) {
      const [port = 0, busPort = 0] = ports.slice(2 * index)
      masters.push(await startMaster({ port, busPort, folder }))
    }
    const places = masters.map((_, index) => ({
      port: ports[2 * index] ?? 0,
      busPort: ports[2 * index + 1] ?? 0,
    }))
    await joinCluster(places)
    const addresses = places.map(({ port }) => `127.0.0.1:${port}`)
    return {
      url: `redis+cluster://${addresses.join(',')}`,
      nodeUrls: addresses.map((address) => `redis://${address}`),
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

export type MasterOptions = {
  port: number
  busPort: number
  /** Where it remembers the Cluster. */
  folder: string
  /** Where its data is, if elsewhere. */
  dataFolder?: string
  logFile?: string
  /** Keeps every command in a log, in which it finds its data again. */
  isLogged?: boolean
}

/** Starts one member, which finds the others again if it has been one before. */
export async function startMaster(options: MasterOptions): Promise<Child> {
  const { port, busPort, folder, dataFolder = folder, isLogged = false } = options
  const program = findNativeRedis()
  if (!program) throw new Error('A Redis Cluster takes redis-server or valkey-server on the path.')
  const settings = {
    bind: '127.0.0.1',
    port: String(port),
    'cluster-enabled': 'yes',
    'cluster-port': String(busPort),
    'cluster-config-file': join(folder, `nodes-${port}.conf`),
    'cluster-node-timeout': '2000',
    // One master that is away takes its own share along, not everything.
    'cluster-require-full-coverage': 'no',
    dir: dataFolder,
    save: '',
    appendonly: isLogged ? 'yes' : 'no',
    'maxmemory-policy': 'noeviction',
  }
  const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value])
  const child = await startChild({
    name: `The Redis at ${port}`,
    command: program,
    args,
    logFile: options.logFile ?? join(folder, `redis-${port}.log`),
    stopSignal: 'SIGTERM',
    stopSeconds: 10,
  })
  await untilReady(child, () => withNode(port, (node) => node.ping()).then(isTrue, isFalse))
  return child
}

const isTrue = () => true
const isFalse = () => false

/** Gives each an equal share of the slots, in order, and waits until all agree. */
export async function joinCluster(
  places: readonly { port: number; busPort: number }[],
): Promise<void> {
  const [first] = places
  for (const [index, { port }] of places.entries()) {
    const from = Math.round((index * SLOTS) / places.length)
    const to = Math.round(((index + 1) * SLOTS) / places.length) - 1
    await withNode(port, async (node) => {
      await node.call('CLUSTER', 'ADDSLOTSRANGE', String(from), String(to))
      if (first && port !== first.port) {
        const meet = ['MEET', '127.0.0.1', String(first.port), String(first.busPort)]
        await node.call('CLUSTER', ...meet)
      }
    })
  }
  await Promise.all(places.map(({ port }) => untilJoined(port, places.length)))
}

async function untilJoined(port: number, members: number): Promise<void> {
  for (const until = Date.now() + 60_000; ; await pause(50)) {
    const info = String(await withNode(port, (node) => node.call('CLUSTER', 'INFO')))
    const knows = info.includes(`cluster_size:${members}\r\n`)
    if (knows && info.includes('cluster_state:ok') && info.includes('slots_ok:16384')) return
    if (Date.now() > until) throw new Error(`the Redis at ${port} is in no cluster: ${info}`)
  }
}

async function withNode<T>(port: number, ask: (node: Redis) => Promise<T>): Promise<T> {
  const node = new Redis(port, '127.0.0.1', {
    lazyConnect: true,
    retryStrategy: () => null,
    enableReadyCheck: false,
  })
  node.on('error', () => undefined)
  try {
    await node.connect()
    return await ask(node)
  } finally {
    node.disconnect()
  }
}
