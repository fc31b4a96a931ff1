// `npm run bench`: see its options, and docs/performance.md.
import { rewriteFigures, stampMeasured } from '../support/runs/figures.ts'
import { type BenchOptions, benchCommand, readOptions } from '../support/runs/options.ts'
import { runProgram } from '../support/runs/run.ts'
import { openKeep } from '../support/world/keep.ts'
import { findMissed } from './aims.ts'
import { type Bench, openBench } from './bench.ts'
import { measureCrashDay } from './crash-day/crash-day.ts'
import { mergeFigures } from './figures.ts'
import { describeMachine } from './machine.ts'
import { measureBook } from './measurements/book.ts'
import { measureDeliveries } from './measurements/deliveries.ts'
import { measureLive } from './measurements/live.ts'
import { measureMixed, measureSoak } from './measurements/mixed.ts'
import { measureNeighbours } from './measurements/neighbours.ts'
import { measureRequests } from './measurements/requests.ts'
import { measureStress } from './measurements/stress.ts'
import { formatTable, type Row } from './report.ts'

type Measurement = { measure(bench: Bench, isQuick: boolean): Promise<readonly Row[]> }

/** In full, and as a trial. */
const sized = <Sizes>(
  measure: (bench: Bench, sizes: Sizes) => Promise<readonly Row[]>,
  full: NoInfer<Sizes>,
  quick: NoInfer<Sizes>,
): Measurement => ({ measure: (bench, isQuick) => measure(bench, isQuick ? quick : full) })

const MEASUREMENTS: Readonly<Record<string, Measurement>> = {
  live: sized(
    measureLive,
    { rounds: 3, events: 8_000, warmUpSeconds: 60, seconds: 20 },
    { rounds: 1, events: 2_000, warmUpSeconds: 5, seconds: 4 },
  ),
  requests: sized(
    measureRequests,
    { rounds: 5, reads: 15_000, creations: 4_000, pushes: 6_000 },
    { rounds: 3, reads: 6_000, creations: 1_500, pushes: 2_000 },
  ),
  deliveries: sized(
    measureDeliveries,
    { rounds: 3, backlog: 5_000 },
    { rounds: 2, backlog: 2_000 },
  ),
  mixed: sized(measureMixed, { seconds: 30 }, { seconds: 10 }),
  neighbours: sized(measureNeighbours, { seconds: 30 }, { seconds: 12 }),
  soak: sized(measureSoak, { minutes: 10 }, { minutes: 2 }),
  stress: sized(
    measureStress,
    { facilities: 100_000, rounds: 5 },
    { facilities: 20_000, rounds: 2 },
  ),
  book: sized(
    measureBook,
    { facilities: 100_000, tenants: 200, rounds: 5 },
    { facilities: 20_000, tenants: 20, rounds: 2 },
  ),
  crash: sized(
    measureCrashDay,
    {
      ...{ facilities: 100_000, tenants: 200 },
      ...{ calmSeconds: 80, fallSeconds: 300, patienceSeconds: 1_200 },
    },
    {
      ...{ facilities: 2_000, tenants: 200 },
      ...{ calmSeconds: 75, fallSeconds: 60, patienceSeconds: 600 },
    },
  ),
}

/** That takes longest. */
const ONLY_WHERE_NAMED = ['soak']

const options = readOptions<BenchOptions>(benchCommand(Object.keys(MEASUREMENTS), ONLY_WHERE_NAMED))
const { quick: isQuick = false } = options

await runProgram(async ({ say, report }) => {
  const rows: Row[] = []
  let machine = ''
  for (const [name, { measure }] of Object.entries(MEASUREMENTS)) {
    if (!options.only.has(name)) continue
    // Each on stores of its own: what one leaves would be taken up by the workers of the next.
    await using keep = openKeep(`bench-${name}`)
    const bench = await openBench(keep, name === 'crash' ? 'live' : 'sandbox', options.profile)
    machine ||= await describeMachine(bench.db, bench.stores.redisUrl)
    say(`${name}: ${machine}`)
    const measured = await measure(bench, isQuick)
    rows.push(...measured)
    for (const row of measured.filter(({ aim }) => aim)) {
      const missed = findMissed(row)
      if (isQuick && missed.length > 0) say(`  – ${row.name}: ${missed}, in a trial`)
      else report(row.name, missed)
    }
  }
  const table = formatTable(rows)
  say(`\n${table}\n`)
  if (!options.write) return
  rewriteFigures('performance.md', 'bench', (earlier) =>
    [`The latest run was on ${machine}.`, mergeFigures(earlier, table, stampMeasured())].join(
      '\n\n',
    ),
  )
})
