// `npm run bench`: see its options, and docs/measurements.md.
import { createDatabase } from '../../src/db/database.ts'
import { LocalFailure } from '../../src/local/local-failure.ts'
import { findMissed } from './aims.ts'
import { measureCrashDay } from './crash-day/crash-day.ts'
import { type CurveSizes, measureCurve } from './curve/curve.ts'
import { drawCurve } from './curve/plot.ts'
import type { Plan } from './data/plans.ts'
import { clearLeftovers, seedTenant } from './data/seed.ts'
import { writeFigures, writePicture } from './document.ts'
import { describeMachine } from './machine.ts'
import { measureBook } from './measurements/book.ts'
import { measureChainedLog } from './measurements/chained-log.ts'
import { measureCitus } from './measurements/citus.ts'
import { measureClock } from './measurements/clock.ts'
import { measureDeliveries } from './measurements/deliveries.ts'
import { measureIsolation } from './measurements/isolation.ts'
import { measureLatency } from './measurements/latency.ts'
import { measureLive } from './measurements/live.ts'
import { measureMixed, measureSoak } from './measurements/mixed.ts'
import { measurePipelines } from './measurements/pipelines.ts'
import { measureFlood, measurePortfolio } from './measurements/portfolio.ts'
import { measureProcesses } from './measurements/processes.ts'
import { measureReadings } from './measurements/readings.ts'
import { measureReplay } from './measurements/replay.ts'
import { measureRequestLog } from './measurements/request-log.ts'
import { startRequestBench } from './measurements/requests.ts'
import { measureSold } from './measurements/sold.ts'
import { measureStress } from './measurements/stress.ts'
import { measureSweep } from './measurements/sweep.ts'
import { measureTick } from './measurements/tick.ts'
import { measureWork } from './measurements/work.ts'
import { endAll, openCleanup } from './open-cleanup.ts'
import { readOptions } from './options.ts'
import { formatCosts, readDearestCosts } from './profile.ts'
import { formatTable, type Row } from './report.ts'
import { startStores } from './stores.ts'

const FULL = {
  requests: { rounds: 5, reads: 15_000, creations: 4_000, pushes: 6_000 },
  flood: { seconds: 20 },
  deliveries: { rounds: 3, backlog: 5_000 },
  live: { rounds: 3, events: 8_000 },
  latency: { seconds: 20 },
  replay: { large: 1_000_000, pages: 400 },
  isolation: { seconds: 20 },
  mixed: { seconds: 30 },
  soak: { minutes: 10 },
  pipelines: { rounds: 3, seconds: 10 },
  stress: { facilities: 100_000, rounds: 5 },
  book: { facilities: 100_000, tenants: 200, rounds: 5 },
  chainedLog: { rounds: 41, closings: 150 },
  requestLog: { rounds: 21, requests: 12_000 },
  tick: { facilities: 100_000, small: 20_000, large: 200_000, rounds: 3 },
  sweep: { webhooks: 60_000, sweeps: 2_000 },
  work: { items: 20_000, rounds: 3, backlog: 50_000, urgent: 100 },
  processes: { rounds: 5, reads: 15_000, backlog: 5_000 },
  citus: { rounds: 3, reads: 8_000, creations: 2_000, events: 3_000 },
  clock: { facilities: 200 },
  sold: { facilities: 200_000, batches: 400 },
  crash: {
    facilities: 100_000,
    tenants: 200,
    calmSeconds: 80,
    fallSeconds: 300,
    patienceSeconds: 1_200,
  },
  readings: { facilities: 100_000, tenants: 200, seconds: 120 },
  curve: {
    rounds: 3,
    largest: 10_000_000,
    reads: 8_000,
    creations: 2_000,
    events: 1_600,
    paced: 600,
  },
}
const QUICK: typeof FULL = {
  requests: { rounds: 3, reads: 6_000, creations: 1_500, pushes: 2_000 },
  flood: { seconds: 5 },
  deliveries: { rounds: 2, backlog: 2_000 },
  live: { rounds: 1, events: 2_000 },
  latency: { seconds: 5 },
  replay: { large: 100_000, pages: 100 },
  isolation: { seconds: 5 },
  mixed: { seconds: 10 },
  soak: { minutes: 2 },
  pipelines: { rounds: 2, seconds: 4 },
  stress: { facilities: 20_000, rounds: 2 },
  book: { facilities: 20_000, tenants: 20, rounds: 2 },
  chainedLog: { rounds: 9, closings: 100 },
  requestLog: { rounds: 7, requests: 6_000 },
  tick: { facilities: 20_000, small: 5_000, large: 40_000, rounds: 2 },
  sweep: { webhooks: 6_000, sweeps: 500 },
  work: { items: 8_000, rounds: 1, backlog: 50_000, urgent: 50 },
  processes: { rounds: 2, reads: 5_000, backlog: 2_000 },
  citus: { rounds: 1, reads: 2_000, creations: 500, events: 500 },
  clock: { facilities: 50 },
  sold: { facilities: 20_000, batches: 100 },
  crash: {
    facilities: 2_000,
    tenants: 200,
    calmSeconds: 75,
    fallSeconds: 60,
    patienceSeconds: 600,
  },
  readings: { facilities: 10_000, tenants: 20, seconds: 60 },
  curve: { rounds: 2, largest: 10_000, reads: 1_000, creations: 300, events: 200, paced: 100 },
}

