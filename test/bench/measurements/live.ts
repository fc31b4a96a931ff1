import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { createSealer } from '../../../src/core/sealing.ts'
import { type Db, inTransaction } from '../../../src/db/database.ts'
import type { EventType } from '../../../src/domain/events/event-types.ts'
import { createSigningSecret } from '../../../src/domain/webhooks/signing-secret.ts'
import { all, figureAtMost, perSecondAtLeast } from '../aims.ts'
import type { AppendAnswer, AppendQuestion } from '../companions/append-events.ts'
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
 * endpoint. Beside it the CPU time of the writer, the worker, PostgreSQL and Redis for each event.
 */
export async function measureLive(
  db: Db,
  stores: Stores,
  { rounds, events }: { rounds: number; events: number },
): Promise<Row[]> {
  await using cleanup = new AsyncDisposableStack()
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
  const bench = { db, stores, appender, worker }
  const rows: Row[] = []
  for (const target of targets) {
    const measured: { perSecond: number; cpuMs: number }[] = []
    // The first round warms up.
    for (let round = 0; round <= rounds; round += 1) {
      const figures = await measureRound(bench, target, events)
      if (round > 0) measured.push(figures)
    }
    rows.push(...toRows(target.name, measured))
  }
  return rows
}

function toRows(name: string, measured: readonly { perSecond: number; cpuMs: number }[]): Row[] {
  return [
    {
      name: `(live) created and delivered, ${name}`,
      unit: 'events/s',
      ours: median(measured.map(({ perSecond }) => perSecond)),
      aim: all(perSecondAtLeast(1_000)),
    },
    {
      name: `(live) the same: CPU of all processes`,
      unit: 'ms an event',
      ours: median(measured.map(({ cpuMs }) => cpuMs)),
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

type Bench = {
  db: Db
  stores: Stores
  appender: Companion<AppendQuestion, AppendAnswer>
  worker: Service
}

async function measureRound(
  { db, stores, appender, worker }: Bench,
  { tenantIds }: Target,
  count: number,
): Promise<{ perSecond: number; cpuMs: number }> {
  const ask = (count: number) =>
    appender.ask({
      ask: 'burst',
      environment: serviceEnvironment(stores),
      tenantIds,
      types: LIVE_TYPES,
      writers: LIVE_WRITERS,
      count,
    })
  const { pid } = await ask(0)
  const pids = [pid, worker.pid, stores.redisPid, readPostgresPid(stores)]
  const cpuSeconds = () => pids.map(readCpuSeconds).reduce((sum, one) => sum + one, 0)
  const before = cpuSeconds()
  const startedAt = performance.now()
  await ask(count)
  while (await isWaiting(db, tenantIds)) await pause(10)
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
