// The parent of several API or worker processes. It accepts connections and hands each to a process
// in turn; requests and work never pass through it.
import cluster, { type Worker } from 'node:cluster'
import type { Logger } from 'pino'
import type { Config } from '../../config/config.ts'
import { SECOND_MS } from '../../core/time.ts'
import { createLogger, type ProcessKind } from '../../telemetry/logger.ts'
import { readBuild } from '../build.ts'
import { drainAtSignals } from '../early-signals.ts'
import { type Channel, openChannel } from './channel.ts'
import { countDeaths, pauseAfter } from './deaths.ts'
import { createMetricsSum, type MetricsSum, type Snapshot } from './metrics-sum.ts'
import { closeUndelivered } from './undelivered.ts'

/** How long the parent waits; tests wait less. */
export type ParentWaits = {
  /** Between probes of a process, and for the answer to each. */
  probeMs: number
  /** Before a process that died young twice is replaced; the pauses after it double. */
  restartMs: number
}

const WAITS: ParentWaits = { probeMs: 5 * SECOND_MS, restartMs: SECOND_MS }

/** A process that answers none of six probes hangs: a probe to it alone could not show that. */
const MOST_UNANSWERED = 6

const SNAPSHOT_MS = 2 * SECOND_MS

/** Processes end by themselves after DRAIN_SECONDS; one that hangs does not. */
const KILL_AFTER_MS = 2 * SECOND_MS

/** Of one process, and of the next one when it dies. */
type Place = {
  number: number
  child: Child | undefined
  deaths: number
  /** Whether a process has once been ready in it. */
  hasStarted: boolean
  restart: NodeJS.Timeout | undefined
}

type Child = { worker: Worker; channel: Channel; readyAt: number | undefined; unanswered: number }

type Run = {
  logger: Logger
  places: readonly Place[]
  metrics: MetricsSum
  drainSeconds: number
  waits: ParentWaits
  /** Set once all are to end, with the code to end with. */
  ending: { code: number } | undefined
}

/** Runs `count` processes like this one until a signal drains them all. */
export function runChildren(kind: ProcessKind, count: number, config: Config, waits = WAITS): void {
  // Connections live long: left to the kernel, one process may hold nearly all of them.
  cluster.schedulingPolicy = cluster.SCHED_RR
  // Metrics have numbers that JSON has not.
  cluster.setupPrimary({ serialization: 'advanced' })
  const run: Run = {
    logger: createLogger({ ...config, kind }),
    places: Array.from({ length: count }, (_, at) => toPlace(at + 1)),
    metrics: createMetricsSum(),
    drainSeconds: config.drainSeconds,
    waits,
    ending: undefined,
  }
  drainAtSignals((signal) => {
    if (run.ending) return
    run.logger.info({ signal }, 'draining processes')
    endAll(run, 0)
  })
  const databaseConnections = count * config.databaseConnections[kind]
  run.logger.info(
    { build: readBuild(), processes: count, databaseConnections },
    'starting processes',
  )
  // A database that is away is reported by the processes.
  warnOfConnections(run.logger, config.databaseUrl, databaseConnections).catch(() => undefined)
  // One alone: what keeps it from starting would keep all from it, and is reported once.
  for (const first of run.places.slice(0, 1)) start(run, first)
  setInterval(() => probeAll(run), waits.probeMs)
}

async function warnOfConnections(logger: Logger, url: string, wanted: number): Promise<void> {
  const { readConnectionLimit } = await import('../../db/connections/connection-limit.ts')
  const available = await readConnectionLimit(url)
  if (available === undefined || wanted <= available) return
  logger.warn(
    { databaseConnections: wanted, available },
    `the processes may open ${wanted} connections, and PostgreSQL has ${available}: lower DATABASE_CONNECTIONS or raise max_connections`,
  )
}

const toPlace = (number: number): Place => ({
  ...{ number, child: undefined, deaths: 0, hasStarted: false, restart: undefined },
})

