import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db } from '../../../src/db/database.ts'
import { perSecondAtLeast } from '../aims.ts'
import { type Bench, startReceiver, startService } from '../bench.ts'
import { eventBody, isWaiting, seedWebhooks, writeEvents } from '../data/webhook-data.ts'
import { median, type Row } from '../report.ts'

/**
 * Deliveries of 1 kB events a second of one worker process, from the first attempt's start until the
 * last is recorded: a backlog over eight webhooks, and one on a single webhook, which its own cap of 10
 * attempts side by side bounds.
 */
export async function measureDeliveries(
  bench: Bench,
  { rounds, backlog }: { rounds: number; backlog: number },
): Promise<Row[]> {
  await using cleanup = new AsyncDisposableStack()
  const { port } = await startReceiver(cleanup)
  await startService(bench, 'worker', cleanup)
  const rows: Row[] = []
  for (const { name, webhooks, count } of [
    { name: '(deliveries) backlog over 8 webhooks', webhooks: 8, count: backlog },
    { name: '(deliveries) backlog on 1 webhook', webhooks: 1, count: backlog / 2 },
  ]) {
    const to = await seedWebhooks(bench.db, port, webhooks)
    const rates: number[] = []
    for (let round = 0; round <= rounds; round += 1) {
      const perSecond = await deliverBacklog(bench.db, to, count)
      // The first round warms up.
      if (round > 0) rates.push(perSecond)
    }
    rows.push({ name, unit: '/s', ours: median(rates), aim: perSecondAtLeast(1_000) })
  }
  return rows
}

async function deliverBacklog(
  db: Db,
  to: { tenantId: string; webhookIds: string[] },
  count: number,
): Promise<number> {
  const writtenAt = new Date()
  const body = eventBody(1_000)
  await writeEvents(db, to, { count, due: count, body, days: 0, until: writtenAt })
  while (await isWaiting(db, [to.tenantId])) await pause(10)
  const endedAt = Date.now()
  const { rows } = await sql<{ started_at: Date; delivered: bigint }>`
    SELECT min(started_at) AS started_at, count(*) AS delivered FROM delivery_attempts
    WHERE tenant_id = ${to.tenantId} AND status = 200 AND recorded_at >= ${writtenAt}`.execute(db)
  const [attempts] = rows
  if (Number(attempts?.delivered) !== count) {
    throw new Error(`${attempts?.delivered} of ${count} deliveries were made`)
  }
  return count / ((endedAt - Number(attempts?.started_at)) / 1_000)
}
