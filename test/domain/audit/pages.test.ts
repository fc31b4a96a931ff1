import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { addMs, MINUTE_MS } from '../../../src/core/time.ts'
import { type Db, inTransaction, type Tx } from '../../../src/db/database.ts'
import { inSnapshot } from '../../../src/db/transactions/snapshot.ts'
import { termsOf } from '../../../src/domain/audit/audit.ts'
import type { Scan } from '../../../src/domain/audit/check.ts'
import { CHECKS } from '../../../src/domain/audit/checks.ts'
import { type Keys, preferIndexes, selectAll } from '../../../src/domain/audit/subject-queries.ts'
import { deleteWebhook } from '../../../src/domain/webhooks/webhooks.ts'
import {
  addEvents,
  addWebhook,
  answered,
  claimAt,
  recordAt,
} from '../../support/deliveries/deliveries.ts'
import { openTenant } from '../../support/lending/onboarding.ts'
import { createTestDatabase } from '../../support/stores/database.ts'

const ON_A_PAGE = 10

/** A webhook of a thousand events; one that ended after half of them, and one before any. */
const EVENTS = 1_000

/** What the planner knows of these. */
const statistics: Record<string, (db: Db) => Promise<unknown>> = {
  'a partition that was never analysed': async () => undefined,
  'statistics of empty partitions': (db) => sql`VACUUM ANALYZE`.execute(db),
  'statistics of a few deliveries': async (db) => {
    for (let others = 0; others < 10; others += 1) {
      const tenantId = await openTenant(db)
      const webhookId = await addWebhook(db, tenantId)
      await addEvents(db, tenantId, 1)
      await deliverAll(db, { tenantId, webhookId })
    }
    await sql`VACUUM ANALYZE`.execute(db)
  },
}

test.each(Object.entries(statistics))(
  'a check reads the rows of its page and no others, though planned with %s',
  async (_, prepare) => {
    await using database = await createTestDatabase()
    const { db } = database
    await prepare(db)
    await addHistory(db)
    const checked = await inSnapshot(db, { seconds: 30 }, async (tx) => {
      await preferIndexes(tx)
      const scans = await Promise.all(CHECKS.map((check) => check.scans((read) => read(tx))))
      const read: { name: string; rows: number }[] = []
      for (const scan of scans.flat()) {
        const page = (await listSubjects(scan, tx)).slice(-ON_A_PAGE)
        const before = await countRowsRead(tx)
        await scan.find(tx, page, termsOf({ hasSimulation: false }), 101)
        read.push({ name: scan.name, rows: (await countRowsRead(tx)) - before })
      }
      return read
    })
    expect(checked.filter(({ rows }) => rows > 20 * ON_A_PAGE)).toEqual([])
    expect(checked.filter(({ rows }) => rows >= ON_A_PAGE).length).toBeGreaterThan(20)
  },
)

async function addHistory(db: Db): Promise<void> {
  const tenantId = await openTenant(db)
  const [webhookId, ended, unused] = [
    await addWebhook(db, tenantId),
    await addWebhook(db, tenantId),
    await addWebhook(db, tenantId),
  ]
  const end = (id: string) =>
    inTransaction(db, (tx) => deleteWebhook(tx, tenantId, id, () => new Date()))
  await end(unused)
  await addEvents(db, tenantId, EVENTS / 2)
  await deliverAll(db, { tenantId, webhookId: ended })
  await end(ended)
  await addEvents(db, tenantId, EVENTS / 2)
  await deliverAll(db, { tenantId, webhookId })
}

/** Ten a minute. */
async function deliverAll(db: Db, webhook: { tenantId: string; webhookId: string }): Promise<void> {
  for (let now = addMs(new Date(), MINUTE_MS); ; now = addMs(now, MINUTE_MS)) {
    const claimed = await claimAt(db, webhook, { limit: 10, deadlineMs: 15_000, now })
    if (claimed.length === 0) return
    const attempts = claimed.map((delivery) => {
      return { delivery, endedAt: now, outcome: answered(200) }
    })
    await recordAt(db, webhook, attempts, now)
  }
}

/** The latest last: most rows are from before them. */
async function listSubjects({ subjects }: Scan, tx: Tx): Promise<Keys> {
  const listed: string[][] = []
  for (const source of subjects.sources) {
    if (!source.order) continue
    const rows = await selectAll(tx, source, { limit: 2 * EVENTS })
    listed.push(...rows.map(({ subject }) => subject))
  }
  return listed
}

async function countRowsRead(tx: Tx): Promise<number> {
  const { rows } = await sql<{ read: bigint }>`
    SELECT sum(seq_tup_read + idx_tup_fetch)::bigint AS read FROM pg_stat_xact_user_tables`.execute(
    tx,
  )
  return Number(rows[0]?.read)
}
