import { execFile, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createSealer } from '../../src/core/sealing.ts'
import type { StackName } from '../../src/db/connections/stack-identity.ts'
import { createDatabase, type Db } from '../../src/db/database.ts'
import { migrateToLatest } from '../../src/db/migrate/migrate.ts'
import { untilReady } from '../../src/local/child.ts'
import { LocalFailure } from '../../src/local/local-failure.ts'
import { ALLOCATOR, NODE_FLAGS } from '../../src/local/process-options.ts'
import type { Keep } from '../support/world/keep.ts'
import {
  CHECKOUT,
  findLastingPorts,
  serviceEnvironment,
  startProcess,
} from '../support/world/service.ts'
import { type Stores, startStores } from '../support/world/stores.ts'
import type { Load, LoadResult } from './companions/load.ts'
import type { ReceiverAnswer, ReceiverQuestion } from './companions/receiver.ts'

/** The key that seals a database's secrets. */
export const ENCRYPTION_KEY = { id: 'bench', bytes: Buffer.alloc(32, 7) }

/** What is measured on: durable stores, and the folder of the CPU profiles, where there are to be any. */
export type Bench = { keep: Keep; stores: Stores; db: Db; profile: string | undefined }

/**
 * Starts what a measurement runs on: the packaged PostgreSQL with its durable defaults (fsync,
 * synchronous_commit and full_page_writes on) on a disk, migrated, and the machine's own Redis.
 */
export async function openBench(
  keep: Keep,
  stack: StackName,
  profile: string | undefined,
): Promise<Bench> {
  const stores = await startStores(keep, { isVolatile: true })
  if (stores.redis.kind === 'packaged Valkey') {
    throw new LocalFailure(
      'The benchmark needs a native redis-server or valkey-server (7 or later) on the path: the packaged store is too slow to measure against.',
    )
  }
  await migrateToLatest(stores.databaseUrl, { stack })
  const sealer = createSealer([ENCRYPTION_KEY])
  const db = createDatabase({ connectionString: stores.databaseUrl, maxConnections: 4, sealer })
  keep.defer(() => db.destroy())
  return { keep, stores, db, profile }
}

/** What the API and the worker are configured with. */
export function environmentOf({ stores }: Bench) {
  const { id, bytes } = ENCRYPTION_KEY
  return serviceEnvironment({ ...stores, encryptionKeys: `${id}:${bytes.toString('base64')}` })
}

export type Service = { pid: number; port: number; metricsPort: number }

let built: Promise<unknown> | undefined
let started = 0

/** Starts the API or the worker as the image does: built, and logging to a file descriptor. A profile is
 * of its sources, whose functions it names. */
export async function startService(
  bench: Bench,
  entry: 'server' | 'worker',
  cleanup: AsyncDisposableStack,
  environment: Record<string, string> = {},
): Promise<Service> {
  const { keep, profile } = bench
  const build = join(CHECKOUT, 'scripts', 'build-service.ts')
  built ??= promisify(execFile)(process.execPath, [build])
  await built
  const args =
    profile === undefined
      ? [join(CHECKOUT, 'dist', 'service', `${entry}.js`)]
      : ['--cpu-prof', `--cpu-prof-dir=${profile}`, join(CHECKOUT, 'src', `${entry}.ts`)]
  const [port = 0, metricsPort = 0] = await findLastingPorts(2)
  started += 1
  const child = await startProcess(entry, args, join(keep.folder, `${entry}-${started}.log`), {
    ...environmentOf(bench),
    ...environment,
    // The image has none.
    NODE_COMPILE_CACHE: undefined,
    PORT: String(port),
    METRICS_PORT: String(metricsPort),
  })
  keep.onStarted(child.identity)
  cleanup.defer(() => child.stop())
  const readiness = `http://127.0.0.1:${metricsPort}/readyz`
  await untilReady(child, async () => {
    const answer = await fetch(readiness, { signal: AbortSignal.timeout(2_000) }).catch(() => null)
    return answer?.ok === true
  })
  return { pid: child.identity.pid, port, metricsPort }
}

