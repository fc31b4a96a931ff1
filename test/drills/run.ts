// npm run drills: does what an operator does, with real servers under signed traffic, and shows what
// it cost. See docs/drills.md.
import { spawnSync } from 'node:child_process'
import { parseArgs } from 'node:util'
import { ensureNativeRedis } from '../faults/world/native-redis.ts'
import { carryOut, type Drill, describeFailures, findMissed, type Outcome } from './drill.ts'
import { backup } from './drills/backup.ts'
import { badRelease } from './drills/bad-release.ts'
import { postgresFailover, redisFailover } from './drills/failovers.ts'
import { keyRotation } from './drills/key-rotation.ts'
import { pointInTime } from './drills/point-in-time.ts'
import { kills, rollingRestart } from './drills/replacing.ts'
import { openKeep } from './world/keep.ts'

const DRILLS: readonly Drill[] = [
  rollingRestart,
  kills,
  badRelease,
  postgresFailover,
  redisFailover,
  pointInTime,
  backup,
  keyRotation,
]

const { values } = parseArgs({ options: { only: { type: 'string' } } })
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  // What was started is ended by its keeper, whatever becomes of this process.
  process.on(signal, () => process.exit(130))
}
process.exitCode = await main()

async function main(): Promise<number> {
  if (spawnSync('haproxy', ['-v']).status !== 0) {
    console.error('The drills need HAProxy on the path: apt-get install haproxy.')
    return 1
  }
  ensureNativeRedis((line) => console.log(line))
  const names = values.only?.split(',')
  const chosen = DRILLS.filter(({ name }) => names?.includes(name) ?? true)
  const rows: Record<string, string | number>[] = []
  let passed = 0
  let failed = 0
  for (const drill of chosen) {
    console.log(`${drill.name}: ${drill.title}`)
    const obstacle = drill.findObstacle?.()
    if (obstacle !== undefined) {
      console.log(`  not run: ${obstacle}`)
      continue
    }
    const { outcome, problems } = await runOne(drill)
    for (const problem of problems.slice(0, 20)) console.log(`  ✗ ${problem}`)
    if (problems.length === 0) passed += 1
    else failed += 1
    if (outcome) rows.push(toRow(drill, outcome))
  }
  console.table(rows)
  console.log(`${passed} passed, ${failed} failed`)
  return failed === 0 ? 0 : 1
}

async function runOne(drill: Drill): Promise<{ outcome: Outcome | undefined; problems: string[] }> {
  await using keep = openKeep(drill.name)
  const say = (line: string) => console.log(`  ${line}`)
  const outcome = await carryOut(drill, { keep, say })
  const problems = outcome ? [...findMissed(drill, outcome), ...outcome.problems] : ['it broke off']
  if (problems.length > 0) {
    keep.keepData()
    say(`data and logs stay in ${keep.folder}`)
  }
  return { outcome, problems }
}

function toRow({ name }: Drill, { measured, problems }: Outcome): Record<string, string | number> {
  const { requests, longestGapMs } = measured
  return {
    drill: name,
    requests,
    failed: describeFailures(measured),
    'longest gap (ms)': longestGapMs,
    lost: problems.length,
  }
}
