import { inspect } from 'node:util'
import { checkEffects } from '../faults/checks/check-effects.ts'
import { checkReceivers } from '../faults/checks/check-receivers.ts'
import { replayAll } from '../faults/checks/replays.ts'
import { findViolations } from '../faults/checks/verdict.ts'
import { settle } from '../faults/world/settle.ts'
import type { Keep } from '../support/world/keep.ts'
import type { Stack } from './world/stack.ts'
import { type Measured, startTraffic, type Traffic } from './world/traffic.ts'
import { type Seen, startWatch, UNNOTICED_MS, type Watch } from './world/watch.ts'

export type Stage = { keep: Keep; say(line: string): void }

export type Drill = {
  name: string
  /** What happens, as the table has it. */
  title: string
  /** Failed requests that it may cost, and its longest gap. */
  aim: { failures?: 0; gapMs?: number }
  /** The service is stopped meanwhile, and only what is from before this may not be lost. */
  stops?: string
  /** Why it cannot be done on this machine. */
  findObstacle?(): string | undefined
  run(stage: Stage): Promise<Outcome>
}

export type Outcome = { measured: Measured; seen?: Seen; problems: string[] }

/** Traffic before, during and after what the operator does; then nothing acknowledged may be lost. Where the
 * service was away for longer than a person may overlook, one must have been woken. */
export async function drillUnderTraffic(
  { keep, say }: Stage,
  stack: Stack,
  act: (traffic: Traffic, watch: Watch) => Promise<string[] | undefined>,
): Promise<Outcome> {
  const traffic = await startTraffic(keep, stack)
  const watch = await startWatch(keep, stack)
  await traffic.untilServed(80)
  watch.begin()
  const problems = (await act(traffic, watch)) ?? []
  await traffic.untilServed(80)
  const [measured, seen] = await Promise.all([traffic.stop(), watch.end()])
  const { requests, longestGapMs } = measured
  say(`${requests} requests; failed: ${describeFailures(measured)}; longest gap ${longestGapMs} ms`)
  for (const [what, lines] of [
    ['/readyz', seen.readiness],
    ['alarms', seen.alarms],
    ['log', seen.log],
  ] as const) {
    say(`${what}: ${lines.join('; ') || 'nothing'}`)
  }
  if (longestGapMs > UNNOTICED_MS && seen.page === undefined) {
    problems.push('the service was away, and no alarm has woken a person')
  }
  problems.push(...(await findLosses(stack, traffic, say)))
  return { measured, seen, problems }
}

/** Repeats every request and holds database and receivers against what was answered. */
export async function findLosses(
  stack: Pick<Stack, 'db' | 'origins'>,
  { tenants, log, receivers, complaints }: Traffic,
  say: (line: string) => void,
): Promise<string[]> {
  const { db } = stack
  return [
    ...complaints,
    ...(await settle(stack, say)),
    ...(await replayAll(log, tenants)),
    ...(await settle(stack, () => undefined)),
    ...(await checkEffects(db, log)),
    ...(await findViolations({ db })),
    ...(await checkReceivers(db, receivers, tenants, log)),
  ]
}

export function describeFailures({ failures }: Measured): string {
  const kinds = Object.entries(failures).map(([kind, times]) => `${times} × ${kind}`)
  return kinds.length === 0 ? 'none' : kinds.join(', ')
}

/** Root alone makes file systems and mounts. */
export const findMissingRoot = () => (process.getuid?.() === 0 ? undefined : 'it needs root')

/** What of its aim a drill has missed. */
export function findMissed({ aim }: Drill, { measured }: Outcome): string[] {
  const { failures, gapMs } = aim
  const failed = Object.keys(measured.failures).length > 0
  return [
    ...(failures === 0 && failed ? [`requests failed: ${describeFailures(measured)}`] : []),
    ...(gapMs !== undefined && measured.longestGapMs > gapMs
      ? [`no write was answered for ${measured.longestGapMs} ms, aim ${gapMs}`]
      : []),
  ]
}

/** The outcome, or what it broke off with. */
export async function carryOut(drill: Drill, stage: Stage): Promise<Outcome | undefined> {
  try {
    return await drill.run(stage)
  } catch (error) {
    stage.say(inspect(error))
    return undefined
  }
}
