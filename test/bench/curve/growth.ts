import { sql } from 'kysely'
import { newId } from '../../../src/core/ids.ts'
import { type Db, inTransaction, type Tx } from '../../../src/db/database.ts'
import { createTenant } from '../../../src/domain/tenants/tenants.ts'
import { addFacilities } from '../data/facilities-data.ts'
import { addWebhooks, eventBody, writeEvents } from '../data/webhook-data.ts'
import type { Side } from './side.ts'

/** What grows. The first step of each is what a service starts with. */
export type Growth = {
  name: string
  steps: readonly number[]
  grow(side: Side, from: number, to: number): Promise<void>
}

const PER_TENANT = 20
const EVENT_BYTES = 200
const DAYS_KEPT = 25
const EVENTS_AT_ONCE = 500_000

/** Of the one tenant's log, each delivered to one of its webhooks, over twenty-five days. */
const EVENTS: Growth = {
  name: 'events kept',
  steps: [10_000, 100_000, 1_000_000, 10_000_000],
  async grow({ db, signatory, webhookIds }, from, to) {
    const body = eventBody(EVENT_BYTES)
    const until = new Date(Date.now() - 60_000)
    const target = { tenantId: signatory.tenantId, webhookIds }
    for (let written = from; written < to; written += EVENTS_AT_ONCE) {
      const count = Math.min(EVENTS_AT_ONCE, to - written)
      await writeEvents(db, target, { count, due: 0, body, days: DAYS_KEPT, until })
    }
    await analyse(db, 'events', 'deliveries')
  },
}

/** Of other tenants, twenty each; every one has a delivery that waits for its retry. */
const WEBHOOKS: Growth = {
  name: 'webhooks',
  steps: [10, 100, 1_000, 10_000, 60_000],
  async grow({ db }, from, to) {
    const now = new Date()
    const later = new Date(now.getTime() + 6 * 3_600_000)
    for (let made = from; made < to; made += PER_TENANT) {
      await inTransaction(db, async (tx) => {
        const { id } = await createTenant(tx, 'Bench', now)
        await addWebhooks(tx, id, 1, Math.min(PER_TENANT, to - made))
        await waitForRetry(tx, id, now, later)
      })
    }
    await analyse(db, 'webhooks', 'webhook_dues', 'deliveries')
  },
}

async function waitForRetry(tx: Tx, tenantId: string, now: Date, later: Date): Promise<void> {
  await sql`
    INSERT INTO deliveries (tenant_id, webhook_id, event_id, recorded_at, sequence, event_type,
                            state, next_attempt_at, due_at)
    SELECT tenant_id, webhook_id, 'evt_' || lpad('', 26, '0'), ${now}, 1, 'facility.closed',
           'pending', ${later}, ${later}
    FROM webhooks WHERE tenant_id = ${tenantId}`.execute(tx)
  await sql`UPDATE webhook_dues SET due_at = ${later} WHERE tenant_id = ${tenantId}`.execute(tx)
}

/** Each with a key, in whose names the reads are sent in turn. */
const TENANTS: Growth = {
  name: 'tenants',
  steps: [10, 100, 1_000, 10_000],
  async grow({ db, signatory, keyIds }, from, to) {
    const now = new Date()
    for (let made = from; made < to; made += 1) {
      await inTransaction(db, async (tx) => {
        const { id } = await createTenant(tx, 'Bench', now)
        const keyId = newId('key')
        await sql`
          INSERT INTO api_keys (tenant_id, key_id, public_key, label, scopes, created_at)
          SELECT ${id}, ${keyId}, public_key, label, scopes, created_at FROM api_keys
          WHERE tenant_id = ${signatory.tenantId}`.execute(tx)
        keyIds.push(keyId)
      })
    }
    await analyse(db, 'tenants', 'api_keys')
  },
}

/** Of the one tenant, with three positions and a debt each. */
const FACILITIES: Growth = {
  name: 'facilities',
  steps: [1_000, 10_000, 100_000, 1_000_000],
  async grow({ db, signatory }, from, to) {
    await addFacilities(db, signatory.tenantId, to - from)
    await analyse(db, 'borrowers', 'facilities', 'portfolios')
  },
}

export const GROWTHS = [EVENTS, WEBHOOKS, TENANTS, FACILITIES]

/** What every side starts with: the first step of each. */
export async function growFirst(side: Side): Promise<void> {
  for (const { steps, grow } of GROWTHS) await grow(side, 0, steps[0] ?? 0)
}

/** As autovacuum would; and what was written is on disk before anything is measured. */
async function analyse(db: Db, ...tables: string[]): Promise<void> {
  await sql`SET statement_timeout = 0`.execute(db)
  await sql`VACUUM (ANALYZE) ${sql.join(tables.map((table) => sql.table(table)))}`.execute(db)
  await sql`CHECKPOINT`.execute(db)
}
