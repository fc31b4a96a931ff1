import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { inspect } from 'node:util'
import { isConnectionLost } from '../../src/db/errors.ts'
import type { Stage } from './actors/actor.ts'
import { borrow } from './actors/borrowing.ts'
import { listen } from './actors/listening.ts'
import { moveMarket } from './actors/market.ts'
import { createRandom, type Random } from './actors/random.ts'
import { type Receivers, startReceivers } from './actors/receivers.ts'
import { openTenant, type Tenant } from './actors/tenant.ts'
import { steadyPathOf } from './checks/check-times.ts'
import { openSentLog, type SentLog } from './checks/sent-log.ts'
import { findViolations, reachVerdict, type Verdict } from './checks/verdict.ts'
import { createDisturbances, type Disturbances } from './disturbances.ts'
import {
  describeFault,
  doFault,
  type PlannedFault,
  type PlanOptions,
  planFaults,
} from './faults.ts'
import { watchIdleSessions } from './world/idle-sessions.ts'
import { countHappenings } from './world/settle.ts'
import { openWorld, type World } from './world/world.ts'

export type RunOptions = {
  seed: number
  /** Longer, with pauses as long as on the reliability page. */
  isLong: boolean
  /** Over PgBouncer and a Redis Cluster. */
  isScaled: boolean
  /** The coordinator of a Citus cluster, in place of a PostgreSQL of the run's own. */
  citusUrl: string | undefined
  /** Of each API and each worker. */
  processes: number
  /** Prints every kind of answer with its count. */
  isVerbose: boolean
  say(line: string): void
}

const SHORT_MS = 18_000
const LONG_MS = 75_000
const TENANTS = 3
const BORROWERS_AT_ONCE = 2

/**
 * One run: a stack of real processes, tenants at work on it, and the faults that the seed has chosen.
 * Then everything is healed, comes to rest, and is held to its promises.
 */
export async function runFaults(options: RunOptions): Promise<Verdict> {
  const { seed, isLong, isVerbose, say } = options
  const random = createRandom(`faults ${seed}`)
  const plan = planFaults(random.fork('plan'), isLong ? LONG_MS : SHORT_MS, options)
  await using owned = new AsyncDisposableStack()
  const world = owned.use(await openWorld(random.fork('world'), options))
  const receivers = owned.use(await startReceivers())
  const log = owned.use(openSentLog(join(world.folder, 'sent.jsonl')))
  const tenants: Tenant[] = []
  for (let index = 1; index <= TENANTS; index += 1) {
    tenants.push(await openTenant(world, log, `tenant-${index}`, random.fork(`ways ${index}`)))
  }
  const canaries = tenants.map(() => `canary${randomBytes(8).toString('hex')}`)
  for (const { name, client } of tenants) {
    await client.registerWebhook({ url: receivers.urlOf(steadyPathOf(name)) })
  }
  const complaints: string[] = []
  const disturbances = createDisturbances()
  const stage = {
    tenants,
    canaries,
    receivers,
    random,
    disturbances,
    complain: (text: string) => void complaints.push(text),
  }
  say(`  Redis is ${world.redis.kind}; data and logs in ${world.folder}`)
  await actAndBreak({ ...stage, world, plan, say, lengthMs: isLong ? LONG_MS : SHORT_MS })
  for (const path of receivers.paths()) receivers.behave(path, 'ok')
  say(`  healed; ${summarise(tenants, log, receivers)}`)
  const verdict = await reachVerdict({
    ...stage,
    world,
    log,
    complaints,
    say: (line) => say(`  ${line}`),
  })
  if (isVerbose) for (const line of listAnswers(tenants)) say(`    ${line}`)
  say(`  ${await countHappenings(world.db)}`)
  if (verdict.some(({ problems }) => problems.length > 0)) world.keepData()
  return verdict
}

type Play = {
  world: World
  tenants: readonly Tenant[]
  canaries: readonly string[]
  receivers: Receivers
  random: Random
  disturbances: Disturbances
  plan: readonly PlannedFault[]
  lengthMs: number
  complain(text: string): void
  say(line: string): void
}

