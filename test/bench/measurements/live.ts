import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db } from '../../../src/db/database.ts'
import type { EventType } from '../../../src/domain/events/catalogue/event-types.ts'
import { figureAtMost, perSecondAtLeast } from '../aims.ts'
import {
  type Bench,
  environmentOf,
  type Service,
  startCompanion,
  startReceiver,
  startService,
} from '../bench.ts'
import type { AppendAnswer, AppendQuestion } from '../companions/append-events.ts'
import { type BareQuestion, CREATE_BARE_OUTBOX } from '../companions/bare-outbox.ts'
import { isWaiting, seedWebhooks } from '../data/webhook-data.ts'
import { readCpuSeconds } from '../process-cost.ts'
import { median, type Row } from '../report.ts'
import { type ArrivalSizes, measureArrivals } from './arrivals.ts'

/** As many writers as the API has connections, and more: commits of one tenant wait for another. */
const WRITERS = 32

const TYPES = [
  'facility.decisioned',
  'draw.completed',
  'draw.failed',
  'repayment.applied',
  'repayment.failed',
  'facility.floor_updated',
  'margin_warning.raised',
  'margin_warning.cured',
] as const satisfies readonly EventType[]

export type LiveSizes = { rounds: number; events: number } & ArrivalSizes

/** What is measured: who writes and who delivers, beside PostgreSQL and Redis. */
type Side = {
  pids: readonly number[]
  write(count: number): Promise<unknown>
  isWaiting(): Promise<boolean>
}

/**
 * Events that the domain writes in a process of its own, one transaction each, while one worker
 * delivers them: from the first write until the last attempt is recorded. Each event goes to one
 * endpoint. Beside it the CPU time of the writer, the worker, PostgreSQL and Redis for each event. Then
 * how long a lone event takes to arrive. Bare is a textbook outbox, which takes turns with it.
 */
export async function measureLive(bench: Bench, sizes: LiveSizes): Promise<Row[]> {
  await using cleanup = new AsyncDisposableStack()
  const { db } = bench
  const receiver = await startReceiver(cleanup)
  const script = 'companions/append-events'
  const appender = startCompanion<AppendQuestion, AppendAnswer>(script, cleanup)
  const worker = await startService(bench, 'worker', cleanup)
  const { port } = receiver
  const outbox = await startOutbox(bench, port, cleanup)
  const bare = await createBare(bench, outbox)
  const one = (types: readonly (EventType | undefined)[] = [undefined]) =>
    addTenant(db, port, types)
  const targets = [
    { name: '8 endpoints of one tenant', tenantIds: [await one(TYPES)] },
    { name: 'one endpoint', tenantIds: [await one()] },
    {
      name: 'one endpoint each of 8 tenants',
      tenantIds: await Promise.all(TYPES.map(() => one())),
    },
  ]
  const rows: Row[] = []
  for (const { name, tenantIds } of targets) {
    const ours = await createOurs(bench, tenantIds, { appender, worker })
    const pairs: { ours: Figures; bare: Figures }[] = []
    // The first round warms up.
    for (let round = 0; round <= sizes.rounds; round += 1) {
      const pair = {
        ours: await measureRound(bench, ours, sizes.events),
        bare: await measureRound(bench, bare, sizes.events),
      }
      if (round > 0) pairs.push(pair)
    }
    rows.push(...toRows(name, pairs))
  }
  const environment = environmentOf(bench)
  const tenantId = await one()
  const arrivals = await measureArrivals(receiver, sizes, {
    ours: (paced) => appender.ask({ ...paced, environment, tenantId }),
    bare: (paced) => outbox.write(paced),
  })
  return [...rows, ...arrivals]
}

type Figures = { perSecond: number; cpuMs: number }

function toRows(name: string, pairs: readonly { ours: Figures; bare: Figures }[]): Row[] {
  const compare = (figure: keyof Figures) => ({
    ours: median(pairs.map(({ ours }) => ours[figure])),
    bare: median(pairs.map(({ bare }) => bare[figure])),
    ratio: median(pairs.map(({ ours, bare }) => ours[figure] / bare[figure])),
  })
  return [
    {
      name: `(live) created and delivered, ${name}`,
      unit: 'events/s',
      ...compare('perSecond'),
      aim: perSecondAtLeast(1_000),
    },
    {
      name: '(live) the same: CPU of all processes',
      unit: 'ms an event',
      ...compare('cpuMs'),
      aim: figureAtMost(1.5, 'ms'),
    },
  ]
}

/** One webhook for each given type; undefined: for all. */
async function addTenant(
  db: Db,
  port: number,
  types: readonly (EventType | undefined)[],
): Promise<string> {
  const { tenantId, webhookIds } = await seedWebhooks(db, port, types.length)
  for (const [at, type] of types.entries()) {
    if (type === undefined) continue
    await db
      .updateTable('webhooks')
      .set({ event_types: [type] })
      .where('webhook_id', '=', webhookIds[at] ?? '')
      .execute()
  }
  return tenantId
}

async function createOurs(
  bench: Bench,
  tenantIds: readonly string[],
  by: { appender: { ask(question: AppendQuestion): Promise<AppendAnswer> }; worker: Service },
): Promise<Side> {
  const burst = { ask: 'burst', tenantIds, types: TYPES, writers: WRITERS } as const
  const environment = environmentOf(bench)
  const write = (count: number) => by.appender.ask({ ...burst, environment, count })
  const { pid } = await write(0)
  return {
    pids: [pid, by.worker.pid],
    write,
    isWaiting: () => isWaiting(bench.db, tenantIds),
  }
}

/** The processes of the floor, which deliver to this port. */
async function startOutbox({ db, stores }: Bench, port: number, cleanup: AsyncDisposableStack) {
  await sql.raw(CREATE_BARE_OUTBOX).execute(db)
  const { databaseUrl, redisUrl } = stores
  const start = () => startCompanion<BareQuestion, AppendAnswer>('companions/bare-outbox', cleanup)
  const writer = start()
  const { pid } = await start().ask({ ask: 'deliver', databaseUrl, redisUrl, port })
  type Writing =
    | { ask: 'burst'; count: number; writers: number }
    | { ask: 'paced'; count: number; perSecond: number }
  return {
    delivererPid: pid,
    write: (writing: Writing) => writer.ask({ ...writing, databaseUrl, redisUrl }),
  }
}

async function createBare(
  { db }: Bench,
  outbox: Awaited<ReturnType<typeof startOutbox>>,
): Promise<Side> {
  const write = (count: number) => outbox.write({ ask: 'burst', writers: WRITERS, count })
  const { pid } = await write(0)
  return {
    pids: [pid, outbox.delivererPid],
    write,
    async isWaiting() {
      const { rows } = await sql`
        SELECT FROM bare_deliveries WHERE due_at IS NOT NULL LIMIT 1`.execute(db)
      return rows.length > 0
    },
  }
}

async function measureRound({ stores }: Bench, side: Side, count: number): Promise<Figures> {
  const pids = [...side.pids, stores.redis.pid(), stores.postgres.pid()]
  const cpuSeconds = () => pids.map(readCpuSeconds).reduce((sum, one) => sum + one, 0)
  const before = cpuSeconds()
  const startedAt = performance.now()
  await side.write(count)
  while (await side.isWaiting()) await pause(10)
  const seconds = (performance.now() - startedAt) / 1_000
  return { perSecond: count / seconds, cpuMs: ((cpuSeconds() - before) * 1_000) / count }
}
