import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { type Db, inTransaction } from '../../../src/db/database.ts'
import { createTenant } from '../../../src/domain/tenants/tenants.ts'
import { requestWork, requestWorks } from '../../../src/domain/work/work.ts'
import { p99AtMost, perSecondAtLeast, ratioAtLeast } from '../aims.ts'
import { type Companion, startCompanion } from '../companions/processes.ts'
import {
  BULK_TOPIC,
  type RunnerAnswer,
  type RunnerQuestion,
  URGENT_TOPIC,
} from '../companions/work-runner.ts'
import { openCleanup } from '../open-cleanup.ts'
import { median, percentile, type Row } from '../report.ts'
import type { Stores } from '../stores.ts'

export type WorkSizes = { items: number; rounds: number; backlog: number; urgent: number }

type Runner = Companion<RunnerQuestion, RunnerAnswer>

const TENANTS = 8
/** Between one urgent item and the next. */
const URGENT_EVERY_MS = 50

/**
 * Work that does nothing: what claiming, running and settling cost by themselves, with one worker
 * process and with two, and how long one item of another tenant waits behind a large backlog.
 */
export async function measureWork(db: Db, stores: Stores, sizes: WorkSizes): Promise<Row[]> {
  await using cleanup = openCleanup()
  const start = async (): Promise<Runner> => {
    const runner: Runner = startCompanion(
      new URL('../companions/work-runner.ts', import.meta.url),
      cleanup,
    )
    await runner.ask({ ask: 'open', databaseUrl: stores.databaseUrl })
    return runner
  }
  const runners = [await start(), await start()]
  const rates = { one: [] as number[], two: [] as number[] }
  for (let round = 0; round <= sizes.rounds; round += 1) {
    const one = await drain(db, runners.slice(0, 1), sizes.items)
    const two = await drain(db, runners, sizes.items)
    // The first round warms up.
    if (round === 0) continue
    rates.one.push(one)
    rates.two.push(two)
  }
  const [one, two] = [median(rates.one), median(rates.two)]
  const name = `(m) ${sizes.items.toLocaleString('en')} no-op items`
  const waits = await measureUrgent(db, runners.slice(0, 1), sizes)
  return [
    { name: `${name}, one worker`, unit: '/s', ours: one, aim: perSecondAtLeast(2_000) },
    {
      name: `${name}, two workers against one`,
      ...{ unit: '/s', ours: two, bare: one, ratio: two / one, aim: ratioAtLeast(1.5) },
    },
    {
      name: `(m) an urgent item of another tenant behind ${sizes.backlog.toLocaleString('en')}`,
      ...{ unit: 'items', ours: waits.length },
      p50Ms: { ours: percentile(waits, 0.5) },
      p99Ms: { ours: percentile(waits, 0.99) },
      aim: p99AtMost(1_000),
    },
  ]
}

/** Items a second, from the wake until all have run and are settled. */
async function drain(db: Db, runners: readonly Runner[], items: number): Promise<number> {
  for (let tenant = 0; tenant < TENANTS; tenant += 1) await addItems(db, items / TENANTS)
  await sql`VACUUM (ANALYZE) work`.execute(db)
  const startedAt = performance.now()
  await askAll(runners, 'start')
  await untilRun(runners, items)
  while ((await countItems(db)) > 0) await pause(5)
  return items / ((performance.now() - startedAt) / 1_000)
}

async function measureUrgent(
  db: Db,
  runners: readonly Runner[],
  { backlog, urgent }: WorkSizes,
): Promise<number[]> {
  await addItems(db, backlog)
  const other = await addTenant(db)
  await askAll(runners, 'start')
  for (let number = 0; number < urgent; number += 1) {
    if ((await countRun(runners)) >= backlog) throw new Error('the backlog was over too soon')
    const subjectId = `${Date.now()} ${number}`
    const work = { tenantId: other, topic: URGENT_TOPIC, subjectId } as const
    await inTransaction(db, (tx) => requestWork(tx, work, new Date()))
    // As a worker gets the wake-up of the commit.
    await runners[number % runners.length]?.ask({ ask: 'wake' })
    await pause(URGENT_EVERY_MS)
  }
  await untilRun(runners, backlog + urgent)
  const answers = await askAll(runners, 'report')
  return answers.flatMap(({ waitsMs }) => waitsMs)
}

async function addTenant(db: Db): Promise<string> {
  return (await inTransaction(db, (tx) => createTenant(tx, 'Busy', new Date()))).id
}

async function addItems(db: Db, count: number): Promise<void> {
  const tenantId = await addTenant(db)
  const works = Array.from({ length: count }, (_, at) => {
    return { topic: BULK_TOPIC, subjectId: `fac_${String(at).padStart(6, '0')}` } as const
  })
  await inTransaction(db, (tx) => requestWorks(tx, tenantId, works, new Date()))
}

const askAll = (runners: readonly Runner[], ask: 'start' | 'report') =>
  Promise.all(runners.map((runner) => runner.ask({ ask })))

async function countRun(runners: readonly Runner[]): Promise<number> {
  const answers = await askAll(runners, 'report')
  return answers.reduce((sum, { runs }) => sum + runs, 0)
}

async function untilRun(runners: readonly Runner[], count: number): Promise<void> {
  while ((await countRun(runners)) < count) await pause(5)
}

async function countItems(db: Db): Promise<number> {
  const row = await db
    .selectFrom('work')
    .select(sql<bigint>`count(*)`.as('count'))
    .executeTakeFirstOrThrow()
  return Number(row.count)
}
