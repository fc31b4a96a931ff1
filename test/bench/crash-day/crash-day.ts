import { randomBytes } from 'node:crypto'
import { networkInterfaces } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db } from '../../../src/db/database.ts'
import { audit } from '../../../src/domain/audit/audit.ts'
import { selectOldestDue } from '../../../src/domain/deliveries/behind-queries.ts'
import { LocalFailure } from '../../../src/local/local-failure.ts'
import { createSender } from '../../support/world/signed-sender.ts'
import { figureAtMost } from '../aims.ts'
import {
  type Bench,
  type MemorySamples,
  sampleMemory,
  startCompanion,
  startReceiver,
  startService,
} from '../bench.ts'
import { percentile, type Row } from '../report.ts'
import { type CrashDay, seedCrashDay } from './crash-day-data.ts'
import { type CrashAnswer, type CrashKind, type CrashLoad, startCrashLoad } from './crash-load.ts'
import type { VendorAnswer, VendorQuestion } from './crash-vendors.ts'

export type CrashDaySizes = {
  facilities: number
  tenants: number
  /** Before the fall: prices need a minute to count, and the load has a calm to be compared with. */
  calmSeconds: number
  fallSeconds: number
  /** The fall's beginning is over by so much when the run is given up. */
  patienceSeconds: number
}

const FROM_USD = 100_000
const TO_USD = 70_000
/** From the first fall on: in this time all that must be sold is to be sold. */
const MOST_SECONDS = 600
/** How often the course is measured, after as many steps of the price. */
const READ_EVERY_STEPS = 5

/**
 * A live stack on the day on which it matters: prices fall by 30 %, of five facilities three are
 * warned and one of these is sold, while 100 requests a second go on through one API process. One
 * worker evaluates, calls, sells and delivers. The custodian, payments and exchanges are local servers
 * that answer as in docs/providers.md; limits and all other settings are those of production.
 */
export async function measureCrashDay(bench: Bench, sizes: CrashDaySizes): Promise<Row[]> {
  await using cleanup = new AsyncDisposableStack()
  const { db } = bench
  const vendors = startVendors(cleanup)
  const { environment } = await vendors.ask({ ask: 'start', accounts: sizes.facilities })
  await vendors.ask({ ask: 'quote', btcUsd: FROM_USD })
  const host = findOwnAddress()
  const receiver = { host, port: (await startReceiver(cleanup, host)).port }
  const day = await seedCrashDay(db, receiver, sizes)

  const settings = {
    ...environment,
    // A live stack takes none that is published.
    ENCRYPTION_KEYS: `bench:${randomBytes(32).toString('base64')}`,
    WEBHOOK_ALLOW_CIDRS: `${host}/32`,
    RATE_LIMITS: '',
  }
  const server = await startService(bench, 'server', cleanup, settings)
  const worker = await startService(bench, 'worker', cleanup, settings)
  const send = await createSender(day.privateKeyPem, server.port, cleanup)
  const load = startCrashLoad(send, day)
  cleanup.defer(() => load.stop())
  const memory = sampleMemory({ server, worker }, cleanup)

  await pause(sizes.calmSeconds * 1_000)
  const course = await watchFall(db, vendors, day, sizes)
  await load.stop()
  const before = toRows({ day, load, course, memory, violations: Number.NaN })
  console.log('  before the audit, which takes minutes at full size:')
  for (const row of before) console.log(`  ${describeRow(row)}`)
  const findings = await audit(db, { hasSimulation: false, lanes: 3 })
  const violations = findings.flatMap(({ name, violations: found, timedOut }) => [
    ...found.map(({ subject, detail }) => `${name}: ${subject} ${detail}`),
    ...(timedOut ? [`${name}: took too long`] : []),
  ])
  const { calls, complaints } = await vendors.ask({ ask: 'report' })
  reportRun({ load, course, violations, complaints, calls })
  return toRows({ day, load, course, memory, violations: violations.length + complaints.length })
}

type Vendors = ReturnType<typeof startVendors>

const startVendors = (cleanup: AsyncDisposableStack) =>
  startCompanion<VendorQuestion, VendorAnswer>('crash-day/crash-vendors', cleanup)

/** A live stack delivers to no loopback address: the receiver has one of the machine's others. */
function findOwnAddress(): string {
  const addresses = Object.values(networkInterfaces()).flatMap((found) => found ?? [])
  const own = addresses.find(({ family, internal }) => family === 'IPv4' && !internal)
  if (own) return own.address
  throw new LocalFailure('The crash day needs an IPv4 address of this machine beside 127.0.0.1.')
}

type Course = {
  beganAt: number
  endedAt: number
  warned: number
  sold: number
  /** Of what was to be sold. */
  due: number
  /** From the fall's beginning to the end of the last margin call. */
  soldSeconds: number
  marginEvents: number
  /** From the first margin event to the last. */
  marginSeconds: number
  behindSeconds: number
}

