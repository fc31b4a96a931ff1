import { inspect } from 'node:util'
import type { Db } from '../../../src/db/database.ts'
import { audit } from '../../../src/domain/audit/audit.ts'
import { expectExact } from '../../support/lending/exact-books.ts'
import type { Receivers } from '../actors/receivers.ts'
import type { Tenant } from '../actors/tenant.ts'
import type { Disturbances } from '../disturbances.ts'
import { findIdleTransactions } from '../world/idle-sessions.ts'
import { settle } from '../world/settle.ts'
import type { World } from '../world/world.ts'
import { checkEffects } from './check-effects.ts'
import { checkLeaks, checkServiceLogs, checkTenants, findDeadlocks } from './check-leaks.ts'
import { checkReceivers } from './check-receivers.ts'
import { checkTimes } from './check-times.ts'
import { replayAll } from './replays.ts'
import type { SentLog } from './sent-log.ts'

/** What was checked, and everything that is wrong with it. */
export type Verdict = { check: string; problems: string[] }[]

export type Evidence = {
  world: World
  tenants: readonly Tenant[]
  receivers: Receivers
  log: SentLog
  disturbances: Disturbances
  canaries: readonly string[]
  /** What was noticed while the run went on. */
  complaints: readonly string[]
  /** Receives what was measured. */
  say(line: string): void
}

/**
 * Holds a healed world to its promises: everything comes to rest, every request repeated is answered
 * alike, and database, receivers, logs and Redis confirm what the run itself has written down.
 */
export async function reachVerdict(evidence: Evidence): Promise<Verdict> {
  const { world, tenants, receivers, log, canaries, complaints, say } = evidence
  const verdict: Verdict = []
  const runCheck = async (check: string, find: () => Promise<string[]> | string[]) => {
    // A check that breaks off has shown nothing, and the others are still worth having.
    try {
      verdict.push({ check, problems: await find() })
    } catch (error) {
      verdict.push({ check, problems: [`broke off: ${inspect(error)}`] })
    }
  }
  // Before the run's own repetitions, of which many are made at once.
  await runCheck('answered and delivered in time', () => checkTimes(evidence))
  await runCheck('comes to rest', () => settle(world, say))
  await runCheck('repeated requests are answered alike', () => replayAll(log, tenants))
  await runCheck('comes to rest again', () => settle(world, say))
  await runCheck('I1: effects as acknowledged', () => checkEffects(world.db, log))
  await runCheck('I1 to I9: the audit', () => findViolations(world))
  await runCheck('I4: books and statements as the exact model', () => findInexact(world.db))
  await runCheck('I3: deliveries as received', async () => {
    const find = () => checkReceivers(world.db, receivers, tenants, log)
    const found = await find()
    if (found.length === 0) return []
    // A retry that came due between its arrival and our read of the database is in order a moment
    // later; what is wrong stays wrong.
    await settle(world, say)
    const lasting = new Set(await find())
    return found.filter((problem) => lasting.has(problem))
  })
  await runCheck('I6: tenants isolated', () => checkTenants(world, tenants))
  await runCheck('I7: nothing leaked', () => checkLeaks(world, tenants, canaries))
  await runCheck('processes live on', () => [
    ...world.deaths,
    ...[...world.apis, ...world.workers].flatMap((command) => command.findDeaths()),
  ])
  await runCheck('no violation in the logs', () => checkServiceLogs(world))
  await runCheck('no deadlock', () => findDeadlocks(world))
  await runCheck('no transaction left open', () => findIdleTransactions(world.db))
  await runCheck('nothing odd on the way', () => [...complaints, ...tenants.flatMap(findDefects)])
  return verdict
}

/** Whatever was killed in the middle of a return or a correction: at no instant is a cent apart. */
async function findInexact(db: Db): Promise<string[]> {
  const now = () => new Date()
  const found: string[] = []
  const columns = ['tenant_id', 'facility_id'] as const
  for (const row of await db.selectFrom('facilities').select(columns).execute()) {
    const [tenantId, id] = [row.tenant_id, row.facility_id]
    await expectExact({ db, tenantId, now }, id).catch((error) => found.push(`${id}: ${error}`))
  }
  return found
}

/** The audit's violations, as sentences. */
export async function findViolations({ db }: Pick<World, 'db'>): Promise<string[]> {
  const findings = await audit(db, { hasSimulation: false })
  return findings.flatMap(({ invariant, name, violations, timedOut }) => [
    ...violations.map(({ subject, detail }) => `${invariant} ${name}: ${subject} ${detail}`),
    ...(timedOut ? [`${invariant} ${name}: took too long`] : []),
  ])
}

/** A fault may cost a 503, never a 500. */
function findDefects({ name, counts }: Tenant): string[] {
  const lines = [...counts].filter(([line]) => / 5(?!03)\d\d$/.test(line))
  return lines.map(([line, times]) => `${name} was answered ${line}, ${times} times`)
}
