import { randomInt } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type Child, type ChildSpec, startChild } from '../../../src/local/child.ts'
import { requireFreePort } from '../../../src/local/free-ports.ts'
import { ALLOCATOR, NODE_FLAGS } from '../../../src/local/process-options.ts'
import type { ServiceEvents } from './keep.ts'

export const CHECKOUT = join(import.meta.dirname, '..', '..', '..')

/** A process of the stack that faults are done to. */
export type Service = {
  name: string
  /** Starts it again after a kill; resolves when it runs, which is before it is ready. */
  start(): Promise<void>
  /** kill -9. */
  kill(): Promise<void>
  /** SIGSTOP and SIGCONT. */
  pause(): void
  goOn(): void
}

export type SingleProcess = Service & {
  /** 0 while none runs. */
  pid(): number
  /** Ends it as its stop signal does. */
  stop(): Promise<void>
}

/** A service that is never paused. */
export type Restarted = Pick<Service, 'name' | 'start' | 'kill'>

/** Wraps the starting of a process, of which `run` counts how often it was started. */
export function createService(
  name: string,
  run: (count: number) => Promise<Child>,
  events: ServiceEvents,
): SingleProcess {
  let child: Child | undefined
  let count = 0
  let starting: Promise<void> | undefined
  const begin = async () => {
    if (child) return
    count += 1
    const started = await run(count)
    child = started
    events.onStarted(started.identity)
    void started.ended.then((how) => {
      if (child !== started) return
      child = undefined
      events.onDied(name, how)
    })
  }
  const signal = (kind: NodeJS.Signals) => {
    if (child) process.kill(child.identity.pid, kind)
  }
  const end = async (how: (running: Child) => void) => {
    await starting
    const ended = child
    if (!ended) return
    // From here on its end is our doing.
    child = undefined
    how(ended)
    await ended.ended
  }
  return {
    name,
    pid: () => child?.identity.pid ?? 0,
    async start() {
      starting ??= begin().finally(() => {
        starting = undefined
      })
      await starting
    },
    stop: () => end((running) => void running.stop()),
    kill: () => end(({ identity }) => void process.kill(identity.pid, 'SIGKILL')),
    pause: () => signal('SIGSTOP'),
    goOn: () => signal('SIGCONT'),
  }
}

/** Starts one of our own processes, with the log of each start in a file of its own. */
export async function startProcess(
  name: string,
  args: readonly string[],
  logFile: string,
  env: NodeJS.ProcessEnv,
): Promise<Child> {
  return await startChild(nodeProcess(name, args, logFile, env))
}

/** How `startProcess` starts it. */
export function nodeProcess(
  name: string,
  args: readonly string[],
  logFile: string,
  env: NodeJS.ProcessEnv,
): ChildSpec {
  return {
    name,
    command: process.execPath,
    args: [...NODE_FLAGS, ...args],
    logFile,
    env: { ...process.env, ...ALLOCATOR, NODE_ENV: 'production', ...env },
    stopSignal: 'SIGTERM',
    stopSeconds: 30,
  }
}

/** No run may meet a limit by accident. */
const LIMITS = [
  'reads',
  'money',
  'valuation',
  'portfolio_ingest',
  'platform_config',
  'sandbox_controls',
]

/** What API and worker of a run are configured with: production defaults, but for the limits. */
export function serviceEnvironment(stack: {
  databaseUrl: string
  redisUrl: string
  encryptionKeys: string
}) {
  return {
    STACK: 'sandbox',
    DATABASE_URL: stack.databaseUrl,
    REDIS_URL: stack.redisUrl,
    ENCRYPTION_KEYS: stack.encryptionKeys,
    HOST: '127.0.0.1',
    RATE_LIMITS: LIMITS.map((name) => `${name}=500000/500000`).join(','),
    WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
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

/** Below what systems give to those who ask for any port: nothing takes one while we do not listen. */
const FROM = 20_000
const TO = 32_000

const given = new Set<number>()

/** Different free loopback ports that stay free while the process that listens there is killed. */
export async function findLastingPorts(count: number): Promise<number[]> {
  const found: number[] = []
  while (found.length < count) {
    const port = randomInt(FROM, TO)
    const isFree = await requireFreePort(port, '127.0.0.1').then(
      () => true,
      () => false,
    )
    if (given.has(port) || !isFree) continue
    given.add(port)
    found.push(port)
  }
  return found
}

export async function findLastingPort(): Promise<number> {
  const [port = 0] = await findLastingPorts(1)
  return port
}