/** Traffic, faults, and the audit beside them; resolves once all have ended and all is undone. */
async function actAndBreak(play: Play): Promise<void> {
  const stop = new AbortController()
  const acting = play.tenants.flatMap((tenant, index) =>
    startActors(play, tenant, index, stop.signal),
  )
  const auditing = auditUntilStopped(play, stop.signal)
  const { db } = play.world
  const watching = watchIdleSessions(db, play.disturbances, stop.signal, play.complain)
  const startedAt = Date.now()
  const faults = play.plan.map(async (fault) => {
    await pause(Math.max(0, startedAt + fault.atMs - Date.now()))
    const report = (text: string) => play.say(`  ${text}`)
    await noteFailure(describeFault(fault), doFault({ ...play, report }, fault), play.complain)
  })
  await Promise.all([pause(play.lengthMs), ...faults])
  stop.abort()
  await Promise.all([...acting, auditing])
  play.say(`  sessions were idle in a transaction for at most ${await watching} ms`)
}

function startActors(
  { tenants, canaries, receivers, random, complain }: Play,
  tenant: Tenant,
  index: number,
  stop: AbortSignal,
): Promise<void>[] {
  const others = tenants.filter((other) => other !== tenant)
  const stageFor = (role: string): Stage => ({
    tenant,
    others,
    random: random.fork(`${tenant.name} ${role}`),
    receivers,
    stop,
    canary: canaries[index] ?? '',
    complain,
  })
  const start = (role: string, act: (stage: Stage) => Promise<void>) =>
    noteFailure(`${tenant.name} ${role}`, act(stageFor(role)), complain)
  const borrowing = Array.from({ length: BORROWERS_AT_ONCE }, (_, nth) =>
    start(`borrower ${nth}`, borrow),
  )
  return [...borrowing, start('webhooks', listen), start('market', moveMarket)]
}

/** What breaks the driver itself is a complaint of the verdict: the run continues and is checked. */
async function noteFailure(
  who: string,
  act: Promise<void>,
  complain: (text: string) => void,
): Promise<void> {
  await act.catch((error) => complain(`${who} broke off: ${inspect(error)}`))
}

/** Work in progress is never a violation: audits run during the load. */
async function auditUntilStopped({ world, complain }: Play, stop: AbortSignal): Promise<void> {
  let audits = 0
  while (!stop.aborted) {
    try {
      const violations = await findViolations(world)
      for (const violation of violations) complain(`seen on the way: ${violation}`)
      audits += 1
    } catch (error) {
      // The database may be away.
      if (!isConnectionLost(error)) complain(`the audit on the way broke off: ${inspect(error)}`)
    }
    await pause(3_000, undefined, { signal: stop }).catch(() => undefined)
  }
  if (audits === 0) complain('no audit on the way came to its end')
}

function summarise(tenants: readonly Tenant[], log: SentLog, receivers: Receivers): string {
  const answers = tenants.flatMap(({ counts }) => [...counts])
  const total = (pattern: RegExp) =>
    answers.reduce((sum, [line, times]) => sum + (pattern.test(line) ? times : 0), 0)
  const sent = log.read().filter(({ kind }) => kind === 'sent').length
  return `${sent} mutations sent, ${total(/ 2\d\d$/)} answers 2xx, ${total(/ 4\d\d$/)} 4xx, ${total(/ 503$/)} 503, ${receivers.received.length} deliveries received`
}

/** Every kind of answer, the most frequent first. */
function listAnswers(tenants: readonly Tenant[]): string[] {
  const sums = new Map<string, number>()
  for (const [line, times] of tenants.flatMap(({ counts }) => [...counts])) {
    sums.set(line, (sums.get(line) ?? 0) + times)
  }
  const sorted = [...sums].sort(([, a], [, b]) => b - a)
  return sorted.map(([line, times]) => `${String(times).padStart(5)}  ${line}`)
}

/** What a seed will do, without doing it. */
export function describePlan(seed: number, options: PlanOptions): string[] {
  const random = createRandom(`faults ${seed}`).fork('plan')
  return planFaults(random, options.isLong ? LONG_MS : SHORT_MS, options).map(describeFault)
}
