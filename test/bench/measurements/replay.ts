import { createCursorCodec } from '../../../src/core/cursor.ts'
import type { Db } from '../../../src/db/database.ts'
import { makeMonths } from '../../../src/db/months.ts'
import { readLog } from '../../../src/domain/events/read-log.ts'
import { getReplayView } from '../../../src/domain/webhooks/webhooks.ts'
import { ratioAtMost } from '../aims.ts'
import { ENCRYPTION_KEY } from '../companions/processes.ts'
import { analyse, explainDeliveryQueries, type Plan } from '../data/plans.ts'
import { eventBody, seedWebhooks, writeEvents } from '../data/webhook-data.ts'
import { percentile, type Row } from '../report.ts'

const DAY_MS = 86_400_000
const RETENTION_DAYS = 89
const SMALL = 10_000
const PAGE = 100

/**
 * One page of a webhook's replay in a log of `large` events and in one of 10,000, both spread over
 * the retention period, from positions all over each log; and the plans of the delivery queries
 * with as many deliveries.
 */
export async function measureReplay(
  db: Db,
  databaseUrl: string,
  { large, pages }: { large: number; pages: number },
): Promise<{ row: Row; plans: Plan[] }> {
  const until = new Date()
  const oldest = new Date(until.getTime() - RETENTION_DAYS * DAY_MS)
  for (let at = oldest.getTime(); at < until.getTime(); at += 28 * DAY_MS) {
    await makeMonths(db, new Date(at), new Date(0))
  }
  const body = eventBody(400)
  const batch = { body, days: RETENTION_DAYS, until }
  const big = { ...(await seedWebhooks(db, 1, 20)), count: large }
  const small = { ...(await seedWebhooks(db, 1, 20)), count: SMALL }
  await writeEvents(db, big, { ...batch, count: large, due: 2_000 })
  await writeEvents(db, small, { ...batch, count: SMALL, due: 0 })
  await analyse(db)

  const waits = { big: [] as number[], small: [] as number[] }
  for (let page = 0; page < pages + 20; page += 1) {
    for (const [name, log] of Object.entries({ big, small })) {
      const ms = await timePage(db, log, page / (pages + 20))
      // The first pages warm up.
      if (page >= 20) waits[name as keyof typeof waits].push(ms)
    }
  }
  const at = (share: number) => ({
    ours: percentile(waits.big, share),
    bare: percentile(waits.small, share),
  })
  const row: Row = {
    name: `(e) replay page of 100: ${large.toLocaleString('en')} events against 10,000`,
    unit: 'pages/s',
    ours: 1_000 / at(0.5).ours,
    bare: 1_000 / at(0.5).bare,
    ratio: at(0.5).ours / at(0.5).bare,
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    aim: ratioAtMost(1.5, 'time ratio'),
  }
  const webhook = { tenantId: big.tenantId, webhookId: big.webhookIds[0] ?? '' }
  return { row, plans: await explainDeliveryQueries(databaseUrl, webhook) }
}

/** Reads the page that begins at this share of the log, as the route does. */
async function timePage(
  db: Db,
  log: { tenantId: string; webhookIds: string[]; count: number },
  share: number,
): Promise<number> {
  const cursors = createCursorCodec([ENCRYPTION_KEY])
  const startedAt = performance.now()
  const view = await getReplayView(db, log.tenantId, log.webhookIds[0] ?? '')
  const from = cursors.encode(String(Math.floor(share * (log.count - PAGE))), view.cursorContext)
  const { items } = await readLog(db, view, { from, limit: PAGE }, cursors)
  if (items.length !== PAGE) throw new Error(`a page had ${items.length} events`)
  return performance.now() - startedAt
}
