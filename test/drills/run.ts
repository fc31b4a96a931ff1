// npm run drills: does what an operator does, with real servers under signed traffic, and shows what
// it cost. See docs/drills.md.
import { spawnSync } from 'node:child_process'
import { loadavg } from 'node:os'
import { LocalFailure } from '../../src/local/local-failure.ts'
import { type DrillOptions, drillsCommand, readOptions } from '../support/runs/options.ts'
import { type Run, runProgram } from '../support/runs/run.ts'
import { openKeep } from '../support/world/keep.ts'
import { ensureNativeRedis } from '../support/world/native-redis.ts'
import { carryOut, type Drill, findMissed, type Outcome } from './drill.ts'
import { backup } from './drills/backup.ts'
import { badRelease } from './drills/bad-release.ts'
import { clockJump } from './drills/clock-jump.ts'
import { diskFull } from './drills/disk-full.ts'
import { dnsChange } from './drills/dns-change.ts'
import { postgresFailover, redisFailover } from './drills/failovers.ts'
import { firstTenant } from './drills/first-tenant.ts'
import { keyRotation } from './drills/key-rotation.ts'
import { pointInTime } from './drills/point-in-time.ts'
import { poisonedBreaker } from './drills/poisoned-breaker.ts'
import { kills, rollingRestart } from './drills/replacing.ts'
import { stalledLog } from './drills/stalled-log.ts'
import { silentFailover, vanishingAnswers, vanishingPackets } from './drills/vanishing-packets.ts'
import { formatRow, formatTable, writeDocument } from './table.ts'

const DRILLS: readonly Drill[] = [
  rollingRestart,
  kills,
  badRelease,
  postgresFailover,
  redisFailover,
  pointInTime,
  backup,
  keyRotation,
  vanishingPackets,
  vanishingAnswers,
  silentFailover,
  diskFull,
  stalledLog,
  clockJump,
  dnsChange,
  poisonedBreaker,
  firstTenant,
]

const NAMES = DRILLS.map(({ name }) => name)

const options = readOptions<DrillOptions>(drillsCommand(NAMES))

await runProgram(async (run) => {
  for (const [program, option] of [
    ['haproxy', '-v'],
    ['prometheus', '--version'],
  ] as const) {
    if (spawnSync(program, [option]).status === 0) continue
    throw new LocalFailure(`The drills need ${program} on the path: apt-get install ${program}.`)
  }
  ensureNativeRedis(run.say)
  const [load = 0] = loadavg()
  const rows = new Map<string, string>()
  for (const drill of DRILLS.filter(({ name }) => options.only.has(name))) {
    run.say(`${drill.name}: ${drill.title}`)
    const obstacle = drill.findObstacle?.()
    if (obstacle !== undefined) run.leaveOut(drill.name, obstacle)
    else {
      const outcome = await runOne(drill, run)
      if (outcome) rows.set(drill.name, formatRow(drill, outcome))
    }
  }
  run.say(formatTable([...rows.values()]))
  if (options.write) writeDocument(NAMES, rows, load)
})

async function runOne(drill: Drill, run: Run): Promise<Outcome | undefined> {
  await using keep = openKeep(`drill-${drill.name}`)
  const say = (line: string) => run.say(`  ${line}`)
  const outcome = await carryOut(drill, { keep, say })
  const problems = outcome ? [...findMissed(drill, outcome), ...outcome.problems] : ['it broke off']
  if (problems.length > 0) {
    keep.keepData()
    say(`data and logs stay in ${keep.folder}`)
  }
  run.report(drill.name, problems)
  return outcome
}