export type Companion<Question, Answer> = { ask(question: Question): Promise<Answer> }

/** Runs a script of `companions/` beside us, with the options of a service; `ask` sends it a message and
 * resolves to its answer. */
export function startCompanion<Question extends object, Answer>(
  script: string,
  cleanup: AsyncDisposableStack,
): Companion<Question, Answer> {
  const child = fork(join(import.meta.dirname, `${script}.ts`), {
    serialization: 'advanced',
    execArgv: [...NODE_FLAGS],
    env: { ...process.env, ...ALLOCATOR },
  })
  const ended = once(child, 'exit')
  cleanup.defer(async () => {
    if (child.connected) child.disconnect()
    await ended
  })
  const failed = ended.then(([code]) => {
    throw new Error(`${script} ended with exit code ${code}`)
  })
  failed.catch(() => undefined)
  return {
    async ask(question) {
      const answered = once(child, 'message')
      child.send(question)
      const [answer] = await Promise.race([answered, failed])
      return answer as Answer
    },
  }
}

/** A tenant's endpoint in a process of its own. */
export async function startReceiver(cleanup: AsyncDisposableStack, host = '127.0.0.1') {
  const receiver = startCompanion<ReceiverQuestion, ReceiverAnswer>('companions/receiver', cleanup)
  const { port } = await receiver.ask({ ask: 'listen', host })
  return { ...receiver, port }
}

/** Signs and sends a load, every answer to which must be a 2xx. */
export function startGenerator(cleanup: AsyncDisposableStack): (load: Load) => Promise<LoadResult> {
  const generator = startCompanion<Load, LoadResult | { failure: string }>(
    'companions/load',
    cleanup,
  )
  return async (load) => {
    const result = await generator.ask(load)
    if ('failure' in result) throw new Error(`${load.method} ${load.targets[0]}: ${result.failure}`)
    return result
  }
}

/** Begins so many a second, whether or not those before have ended, until it is over; all have ended then. */
export async function pace(
  perSecond: number,
  isOver: (begun: number) => boolean,
  begin: (at: number) => Promise<unknown>,
): Promise<void> {
  const startedAt = performance.now()
  const running = new Set<Promise<unknown>>()
  for (let at = 0; !isOver(at); ) {
    const due = ((performance.now() - startedAt) * perSecond) / 1_000
    for (; at < due && !isOver(at); at += 1) {
      const one = begin(at).finally(() => running.delete(one))
      running.add(one)
    }
    await new Promise((resolve) => setTimeout(resolve, 2))
  }
  await Promise.all(running)
}

type Memory = { residentMiB: number; heapMiB: number }
export type MemorySamples = Record<'server' | 'worker', Memory[]>

const SAMPLE_MS = 5_000

/** What the processes hold, every five seconds: all that they have of the machine, and their heaps. */
export function sampleMemory(
  processes: Record<'server' | 'worker', Service>,
  cleanup: AsyncDisposableStack,
): MemorySamples {
  const samples: MemorySamples = { server: [], worker: [] }
  const sample = async (entry: 'server' | 'worker') => {
    // One that is too busy to answer is asked again with the next sample.
    const memory = await readMemory(processes[entry]).catch(() => undefined)
    if (memory) samples[entry].push(memory)
  }
  const sampling = setInterval(() => {
    void sample('server')
    void sample('worker')
  }, SAMPLE_MS)
  cleanup.defer(() => clearInterval(sampling))
  return samples
}

async function readMemory({ metricsPort }: Service): Promise<Memory> {
  const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
  const readMiB = (metric: string) => {
    const bytes = new RegExp(`^${metric} (\\d+)`, 'm').exec(text)?.[1]
    if (bytes === undefined) throw new Error(`no metric ${metric}`)
    return Number(bytes) / 1_048_576
  }
  return {
    residentMiB: readMiB('process_resident_memory_bytes'),
    heapMiB: readMiB('nodejs_heap_size_used_bytes'),
  }
}
