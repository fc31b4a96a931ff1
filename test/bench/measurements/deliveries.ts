import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { createSealer } from '../../../src/core/sealing.ts'
import { type Db, inTransaction } from '../../../src/db/database.ts'
import { createSigningSecret } from '../../../src/domain/webhooks/signing-secret.ts'
import { all, perSecondAtLeast, ratioAtLeast } from '../aims.ts'
import type { BareSend } from '../companions/bare-sender.ts'
import { ENCRYPTION_KEY, startCompanion, startService } from '../companions/processes.ts'
import type { ReceiverAnswer, ReceiverQuestion } from '../companions/receiver.ts'
import { eventBody, seedWebhooks, writeEvents } from '../data/webhook-data.ts'
import { openCleanup } from '../open-cleanup.ts'
import { median, type Row } from '../report.ts'
import type { Stores } from '../stores.ts'

/** What one tenant, and one webhook, may have in flight by default; the bare loop gets as many. */
const PER_TENANT = 50
const PER_WEBHOOK = 10

/**
 * Deliveries a second of one worker process, from the first attempt's start until the last is
 * recorded: a backlog over eight webhooks, and one on a single webhook, which its own cap of 10
 * attempts side by side bounds.
 */
export async function measureDeliveries(
  db: Db,
  stores: Stores,
  { rounds, backlog }: { rounds: number; backlog: number },
): Promise<Row[]> {
  await using cleanup = openCleanup()
  const receiver = startCompanion<ReceiverQuestion, ReceiverAnswer>(
    new URL('../companions/receiver.ts', import.meta.url),
    cleanup,
  )
  const { port } = await receiver.ask({ ask: 'listen', noteArrivals: false })
  const sender = startCompanion<BareSend, { perSecond: number }>(
    new URL('../companions/bare-sender.ts', import.meta.url),
    cleanup,
  )
  await startService('worker', stores, cleanup)
  const body = eventBody(1_000)
  const rows: Row[] = []
  for (const { name, webhooks, count } of [
    { name: '(c) deliveries, backlog over 8 webhooks', webhooks: 8, count: backlog },
    { name: '(c) deliveries, backlog on 1 webhook', webhooks: 1, count: backlog / 2 },
  ]) {
    const concurrency = Math.min(PER_TENANT, webhooks * PER_WEBHOOK)
    const to = await seedWebhooks(db, port, webhooks)
    const sealer = createSealer([ENCRYPTION_KEY])
    await inTransaction(db, (tx) => createSigningSecret(tx, to.tenantId, sealer, new Date()))
    const pairs: { ours: number; bare: number }[] = []
    for (let round = 0; round <= rounds; round += 1) {
      const ours = await deliverBacklog(db, to, count, body)
      const load = { port, body, count: backlog * 4, concurrency }
      const { perSecond: bare } = await sender.ask(load)
      // The first round warms up.
      if (round > 0) pairs.push({ ours, bare })
    }
    rows.push({
      name,
      unit: '/s',
      ours: median(pairs.map((pair) => pair.ours)),
      bare: median(pairs.map((pair) => pair.bare)),
      ratio: median(pairs.map((pair) => pair.ours / pair.bare)),
      aim: all(ratioAtLeast(0.15), perSecondAtLeast(1_000)),
    })
  }
  return rows
}

export async function deliverBacklog(
  db: Db,
  to: { tenantId: string; webhookIds: string[] },
  count: number,
  body: string,
): Promise<number> {
  const writtenAt = new Date()
  await writeEvents(db, to, { count, due: count, body, days: 0, until: writtenAt })
  const isWaiting = async () => {
    const { rows } = await sql`
      SELECT FROM deliveries WHERE tenant_id = ${to.tenantId} AND due_at IS NOT NULL LIMIT 1
    `.execute(db)
    return rows.length > 0
  }
  while (await isWaiting()) await pause(10)
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
