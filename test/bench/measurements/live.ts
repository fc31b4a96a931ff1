import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { createSealer } from '../../../src/core/sealing.ts'
import { type Db, inTransaction } from '../../../src/db/database.ts'
import type { EventType } from '../../../src/domain/events/event-types.ts'
import { createSigningSecret } from '../../../src/domain/webhooks/signing-secret.ts'
import { figureAtMost, perSecondAtLeast } from '../aims.ts'
import type { AppendAnswer, AppendQuestion } from '../companions/append-events.ts'
import { type BareQuestion, CREATE_BARE_OUTBOX } from '../companions/bare-outbox.ts'
import { readCpuSeconds } from '../companions/process-cost.ts'
import {
  type Companion,
  ENCRYPTION_KEY,
  type Service,
  serviceEnvironment,
  startCompanion,
  startService,
} from '../companions/processes.ts'
import type { ReceiverAnswer, ReceiverQuestion } from '../companions/receiver.ts'
import { seedWebhooks } from '../data/webhook-data.ts'
import { openCleanup } from '../open-cleanup.ts'
import { median, type Row } from '../report.ts'
import type { Stores } from '../stores.ts'

/** As many writers as the API has connections, and more: commits of one tenant wait for another. */
export const LIVE_WRITERS = 32

export const LIVE_TYPES = [
  'facility.decisioned',
  'draw.completed',
  'draw.failed',
  'repayment.applied',
  'repayment.failed',
  'facility.floor_updated',
  'margin_warning.raised',
  'margin_warning.cured',
] as const satisfies readonly EventType[]

type Target = { name: string; tenantIds: string[] }

/**
 * Events that the domain writes in a process of its own, one transaction each, while one worker
 * delivers them: from the first write until the last attempt is recorded. Each event goes to one
 * endpoint. Beside it the CPU time of the writer, the worker, PostgreSQL and Redis for each event. Bare
 * is a textbook outbox, which takes turns with it.
 */
export async function measureLive(
  db: Db,
  stores: Stores,
  { rounds, events }: { rounds: number; events: number },
): Promise<Row[]> {
  await using cleanup = openCleanup()
  const receiver = startCompanion<ReceiverQuestion, ReceiverAnswer>(
    new URL('../companions/receiver.ts', import.meta.url),
    cleanup,
  )
  const { port } = await receiver.ask({ ask: 'listen', noteArrivals: false })
  const appender = startCompanion<AppendQuestion, AppendAnswer>(
    new URL('../companions/append-events.ts', import.meta.url),
    cleanup,
  )
  const worker = await startService('worker', stores, cleanup)
  const targets: Target[] = [
    { name: '8 endpoints of one tenant', tenantIds: [await seedTenant(db, port, LIVE_TYPES)] },
    { name: 'one endpoint', tenantIds: [await seedTenant(db, port, [undefined])] },
    {
      name: 'one endpoint each of 8 tenants',
      tenantIds: await Promise.all(LIVE_TYPES.map(() => seedTenant(db, port, [undefined]))),
    },
  ]
  const bare = await startBareOutbox(db, stores, port, cleanup)
  const rows: Row[] = []
  for (const target of targets) {
    const ours = await createOurs(target, { db, stores, appender, worker })
    const pairs: { ours: Figures; bare: Figures }[] = []
    // The first round warms up.
    for (let round = 0; round <= rounds; round += 1) {
      const pair = {
        ours: await measureRound(stores, ours, events),
        bare: await measureRound(stores, bare, events),
      }
      if (round > 0) pairs.push(pair)
    }
    rows.push(...toRows(target.name, pairs))
  }
  return rows
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
      name: `(live) the same: CPU of all processes`,
      unit: 'ms an event',
      ...compare('cpuMs'),
      aim: figureAtMost(1.5, 'ms'),
    },
  ]
}

/** One webhook for each given type; undefined: for all. */
async function seedTenant(
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
  const sealer = createSealer([ENCRYPTION_KEY])
  await inTransaction(db, (tx) => createSigningSecret(tx, tenantId, sealer, new Date()))
  return tenantId
}

/** What is measured: who writes and who delivers, beside PostgreSQL and Redis. */
type Side = {
  pids: readonly number[]
  write(count: number): Promise<unknown>
  isWaiting(): Promise<boolean>
}

type Bench = {
  db: Db
  stores: Stores
  appender: Companion<AppendQuestion, AppendAnswer>
  worker: Service
}

async function createOurs(
  { tenantIds }: Target,
  { db, stores, appender, worker }: Bench,
): Promise<Side> {
  const write = (count: number) =>
    appender.ask({
      ask: 'burst',
      environment: serviceEnvironment(stores),
      tenantIds,
      types: LIVE_TYPES,
      writers: LIVE_WRITERS,
      count,
    })
  const { pid } = await write(0)
  return {
    pids: [pid, worker.pid],
    write,
    isWaiting: () => isWaiting(db, tenantIds),
  }
}

async function startBareOutbox(
  db: Db,
  stores: Stores,
  port: number,
  cleanup: AsyncDisposableStack,
): Promise<Side> {
  const { writer, deliverer } = await startBare(db, stores, port, cleanup)
  const { databaseUrl, redisUrl } = stores
  const write = (count: number) =>
    writer.ask({ ask: 'burst', databaseUrl, redisUrl, writers: LIVE_WRITERS, count })
  const { pid } = await write(0)
  return {
    pids: [pid, deliverer],
    write,
    async isWaiting() {
      const { rows } = await sql`
        SELECT FROM bare_deliveries WHERE due_at IS NOT NULL LIMIT 1`.execute(db)
      return rows.length > 0
    },
  }
}

/** The processes of the floor, which deliver to this port. `deliverer`: its process id. */
export async function startBare(
  db: Db,
  { databaseUrl, redisUrl }: Pick<Stores, 'databaseUrl' | 'redisUrl'>,
  port: number,
  cleanup: AsyncDisposableStack,
) {
  await sql.raw(CREATE_BARE_OUTBOX).execute(db)
  const script = new URL('../companions/bare-outbox.ts', import.meta.url)
  const writer = startCompanion<BareQuestion, AppendAnswer>(script, cleanup)
  const delivering = startCompanion<BareQuestion, AppendAnswer>(script, cleanup)
  const { pid } = await delivering.ask({ ask: 'deliver', databaseUrl, redisUrl, port })
  return { writer, deliverer: pid }
}

async function measureRound(stores: Stores, side: Side, count: number): Promise<Figures> {
  const pids = [...side.pids, stores.redisPid, readPostgresPid(stores)]
  const cpuSeconds = () => pids.map(readCpuSeconds).reduce((sum, one) => sum + one, 0)
  const before = cpuSeconds()
  const startedAt = performance.now()
  await side.write(count)
  while (await side.isWaiting()) await pause(10)
  const seconds = (performance.now() - startedAt) / 1_000
  return { perSecond: count / seconds, cpuMs: ((cpuSeconds() - before) * 1_000) / count }
}

export const readPostgresPid = ({ folder }: Stores) =>
  Number.parseInt(readFileSync(join(folder, 'postgres', 'postmaster.pid'), 'utf8'), 10)

/** Whether a delivery of these tenants is still to be recorded. */
export async function isWaiting(db: Db, tenantIds: readonly string[]): Promise<boolean> {
  const { rows } = await sql`
    SELECT FROM deliveries WHERE tenant_id = ANY (${[...tenantIds]}::text[]) AND due_at IS NOT NULL
    LIMIT 1`.execute(db)
  return rows.length > 0
}