const options = readOptions(process.argv.slice(2))

// Whatever ends the run, all that it has started ends with it, also where npm sends the signal again.
let stopping: Promise<void> | undefined
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    if (!stopping) console.error(`Stopped by ${signal}: what was started ends…`)
    stopping ??= endAll().then(() => process.exit(1))
  })
}
try {
  await run()
} catch (error) {
  // A measurement fails when what it has started ends.
  await stopping
  if (!(error instanceof LocalFailure)) throw error
  console.error(error.message)
  process.exitCode = 1
}

async function run(): Promise<void> {
  const { only: wanted } = options
  const sizes = options.quick ? QUICK : FULL
  if (wanted.has('curve')) return await runCurve(sizes.curve)
  await using cleanup = openCleanup()
  const stores = await startStores(cleanup, 'sandbox')
  const db = createDatabase({ connectionString: stores.databaseUrl, maxConnections: 4 })
  cleanup.defer(() => db.destroy())
  const machine = await describeMachine(db, stores.redisUrl)
  console.log(`${machine}\n`)

  const rows: Row[] = []
  const plans: Plan[] = []
  const note = (measured: readonly Row[]) => {
    rows.push(...measured)
    for (const { name } of measured) console.log(`measured ${name}`)
  }
  if (wanted.has('a') || wanted.has('b') || wanted.has('g')) {
    await using ended = openCleanup()
    const nodeOptions = options.profile ? ['--cpu-prof', `--cpu-prof-dir=${options.profile}`] : []
    const settings = { ...sizes.requests, nodeOptions }
    const signatory = await seedTenant(db)
    const bench = await startRequestBench(stores, signatory, settings, ended)
    if (wanted.has('a')) note(await bench.read())
    if (wanted.has('b')) note(await bench.create())
    if (wanted.has('g')) {
      note(await measurePortfolio(bench, db, signatory, sizes.requests))
      note(await measureFlood(db, stores, signatory, sizes.flood))
    }
  }
  const replay = async () => {
    const measured = await measureReplay(db, stores.databaseUrl, sizes.replay)
    plans.push(...measured.plans)
    return [measured.row]
  }
  const others: Record<string, () => Promise<readonly Row[]>> = {
    crash: () => measureLiveStack(sizes.crash),
    c: () => measureDeliveries(db, stores, sizes.deliveries),
    live: () => measureLive(db, stores, sizes.live),
    d: () => measureLatency(db, stores, sizes.latency),
    e: replay,
    f: async () => [await measureIsolation(db, stores, sizes.isolation)],
    i: () => measureMixed(db, stores, sizes.mixed),
    j: () => measureSoak(db, stores, sizes.soak),
    citus: () => measureCitus(stores, sizes.citus),
    o: async () => [await measureClock(db, sizes.clock.facilities)],
    k: async () => [await measureSweep(db, sizes.sweep)],
    l: async () => [await measurePipelines(db, stores, sizes.pipelines)],
    m: () => measureWork(db, stores, sizes.work),
    n: () => measureReadings(db, stores, sizes.readings),
    p: async () => [await measureSold(db, sizes.sold)],
    q: () => measureStress(stores.databaseUrl, sizes.stress),
    t: () => measureBook(stores.databaseUrl, sizes.book),
    s: async () => [await measureRequestLog(db, stores, sizes.requestLog)],
    r: async () => [await measureChainedLog(db, stores, sizes.chainedLog)],
    u: () => measureProcesses(db, stores, sizes.processes),
    // Last, for it fills the tables as nothing else does.
    h: () => measureTick(stores.databaseUrl, sizes.tick),
  }
  for (const [name, measure] of Object.entries(others)) {
    if (!wanted.has(name)) continue
    await clearLeftovers(db, stores.redisUrl)
    note(await measure())
  }
  console.log(`\n${formatTable(rows)}`)
  for (const { name, text } of plans) console.log(`\nPlan of the ${name}:\n${text}`)
  if (options.profile) console.log(`\n${formatCosts(readDearestCosts(options.profile))}`)
  if (options.write) writeFigures('figures.md', { machine, rows, plans })
  reportAims(rows)
}

function reportAims(rows: readonly Row[]): void {
  const missed = findMissed(rows)
  console.log(missed.length === 0 ? '\nEvery aim was met.' : '\nAims that were missed:')
  for (const line of missed) console.log(`  ${line}`)
  // Short rounds are a trial, and prove nothing either way.
  if (missed.length > 0 && !options.quick) process.exitCode = 1
}

/** With stores of its own, and a page of its own. */
async function runCurve(sizes: CurveSizes): Promise<void> {
  const { machine, rows, points } = await measureCurve(sizes)
  console.log(`\n${formatTable(rows)}`)
  if (options.write) {
    writeFigures('cost-curve.md', { machine, rows, plans: [] })
    writePicture('cost-curve.svg', drawCurve(points))
  }
  reportAims(rows)
}

/** With stores of its own: a database is of one stack. */
async function measureLiveStack(sizes: (typeof FULL)['crash']): Promise<Row[]> {
  await using cleanup = openCleanup()
  const stores = await startStores(cleanup, 'live')
  const db = createDatabase({ connectionString: stores.databaseUrl, maxConnections: 4 })
  cleanup.defer(() => db.destroy())
  return await measureCrashDay(db, stores, sizes)
}