function start(run: Run, place: Place): void {
  place.restart = undefined
  const worker = cluster.fork()
  closeUndelivered(worker)
  const channel = openChannel(
    {
      // A process that has just ended receives nothing, which its exit shows.
      send: (message) => worker.send(message, undefined, undefined, () => undefined),
      onMessage: (listener) => worker.on('message', listener),
    },
    { ready: () => noteReady(run, place, child), sum: () => addUp(run) },
  )
  const child: Child = { worker, channel, readyAt: undefined, unanswered: 0 }
  place.child = child
  worker.on('error', (error) => {
    run.logger.error({ err: error, process: place.number }, 'process error')
    if (worker.process.pid === undefined) noteEnd(run, place, child, 1)
  })
  worker.on('exit', (code, signal) => noteEnd(run, place, child, signal ?? code))
}

function noteReady(run: Run, place: Place, child: Child): void {
  child.readyAt = performance.now()
  place.hasStarted = true
  run.logger.info({ process: place.number, childPid: child.worker.process.pid }, 'process started')
  for (const other of run.places) {
    if (!run.ending && !other.child && !other.restart) start(run, other)
  }
  if (!run.places.every(({ hasStarted }) => hasStarted)) return
  for (const { child: other } of run.places) {
    if (other?.readyAt !== undefined) void other.channel.ask('started', run.waits.probeMs)
  }
}

/** `how` is its exit code, or the signal that ended it. */
function noteEnd(run: Run, place: Place, child: Child, how: number | string): void {
  if (place.child !== child) return
  place.child = undefined
  run.metrics.noteEnd(place.number)
  const { ending } = run
  if (!ending) {
    replace(run, place, child, how)
    return
  }
  // A signal ends a process that does not listen yet.
  if (how !== 0 && how !== 'SIGTERM' && how !== 'SIGINT') ending.code = 1
  exitAfterLast(run)
}

function replace(run: Run, place: Place, { worker, readyAt }: Child, how: number | string): void {
  const { logger, places } = run
  const ended = { process: place.number, childPid: worker.process.pid, how }
  if (!places.some(({ hasStarted }) => hasStarted)) {
    // One that ends by itself has printed why.
    if (typeof how === 'string') logger.error(ended, 'the first process ended while starting')
    process.exit(1)
  }
  place.deaths = countDeaths(place.deaths, performance.now() - (readyAt ?? performance.now()))
  const pauseMs = pauseAfter(place.deaths, run.waits.restartMs)
  if (pauseMs === undefined) {
    logger.error({ ...ended, deaths: place.deaths }, 'process ends again and again; ending all')
    endAll(run, 1)
    return
  }
  logger.error({ ...ended, pauseMs }, 'process ended; another one starts')
  place.restart = setTimeout(() => start(run, place), pauseMs)
}

function endAll(run: Run, code: number): void {
  const ending = { code }
  run.ending = ending
  const killAll = (signal: NodeJS.Signals) => {
    for (const { child } of run.places) child?.worker.process.kill(signal)
  }
  for (const { restart } of run.places) clearTimeout(restart)
  killAll('SIGTERM')
  setTimeout(
    () => {
      run.logger.error({ drainSeconds: run.drainSeconds }, 'processes do not end; killing them')
      killAll('SIGKILL')
    },
    run.drainSeconds * SECOND_MS + KILL_AFTER_MS,
  )
  exitAfterLast(run)
}

function exitAfterLast({ logger, places, ending }: Run): void {
  if (places.some(({ child }) => child)) return
  logger.info('drained processes')
  process.exit(ending?.code)
}

function probeAll(run: Run): void {
  for (const place of run.places) {
    if (!run.ending && place.child?.readyAt !== undefined) void probe(run, place, place.child)
  }
}

async function probe(run: Run, { number }: Place, child: Child): Promise<void> {
  const isAlive = await child.channel.ask('alive', run.waits.probeMs)
  child.unanswered = isAlive ? 0 : child.unanswered + 1
  if (child.unanswered !== MOST_UNANSWERED || run.ending) return
  run.logger.error(
    { process: number, childPid: child.worker.process.pid },
    'process hangs; killing it',
  )
  child.worker.process.kill('SIGKILL')
}

async function addUp({ places, metrics }: Run): Promise<string> {
  const answered = places.map(async (place) => {
    const { child } = place
    if (child?.readyAt === undefined) return false
    const snapshot = await child.channel.ask('metrics', SNAPSHOT_MS)
    if (!snapshot || place.child !== child) return false
    metrics.note(place.number, snapshot as Snapshot)
    return true
  })
  const missing = (await Promise.all(answered)).filter((hasAnswered) => !hasAnswered)
  return await metrics.format(missing.length)
}
