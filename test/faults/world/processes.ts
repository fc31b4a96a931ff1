import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Random } from '../actors/random.ts'
import { createCommand } from './command.ts'
import { findLastingPorts } from './ports.ts'
import { type ServiceEvents, startProcess } from './service.ts'
import type { Redis, World } from './world.ts'

const SOURCES = join(import.meta.dirname, '..', '..', '..', 'src')
const LIMITS = [
  'reads',
  'money',
  'valuation',
  'portfolio_ingest',
  'platform_config',
  'sandbox_controls',
]

/** How long an attempt at a receiver may take in these runs, in seconds. */
const DELIVERY_DEADLINE_SECONDS = 2

type Processes = Pick<World, 'origins' | 'workerOrigins' | 'apis' | 'workers' | 'secrets'>

type Wanted = { random: Random; events: ServiceEvents; processes: number }

/** Two APIs and two workers, ready. */
export async function startProcesses(
  folder: string,
  stores: { appUrl: string; redis: Pick<Redis, 'url'> },
  { random, events, processes }: Wanted,
): Promise<Processes> {
  const key = randomBytes(32).toString('base64')
  const shared = {
    ...environment({ databaseUrl: stores.appUrl, redisUrl: stores.redis.url, key }),
    // Some stacks are short of connections.
    DATABASE_CONNECTIONS: String(random.pick([2, 4, 10])),
    API_PROCESSES: String(processes),
    WORKER_PROCESSES: String(processes),
  }
  const ports = await findLastingPorts(6)
  const create = (name: string, script: string, settings: Record<string, string>) => {
    const start = (count: number) => {
      const logFile = join(folder, `${name}.${count}.log`)
      return startProcess(name, join(SOURCES, script), logFile, { ...shared, ...settings })
    }
    return createCommand(name, processes, start, events)
  }
  const [apiA, apiB, workerA, workerB, metricsA, metricsB] = ports.map(String)
  const settings = (port = '0', metricsPort = '0') => ({ PORT: port, METRICS_PORT: metricsPort })
  const apis = [
    create('api-1', 'server.ts', settings(apiA, metricsA)),
    create('api-2', 'server.ts', settings(apiB, metricsB)),
  ]
  const workers = [
    create('worker-1', 'worker.ts', settings('0', workerA)),
    create('worker-2', 'worker.ts', settings('0', workerB)),
  ]
  await Promise.all([...apis, ...workers].map((service) => service.start()))
  const originOf = (port = '') => `http://127.0.0.1:${port}`
  const origins = [originOf(apiA), originOf(apiB)]
  const workerOrigins = [originOf(workerA), originOf(workerB)]
  await Promise.all([...origins, ...workerOrigins].map(untilAnswering))
  return { origins, workerOrigins, apis, workers, secrets: [key] }
}

/** Of API and worker: no limit is met, and deliveries are tried soon. */
export function environment(stack: { databaseUrl: string; redisUrl: string; key: string }) {
  return {
    STACK: 'sandbox',
    DATABASE_URL: stack.databaseUrl,
    REDIS_URL: stack.redisUrl,
    ENCRYPTION_KEYS: `faults:${stack.key}`,
    HOST: '127.0.0.1',
    RATE_LIMITS: LIMITS.map((name) => `${name}=100000/100000`).join(','),
    WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
    DELIVERY_DEADLINE_SECONDS: String(DELIVERY_DEADLINE_SECONDS),
    MAX_WEBHOOKS: '200',
    AUDIT_MINUTES: '1',
  }
}

/** Resolves once an API or a worker says that it is ready. */
export async function untilAnswering(origin: string): Promise<void> {
  for (const until = Date.now() + 60_000; ; ) {
    const signal = AbortSignal.timeout(2_000)
    const answer = await fetch(`${origin}/readyz`, { signal }).catch(() => undefined)
    await answer?.arrayBuffer().catch(() => undefined)
    if (answer?.ok) return
    if (Date.now() > until) throw new Error(`${origin} was not ready after a minute`)
    // The first of several processes answers before all are ready, and few a second of one source.
    await pause(answer ? 1_000 : 50)
  }
}