/** Lets prices fall, and waits until all that must be sold is, or patience is over. */
async function watchFall(
  db: Db,
  vendors: Vendors,
  day: CrashDay,
  { fallSeconds, patienceSeconds }: CrashDaySizes,
): Promise<Course> {
  const due = Math.floor(day.all.length / 5)
  const beganAt = Date.now()
  for (let steps = 0; ; steps += 1) {
    const seconds = (Date.now() - beganAt) / 1_000
    const fallen = Math.min(1, seconds / fallSeconds)
    await vendors.ask({ ask: 'quote', btcUsd: FROM_USD - (FROM_USD - TO_USD) * fallen })
    if (steps % READ_EVERY_STEPS === 0) {
      const state = await readCourse(db)
      console.log(
        `  ${seconds.toFixed(0)} s: ${state.warned} warned, ${state.called} called, ${state.sold} sold, deliveries ${state.behindSeconds.toFixed(1)} s behind`,
      )
      const isOver = fallen === 1 && state.sold >= due && state.sold === state.called
      if (isOver || seconds > patienceSeconds) {
        const endedAt = Date.now()
        const { lastSoldAt, ...end } = await readEnd(db)
        const soldSeconds = state.sold >= due ? (lastSoldAt - beganAt) / 1_000 : Number.NaN
        return { ...state, ...end, beganAt, endedAt, due, soldSeconds }
      }
    }
    await pause(1_000)
  }
}

/** How far margin has come. Cheap, because what it costs is taken from what is measured. */
async function readCourse(db: Db) {
  const { rows } = await sql<{ warned: number; called: number; open: number }>`
    SELECT (SELECT count(*)::int FROM margin_warnings) AS warned, count(*)::int AS called,
      count(*) FILTER (WHERE status <> 'COMPLETED')::int AS open
    FROM margin_calls`.execute(db)
  const { warned = 0, called = 0, open = 0 } = rows[0] ?? {}
  const oldest = await selectOldestDue(db, new Date())
  const behindSeconds = oldest ? Math.max(0, (Date.now() - oldest.getTime()) / 1_000) : 0
  return { warned, called, sold: called - open, behindSeconds }
}

/** What only the end shows. */
async function readEnd(db: Db) {
  const { rows } = await sql<{ last_sold_at: Date | null; events: number; seconds: number | null }>`
    SELECT (SELECT max(completed_at) FROM margin_calls) AS last_sold_at,
      count(*)::int AS events,
      extract(epoch FROM max(recorded_at) - min(recorded_at))::float8 AS seconds
    FROM events WHERE type LIKE 'margin%'`.execute(db)
  const [row] = rows
  return {
    lastSoldAt: row?.last_sold_at?.getTime() ?? Number.NaN,
    marginEvents: row?.events ?? 0,
    marginSeconds: row?.seconds ?? 0,
  }
}

function reportRun(run: {
  load: CrashLoad
  course: Course
  violations: readonly string[]
  complaints: readonly string[]
  calls: Record<string, number>
}): void {
  const { course } = run
  console.log(`  ${course.warned} warned, ${course.sold} of ${course.due} sold`)
  console.log(`  calls of providers: ${JSON.stringify(run.calls)}`)
  for (const line of [...run.violations, ...run.complaints].slice(0, 20)) console.log(`  ${line}`)
  for (const [reason, times] of run.load.refused) console.log(`  ${times} × ${reason}`)
}

function toRows(run: {
  day: CrashDay
  load: CrashLoad
  course: Course
  memory: MemorySamples
  violations: number
}): Row[] {
  const { day, load, course, memory } = run
  const of = (name: string) => `(crash) day of ${day.all.length.toLocaleString('en')}: ${name}`
  const waits = (kind: CrashKind) => toWaits(load.answers, kind, course)
  const answered = (name: string, kind: CrashKind): Row => ({
    name: of(name),
    unit: 'req/s',
    ours: waits(kind).length / ((course.endedAt - course.beganAt) / 1_000),
    p50Ms: { ours: percentile(waits(kind), 0.5) },
    p99Ms: { ours: percentile(waits(kind), 0.99) },
  })
  const refused = [...load.refused.values()].reduce((sum, times) => sum + times, 0)
  const most = (entry: 'server' | 'worker') =>
    Math.max(...memory[entry].map(({ residentMiB }) => residentMiB))
  return [
    {
      name: of(`${course.warned} warned, the last of ${course.due} sold after`),
      unit: 's',
      ours: course.soldSeconds,
      aim: figureAtMost(MOST_SECONDS, 's'),
    },
    answered('signed reads during it', 'read'),
    answered('money writes during it', 'money'),
    answered('portfolio pushes during it', 'push'),
    { name: of('requests refused'), unit: '', ours: refused, aim: figureAtMost(0, 'refused') },
    {
      name: of('margin events'),
      unit: '/s',
      ours: course.marginEvents / course.marginSeconds,
    },
    {
      name: of('deliveries behind at its end'),
      unit: 's',
      ours: course.behindSeconds,
      aim: figureAtMost(10, 's'),
    },
    {
      name: of('violations that the audit finds afterwards'),
      unit: '',
      ours: run.violations,
      aim: figureAtMost(0, 'violations'),
    },
    { name: of('memory of the server, at most'), unit: 'MiB', ours: most('server') },
    { name: of('memory of the worker, at most'), unit: 'MiB', ours: most('worker') },
  ]
}

function describeRow({ name, unit, ours, p50Ms, p99Ms }: Row): string {
  const waits = p50Ms ? `, p50 ${p50Ms.ours?.toFixed(1)} ms, p99 ${p99Ms?.ours?.toFixed(1)} ms` : ''
  return `${name}: ${ours?.toFixed(1)} ${unit}${waits}`
}

function toWaits(answers: readonly CrashAnswer[], kind: CrashKind, course: Course): number[] {
  return answers
    .filter((answer) => answer.kind === kind && answer.at >= course.beganAt)
    .map(({ ms }) => ms)
}
