import { sql } from 'kysely'
import { type Db, inTransaction } from '../../../src/db/database.ts'
import { createTenant } from '../../../src/domain/tenants/tenants.ts'
import { findWebhooksWithDue } from '../../../src/domain/webhooks/deliveries/find-due.ts'
import { p50AtMost } from '../aims.ts'
import { addWebhooks } from '../data/webhook-data.ts'
import { percentile, type Row } from '../report.ts'

const PER_TENANT = 20
const DUE = 10
const WARM_UP = 20

/**
 * One sweep of deliveries where every one of `webhooks` webhooks, 20 a tenant, has a delivery that
 * waits for its retry, and ten of them have one that is due. Without statistics, as after a leap.
 */
export async function measureSweep(
  db: Db,
  { webhooks, sweeps }: { webhooks: number; sweeps: number },
): Promise<Row> {
  const now = new Date()
  const webhookIds: string[] = []
  await inTransaction(db, async (tx) => {
    await sql`SET LOCAL statement_timeout = 0`.execute(tx)
    for (let made = 0; made < webhooks; made += PER_TENANT) {
      const { id } = await createTenant(tx, 'Bench', now)
      webhookIds.push(...(await addWebhooks(tx, id, 1, PER_TENANT)))
    }
    const later = new Date(now.getTime() + 3_600_000)
    await sql`
      INSERT INTO deliveries (tenant_id, webhook_id, event_id, recorded_at, sequence, event_type,
                              state, next_attempt_at, due_at)
      SELECT tenant_id, webhook_id, 'evt_' || lpad('', 26, '0'), ${now}, 1, 'facility.closed',
             'pending', ${later}, ${later}
      FROM webhooks WHERE webhook_id = ANY (${webhookIds}::text[])`.execute(tx)
    await sql`UPDATE webhook_dues SET due_at = ${later}
      WHERE webhook_id = ANY (${webhookIds}::text[])`.execute(tx)
    const due = webhookIds.slice(0, DUE)
    for (const table of ['deliveries', 'webhook_dues']) {
      await sql`UPDATE ${sql.table(table)} SET due_at = ${now}
        WHERE webhook_id = ANY (${due}::text[])`.execute(tx)
    }
  })
  const waits: number[] = []
  for (let sweep = -WARM_UP; sweep < sweeps; sweep += 1) {
    const startedAt = performance.now()
    const found = await findWebhooksWithDue(db, now)
    if (sweep >= 0) waits.push(performance.now() - startedAt)
    const known = new Set(webhookIds)
    const ours = found.filter(({ webhookId }) => known.has(webhookId))
    if (ours.length !== DUE) throw new Error(`a sweep has found ${ours.length} webhooks`)
  }
  return {
    name: `(k) sweep of deliveries: ${webhooks.toLocaleString('en')} webhooks with one pending`,
    unit: 'sweeps/s',
    ours: 1_000 / percentile(waits, 0.5),
    p50Ms: { ours: percentile(waits, 0.5) },
    p99Ms: { ours: percentile(waits, 0.99) },
    aim: p50AtMost(20),
  }
}
