import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { buildService } from '../../support/world/build-service.ts'
import type { Keep } from '../../support/world/keep.ts'
import {
  findLastingPorts,
  serviceEnvironment,
  startProcess,
  untilAnswering,
} from '../../support/world/service.ts'
import type { Redis } from '../../support/world/stores.ts'
import type { Random } from '../actors/random.ts'
import { createCommand } from './command.ts'
import type { World } from './world.ts'

/** How long an attempt at a receiver may take in these runs, in seconds. */
const DELIVERY_DEADLINE_SECONDS = '2'

/** Beside those of every run: deliveries are tried soon. */
export const IMPATIENT = { DELIVERY_DEADLINE_SECONDS, AUDIT_MINUTES: '1' }

type Processes = Pick<World, 'origins' | 'workerOrigins' | 'apis' | 'workers' | 'secrets'>

/** Two APIs and two workers, ready. */
export async function startProcesses(
  keep: Keep,
  stores: { appUrl: string; redis: Pick<Redis, 'url'> },
  { random, processes }: { random: Random; processes: number },
): Promise<Processes> {
  const key = randomBytes(32).toString('base64')
  const stack = { databaseUrl: stores.appUrl, redisUrl: stores.redis.url }
  const shared = {
    ...serviceEnvironment({ ...stack, encryptionKeys: `faults:${key}` }),
    ...IMPATIENT,
    // Some stacks are short of connections.
    DATABASE_CONNECTIONS: String(random.pick([2, 4, 10])),
    API_PROCESSES: String(processes),
    WORKER_PROCESSES: String(processes),
  }
  const { folder } = keep.use(await buildService())
  const create = async (name: string, entry: 'server' | 'worker') => {
    const [port = 0, metricsPort = 0] = await findLastingPorts(2)
    const ports = { PORT: String(port), METRICS_PORT: String(metricsPort) }
    const start = (count: number) => {
      const logFile = join(keep.folder, `${name}.${count}.log`)
      const script = join(folder, `${entry}.js`)
      return startProcess(name, [script], logFile, { ...shared, ...ports })
    }
    const origin = `http://127.0.0.1:${entry === 'server' ? port : metricsPort}`
    return { command: createCommand(name, processes, start, keep), origin }
  }
  const apis = [await create('api-1', 'server'), await create('api-2', 'server')]
  const workers = [await create('worker-1', 'worker'), await create('worker-2', 'worker')]
  const all = [...apis, ...workers]
  await Promise.all(all.map(({ command }) => command.start()))
  await Promise.all(all.map(({ origin }) => untilAnswering(origin)))
  return {
    origins: apis.map(({ origin }) => origin),
    workerOrigins: workers.map(({ origin }) => origin),
    apis: apis.map(({ command }) => command),
    workers: workers.map(({ command }) => command),
    secrets: [key],
  }
}
