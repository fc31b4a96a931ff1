// npm run test:faults: breaks real processes while tenants work, then holds the service to its
// promises. See docs/faults.md.
import { describePlan, runFaults } from './driver.ts'
import { readOptions } from './options.ts'
import { ensureNativeRedis } from './world/native-redis.ts'

/**
 * Seeds of the short run, which between them do every fault there is: one that kills everything,
 * one with pools of two connections, one that pauses what can be paused, one that is without Redis
 * for longer than any answer or delivery may take. A seed that has found a defect is added here.
 */
const KEPT_SEEDS = [7, 92, 59, 201]

const options = readOptions(process.argv.slice(2))
const { long: isLong = false, scaled: isScaled = false, processes } = options

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  // What was started is ended by the run's keeper, whatever becomes of this process.
  process.on(signal, () => process.exit(130))
}
const { CITUS_URL } = process.env
if (options.citus && !CITUS_URL) {
  console.error('CITUS_URL is not set: set it to the coordinator of a Citus cluster.')
  process.exitCode = 1
} else process.exitCode = await main()

async function main(): Promise<number> {
  if (!options.plan) ensureNativeRedis((line) => console.log(line))
  let passed = 0
  let failed = 0
  for (const seed of seeds()) {
    const option = describeOptions()
    console.log(`Seed ${seed} (npm run test:faults -- --seed ${seed}${option})`)
    if (options.plan) {
      for (const line of describePlan(seed, { isLong, processes })) console.log(`  ${line}`)
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
    isLong && '--long',
    isScaled && '--scaled',
    options.citus && '--citus',
    processes > 1 && `--processes ${processes}`,
  ]
  return given.map((option) => (option ? ` ${option}` : '')).join('')
}

async function runOne(seed: number): Promise<{ passed: number; failed: number }> {
  const startedAt = Date.now()
  try {
    const verdict = await runFaults({
      seed,
      isLong,
      isScaled,
      citusUrl: options.citus ? CITUS_URL : undefined,
      processes,
      isVerbose: options.verbose === true,
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
  const { seed: given, runs, minutes } = options
  if (given) yield* given
  else if (runs === undefined && minutes === undefined) yield* KEPT_SEEDS
  else {
    const until = minutes === undefined ? undefined : Date.now() + minutes * 60_000
    for (let run = 0; run < (runs ?? Number.POSITIVE_INFINITY); run += 1) {
      if (until !== undefined && Date.now() > until) return
      yield Math.floor(Math.random() * 1_000_000)
    }
  }
}
