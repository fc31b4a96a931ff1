// npm run test:faults: breaks real processes while tenants work, then holds the service to its
// promises. See docs/faults.md.
import { parseArgs } from 'node:util'
import { describePlan, runFaults } from './driver.ts'
import { ensureNativeRedis } from './world/native-redis.ts'

/**
 * Seeds of the short run, which between them do every fault there is: one that kills everything,
 * one with pools of two connections, one that pauses what can be paused, one that is without Redis
 * for longer than any answer or delivery may take. A seed that has found a defect is added here.
 */
const KEPT_SEEDS = [7, 92, 59, 201]

/** What a machine can start within a minute. */
const MOST_PROCESSES = 8

const HELP = `npm run test:faults -- [options]

  --seed N       one run, as that seed has it; may be given more than once
  --runs N       so many runs with seeds of their own
  --minutes N    runs with seeds of their own until so much time is over
  --long         runs of over a minute, with pauses of up to half a minute
  --scaled       through PgBouncer, over a Redis Cluster of three masters
  --citus        on the Citus cluster of CITUS_URL
  --processes N  with each API and each worker as N processes of one command
  --verbose      prints every kind of answer with its count
  --plan         only print what would be done

Without options: the short run that every change must pass.`

const { values } = parseArgs({
  options: {
    seed: { type: 'string', multiple: true },
    runs: { type: 'string' },
    minutes: { type: 'string' },
    long: { type: 'boolean', default: false },
    scaled: { type: 'boolean', default: false },
    citus: { type: 'boolean', default: false },
    processes: { type: 'string', default: '1' },
    verbose: { type: 'boolean', default: false },
    plan: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  // What was started is ended by the run's keeper, whatever becomes of this process.
  process.on(signal, () => process.exit(130))
}
const { CITUS_URL } = process.env
const processes = Number(values.processes)
if (values.help) console.log(HELP)
else if (values.citus && !CITUS_URL) {
  console.error('CITUS_URL is not set: set it to the coordinator of a Citus cluster.')
  process.exitCode = 1
} else if (!Number.isInteger(processes) || processes < 1 || processes > MOST_PROCESSES) {
  console.error(`--processes must be a whole number from 1 to ${MOST_PROCESSES}.`)
  process.exitCode = 1
} else process.exitCode = await main()

async function main(): Promise<number> {
  if (!values.plan) ensureNativeRedis((line) => console.log(line))
  let passed = 0
  let failed = 0
  for (const seed of seeds()) {
    const option = describeOptions()
    console.log(`Seed ${seed} (npm run test:faults -- --seed ${seed}${option})`)
    if (values.plan) {
      for (const line of describePlan(seed, { isLong: values.long, processes }))
        console.log(`  ${line}`)
      continue
    }
    const outcome = await runOne(seed)
    passed += outcome.passed
    failed += outcome.failed
  }
  console.log(`${passed} passed, ${failed} failed`)
  return failed === 0 ? 0 : 1
}

/** Those that a run of one seed needs to be repeated. */
function describeOptions(): string {
  const given = [
    values.long && '--long',
    values.scaled && '--scaled',
    values.citus && '--citus',
    processes > 1 && `--processes ${processes}`,
  ]
  return given.map((option) => (option ? ` ${option}` : '')).join('')
}

async function runOne(seed: number): Promise<{ passed: number; failed: number }> {
  const startedAt = Date.now()
  try {
    const verdict = await runFaults({
      seed,
      isLong: values.long,
      isScaled: values.scaled,
      citusUrl: values.citus ? CITUS_URL : undefined,
      processes,
      isVerbose: values.verbose,
      say: (line) => console.log(line),
    })
    for (const { check, problems } of verdict) {
      console.log(`  ${problems.length === 0 ? '✓' : '✗'} ${check}`)
      for (const problem of problems.slice(0, 20)) console.log(`      ${problem}`)
      if (problems.length > 20) console.log(`      and ${problems.length - 20} more`)
    }
    console.log(`  ${((Date.now() - startedAt) / 1_000).toFixed(0)} s`)
    const failed = verdict.filter(({ problems }) => problems.length > 0).length
    return { passed: verdict.length - failed, failed }
  } catch (error) {
    console.error(error)
    return { passed: 0, failed: 1 }
  }
}

function* seeds(): Generator<number> {
  const count = values.runs === undefined ? undefined : Number(values.runs)
  const until =
    values.minutes === undefined ? undefined : Date.now() + Number(values.minutes) * 60_000
  if (values.seed) yield* values.seed.map(Number)
  else if (count === undefined && until === undefined) yield* KEPT_SEEDS
  else {
    for (let run = 0; run < (count ?? Number.POSITIVE_INFINITY); run += 1) {
      if (until !== undefined && Date.now() > until) return
      yield Math.floor(Math.random() * 1_000_000)
    }
  }
}
