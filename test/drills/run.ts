// npm run drills: does what an operator does, with real servers under signed traffic, and shows what
// it cost. See docs/drills.md.
import { spawnSync } from 'node:child_process'
import { loadavg } from 'node:os'
import { ensureNativeRedis } from '../faults/world/native-redis.ts'
import { carryOut, type Drill, findMissed, type Outcome } from './drill.ts'
import { backup } from './drills/backup.ts'
import { badRelease } from './drills/bad-release.ts'
import { postgresFailover, redisFailover } from './drills/failovers.ts'
import { keyRotation } from './drills/key-rotation.ts'
import { pointInTime } from './drills/point-in-time.ts'
import { kills, rollingRestart } from './drills/replacing.ts'
import { tenantMove } from './drills/tenant-move.ts'
import { readOptions } from './options.ts'
import { formatRow, formatTable, writeDocument } from './table.ts'
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
  tenantMove,
]

const NAMES = DRILLS.map(({ name }) => name)

const options = readOptions(process.argv.slice(2), NAMES)
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
  const [load = 0] = loadavg()
  const rows = new Map<string, string>()
  const count = { passed: 0, failed: 0, notRun: 0 }
  for (const drill of DRILLS.filter(({ name }) => options.only.has(name))) {
    console.log(`${drill.name}: ${drill.title}`)
    const obstacle = drill.findObstacle?.()
    if (obstacle !== undefined) {
      console.log(`  not run: ${obstacle}`)
      count.notRun += 1
      continue
    }
    const { outcome, problems } = await runOne(drill)
    for (const problem of problems.slice(0, 20)) console.log(`  ✗ ${problem}`)
    count[problems.length === 0 ? 'passed' : 'failed'] += 1
    if (outcome) rows.set(drill.name, formatRow(drill, outcome))
  }
  console.log(formatTable([...rows.values()]))
  if (options.write) writeDocument(NAMES, rows, load)
  console.log(`${count.passed} passed, ${count.failed} failed, ${count.notRun} not run`)
  return count.failed + count.notRun === 0 ? 0 : 1
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
