import { execFile, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type Child, startChild, untilReady } from '../../../src/local/child.ts'
import { findFreePorts } from '../../../src/local/free-ports.ts'
import { ALLOCATOR, NODE_FLAGS } from '../../../src/local/process-options.ts'
import type { Stores } from '../stores.ts'

/** The key that seals this database's secrets. */
export const ENCRYPTION_KEY = { id: 'bench', bytes: Buffer.alloc(32, 7) }

const ROOT = join(import.meta.dirname, '..', '..', '..')

/** No measurement may meet a limit: half a million tokens a second. */
const UNLIMITED = ['reads', 'money', 'portfolio_ingest']
  .map((name) => `${name}=500000/500000`)
  .join(',')

/** What the API and the worker are configured with: production defaults, but for the limits. */
export function serviceEnvironment(stores: { databaseUrl: string; redisUrl: string }) {
  return {
    STACK: 'sandbox',
    DATABASE_URL: stores.databaseUrl,
    REDIS_URL: stores.redisUrl,
    ENCRYPTION_KEYS: `${ENCRYPTION_KEY.id}:${ENCRYPTION_KEY.bytes.toString('base64')}`,
    RATE_LIMITS: UNLIMITED,
    HOST: '127.0.0.1',
    WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
  }
}

export type Service = { pid: number; port: number; metricsPort: number; stop(): Promise<void> }

type ServiceStores = Pick<Stores, 'folder' | 'databaseUrl' | 'redisUrl'>

/** Starts the API or the worker as the image does: built, and logging to a file descriptor. */
export async function startService(
  entry: 'server' | 'worker',
  stores: ServiceStores,
  cleanup: AsyncDisposableStack,
  environment: Record<string, string> = {},
): Promise<Service> {
  built ??= promisify(execFile)(process.execPath, [join(ROOT, 'scripts', 'build-service.ts')])
  await built
  const script = join('dist', 'service', `${entry}.js`)
  return await start([...NODE_FLAGS, script], { entry, stores, cleanup, environment })
}

/** The API from its sources, for options that name or report files of these. */
export async function startSources(
  stores: ServiceStores,
  cleanup: AsyncDisposableStack,
  nodeOptions: readonly string[] = [],
): Promise<Service> {
  const script = join('src', 'server.ts')
  const options = { entry: 'server', stores, cleanup, environment: {} }
  return await start([...NODE_FLAGS, ...nodeOptions, script], options)
}

let built: Promise<unknown> | undefined

type Launch = {
  entry: string
  stores: ServiceStores
  cleanup: AsyncDisposableStack
  environment: Record<string, string>
}

async function start(
  args: readonly string[],
  { entry, stores, cleanup, environment }: Launch,
): Promise<Service> {
  const [port = 0, metricsPort = 0] = await findFreePorts(2)
  const child = await startChild({
    name: entry,
    command: process.execPath,
    args,
    cwd: ROOT,
    logFile: join(stores.folder, `${entry}.log`),
    env: {
      ...process.env,
      ...ALLOCATOR,
      ...serviceEnvironment(stores),
      ...environment,
      NODE_ENV: 'production',
      // The image has none.
      NODE_COMPILE_CACHE: undefined,
      PORT: String(port),
      METRICS_PORT: String(metricsPort),
    },
    stopSignal: 'SIGTERM',
    stopSeconds: 30,
  })
  cleanup.defer(() => child.stop())
  await untilReady(child, () => isAnswering(`http://127.0.0.1:${metricsPort}/readyz`))
  return { pid: child.identity.pid, port, metricsPort, stop: () => stopOnce(child) }
}

const stopping = new WeakMap<Child, Promise<void>>()

function stopOnce(child: Child): Promise<void> {
  const stopped = stopping.get(child) ?? child.stop()
  stopping.set(child, stopped)
  return stopped
}

async function isAnswering(url: string): Promise<boolean> {
  try {
    return (await fetch(url, { signal: AbortSignal.timeout(2_000) })).ok
  } catch {
    return false
  }
}

export type Companion<Question, Answer> = { ask(question: Question): Promise<Answer> }

/** Runs one of our own scripts beside us, with the options of a service; `ask` sends it a message and
 * resolves to its answer. */
export function startCompanion<Question extends object, Answer>(
  script: URL,
  cleanup: AsyncDisposableStack,
): Companion<Question, Answer> {
  const child = fork(script, {
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
    throw new Error(`${script.pathname} ended with exit code ${code}`)
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

/** The other side of `startCompanion`: answers each message; the process ends with its parent. */
export function answerQuestions<Question, Answer>(
  answer: (question: Question) => Promise<Answer>,
): void {
  const send = async (question: Question) => process.send?.(await answer(question))
  // One that cannot be answered ends this process, which the parent reports.
  process.on('message', (question) => void send(question as Question))
  process.on('disconnect', () => process.exit())
}
