// npm run test:faults: breaks real processes while tenants work, then holds the service to its
// promises. See docs/faults.md.
import { inspect } from 'node:util'
import { LocalFailure } from '../../src/local/local-failure.ts'
import { type FaultOptions, faultsCommand, readOptions } from '../support/runs/options.ts'
import { type Run, runProgram } from '../support/runs/run.ts'
import { ensureNativeRedis } from '../support/world/native-redis.ts'
import { describePlan, runFaults } from './driver.ts'

/**
 * Seeds of short runs, which between them do every fault there is: one that kills everything, one with
 * pools of two connections, one that pauses what can be paused, one that is without Redis for longer
 * than any answer or delivery may take. A seed that has found a defect is added here. Every change must
 * pass the first.
 */
const KEPT_SEEDS = [7, 92, 59, 201]

const options = readOptions<FaultOptions>(faultsCommand())
const { long: isLong = false, scaled: isScaled = false, processes } = options
const { CITUS_URL } = process.env

await runProgram(async (run) => {
  if (options.citus && !CITUS_URL) {
    throw new LocalFailure('CITUS_URL is not set: set it to the coordinator of a Citus cluster.')
  }
  if (!options.plan) ensureNativeRedis(run.say)
  for (const seed of seeds()) {
    run.say(`Seed ${seed} (npm run test:faults -- --seed ${seed}${describeOptions()})`)
    if (options.plan) {
      for (const line of describePlan(seed, { isLong, processes })) run.say(`  ${line}`)
    } else await runOne(seed, run)
  }
})

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

async function runOne(seed: number, { say, report }: Run): Promise<void> {
  const startedAt = Date.now()
  try {
    const verdict = await runFaults({
      ...{ seed, isLong, isScaled, processes, say },
      citusUrl: options.citus ? CITUS_URL : undefined,
      isVerbose: options.verbose === true,
    })
    for (const { check, problems } of verdict) report(check, problems)
    say(`  ${((Date.now() - startedAt) / 1_000).toFixed(0)} s`)
  } catch (error) {
    report(`seed ${seed}`, [inspect(error)])
  }
}

function* seeds(): Generator<number> {
  const { seed: given, kept, runs, minutes } = options
  if (given) yield* given
  else if (kept) yield* KEPT_SEEDS
  else if (runs === undefined && minutes === undefined) yield* KEPT_SEEDS.slice(0, 1)
  else {
    const until = minutes === undefined ? undefined : Date.now() + minutes * 60_000
    for (let run = 0; run < (runs ?? Number.POSITIVE_INFINITY); run += 1) {
      if (until !== undefined && Date.now() > until) return
      yield Math.floor(Math.random() * 1_000_000)
    }
  }
}
