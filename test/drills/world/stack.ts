import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { createDatabase, type Db } from '../../../src/db/database.ts'
import { migrateToLatest } from '../../../src/db/migrate/migrate.ts'
import { type Child, startChild } from '../../../src/local/child.ts'
import { IMPATIENT } from '../../faults/world/processes.ts'
import type { Keep } from '../../support/world/keep.ts'
import {
  CHECKOUT,
  findLastingPort,
  findLastingPorts,
  nodeProcess,
  serviceEnvironment,
  untilAnswering,
} from '../../support/world/service.ts'
import { type ApiProxy, startApiProxy } from './proxies.ts'

/** An API or a worker as an operator runs it. */
export type Part = {
  child: Child
  /** Where it answers `/readyz` and `/metrics`. */
  inner: string
  /** SIGTERM; resolves to the way it ended. */
  stop(): Promise<string>
  /** kill -9. */
  kill(): Promise<void>
}

export type Settings = Record<string, string> & { DATABASE_URL: string; ENCRYPTION_KEYS: string }

/** What differs from the stack's own settings, or another checkout to run. */
export type PartOptions = { settings?: Record<string, string>; checkout?: string }

export type StackOptions = Pick<PartOptions, 'settings'> & {
  /** Gives by a process's name a command that becomes that process: `sh -c 'exec "$@"' sh`. */
  launch?: (name: string) => readonly string[]
  /** By which webhooks name the receivers; 127.0.0.1 by default. */
  receiverHost?: string
}

export type Stack = {
  folder: string
  /** As the owner of the tables. */
  databaseUrl: string
  db: Db
  /** Two APIs and two workers at first; replace them as an operator does. */
  apis: Part[]
  workers: Part[]
  origins: string[]
  /** Host and port of the proxy's `/metrics`. */
  proxyMetrics: string
  receiverHost: string
  /** Of API and worker. */
  settings: Settings
  startApi(options?: PartOptions): Promise<Part>
  startWorker(options?: PartOptions): Promise<Part>
  /** Names the APIs to the proxy; new ones get requests once they are ready. */
  announce(): void
  /** Starts everything as it was first, on a database that has taken the place of the first. */
  reopen(): Promise<Stack>
  appRole: { name: string; password: string }
}

type StoresOfStack = { databaseUrl: string; redisUrl: string }

/** Migrates, then starts two APIs behind HAProxy, and two workers. */
export async function openStack(
  keep: Keep,
  stores: StoresOfStack,
  options: StackOptions = {},
): Promise<Stack> {
  const { folder } = keep
  const appRole = { name: 'drill_app', password: randomBytes(12).toString('hex') }
  await migrateToLatest(stores.databaseUrl, { stack: 'sandbox', appRole })
  const [listen = 0, alive = 0, metrics = 0, api = 0] = await findLastingPorts(4)
  const proxy = await startApiProxy(keep, { listen, alive, metrics, api })
  const db = connect(keep, stores.databaseUrl)
  const appUrl = new URL(stores.databaseUrl)
  appUrl.username = appRole.name
  appUrl.password = appRole.password
  const { redisUrl } = stores
  const own = { databaseUrl: appUrl.href, redisUrl, encryptionKeys: newEncryptionKey('k1') }
  const settings = { ...serviceEnvironment(own), ...IMPATIENT, ...options.settings }
  const { receiverHost = '127.0.0.1', launch = () => [] } = options
  const bare = {
    ...{ folder, databaseUrl: stores.databaseUrl, db, settings, appRole, receiverHost },
    ...{ origins: [proxy.origin], proxyMetrics: proxy.metrics },
  }
  return await startParts(keep, bare, { proxy, port: api, launch })
}

export const newEncryptionKey = (id: string) => `${id}:${randomBytes(32).toString('base64')}`

function connect(keep: Keep, connectionString: string): Db {
  const db = createDatabase({ connectionString, maxConnections: 6 })
  keep.defer(() => db.destroy().catch(() => undefined))
  return db
}

type Bare = Omit<Stack, 'apis' | 'workers' | 'startApi' | 'startWorker' | 'announce' | 'reopen'>

async function startParts(
  keep: Keep,
  bare: Bare,
  {
    proxy,
    port,
    launch,
  }: Pick<Required<StackOptions>, 'launch'> & { proxy: ApiProxy; port: number },
): Promise<Stack> {
  let started = 0
  const start = async (name: string, settings: Record<string, string>, options: PartOptions) => {
    const metricsPort = await findLastingPort()
    const ownName = `${name}-${started}`
    const spec = nodeProcess(
      ownName,
      [join(options.checkout ?? CHECKOUT, 'src', `${name}.ts`)],
      join(keep.folder, `${ownName}.log`),
      { ...bare.settings, METRICS_PORT: String(metricsPort), ...settings, ...options.settings },
    )
    const [first = '', ...rest] = [...launch(ownName), spec.command, ...spec.args]
    const child = await startChild({ ...spec, command: first, args: rest })
    keep.onStarted(child.identity)
    return toPart(child, `http://127.0.0.1:${metricsPort}`)
  }
  const addresses = new Map<Part, string>()
  const stack: Stack = {
    ...bare,
    apis: [],
    workers: [],
    async startApi(options = {}) {
      started += 1
      // Docker gives each container an address and all of them one port.
      const host = `127.0.3.${started}`
      const part = await start('server', { HOST: host, PORT: String(port) }, options)
      addresses.set(part, host)
      return part
    },
    async startWorker(options = {}) {
      started += 1
      return await start('worker', { PORT: '0' }, options)
    },
    async reopen() {
      await startAll()
      return { ...stack, db: connect(keep, bare.databaseUrl) }
    },
    announce() {
      proxy.setAddresses(stack.apis.map((part) => addresses.get(part) ?? ''))
    },
  }
  const startAll = async () => {
    stack.apis = [await stack.startApi(), await stack.startApi()]
    stack.workers = [await stack.startWorker(), await stack.startWorker()]
    await Promise.all([...stack.apis, ...stack.workers].map(({ inner }) => untilAnswering(inner)))
    stack.announce()
    for (const origin of stack.origins) await untilServed(origin)
  }
  await startAll()
  return stack
}

function toPart(child: Child, inner: string): Part {
  const { pid } = child.identity
  return {
    child,
    inner,
    async stop() {
      process.kill(pid, 'SIGTERM')
      return await child.ended
    },
    async kill() {
      process.kill(pid, 'SIGKILL')
      await child.ended
    },
  }
}

/** Until the proxy has found a ready API. */
async function untilServed(origin: string): Promise<void> {
  for (;;) {
    const answer = await fetch(`${origin}/v1/documents`).catch(() => undefined)
    await answer?.arrayBuffer()
    // Unsigned, so that it is refused by the service itself.
    if (answer?.status === 401) return
    await pause(50)
  }
}
