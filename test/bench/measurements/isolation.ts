import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { loadConfig } from '../../../src/config/config.ts'
import { newId } from '../../../src/core/ids.ts'
import { type Db, inTransaction } from '../../../src/db/database.ts'
import { appendEvents } from '../../../src/domain/events/append-event.ts'
import { registerWebhook } from '../../../src/domain/webhooks/webhooks.ts'
import { createResources } from '../../../src/process/resources.ts'
import { ratioAtMost } from '../aims.ts'
import { serviceEnvironment, startService } from '../companions/processes.ts'
import { seedWebhooks } from '../data/webhook-data.ts'
import { openCleanup } from '../open-cleanup.ts'
import { percentile, type Row } from '../report.ts'
import type { Stores } from '../stores.ts'

const TENANTS = 20
const WEBHOOKS_EACH = 10
/** Each is delivered to all webhooks of one tenant. */
const EVENTS_PER_SECOND = 10
/** Enough to keep the hanging endpoint's lane at its cap throughout. */
const HANGING_BACKLOG = 200
const PATIENCE_MS = 60_000

/**
 * What one endpoint that hangs until the deadline costs 200 healthy ones, its tenant's own among
 * them, at 100 deliveries a second: the same traffic without it and with it.
 */
export async function measureIsolation(
  db: Db,
  stores: Stores,
  { seconds }: { seconds: number },
): Promise<Row> {
  await using cleanup = openCleanup()
  const receiver = await startReceiver(cleanup)
  const tenantIds = await seedTenants(db, receiver.port)
  await startService('worker', stores, cleanup)
  const resources = createResources(
    loadConfig({ ...serviceEnvironment(stores), LOG_LEVEL: 'silent' }),
  )
  cleanup.defer(() => resources.dispose())

  const measure = async (count: number) => {
    const committed = await appendEvenly(resources.db, tenantIds, count)
    return percentile(await receiver.waitsSince(committed, count * WEBHOOKS_EACH), 0.99)
  }
  await measure(2 * EVENTS_PER_SECOND)
  const without = await measure(seconds * EVENTS_PER_SECOND)
  await addHangingWebhook(resources.db, tenantIds[0] ?? '', receiver)
  const withHanging = await measure(seconds * EVENTS_PER_SECOND)
  return {
    name: '(f) p99 at 200 healthy endpoints beside one that hangs, against without it',
    unit: 'ms',
    ours: withHanging,
    bare: without,
    ratio: withHanging / without,
    aim: ratioAtMost(1.5),
  }
}

/** Every webhook has an address, and so connections, of its own: 127.0.1.1, 127.0.1.2, … */
async function seedTenants(db: Db, port: number): Promise<string[]> {
  const tenantIds: string[] = []
  for (let tenant = 0; tenant < TENANTS; tenant += 1) {
    const { tenantId, webhookIds } = await seedWebhooks(db, port, WEBHOOKS_EACH)
    for (const [index, webhookId] of webhookIds.entries()) {
      await db
        .updateTable('webhooks')
        .set({ url: `http://127.0.1.${tenant * WEBHOOKS_EACH + index + 1}:${port}/` })
        .where('webhook_id', '=', webhookId)
        .execute()
    }
    tenantIds.push(tenantId)
  }
  return tenantIds
}

/** Gives a tenant an endpoint that never answers, and so many events that its lane stays full. */
async function addHangingWebhook(
  db: Db,
  tenantId: string,
  receiver: Awaited<ReturnType<typeof startReceiver>>,
): Promise<void> {
  const borrowerIds = Array.from({ length: HANGING_BACKLOG }, () => newId('bor'))
  const webhook = {
    url: `http://127.0.0.1:${receiver.hangingPort}/`,
    eventTypes: [],
    label: undefined,
  }
  const options = { maxWebhooks: WEBHOOKS_EACH + 1, now: new Date() }
  await inTransaction(db, (tx) => registerWebhook(tx, tenantId, webhook, options))
  await inTransaction(db, (tx) => appendEvents(tx, tenantId, borrowerIds.map(eligible)))
  const committed = new Map(borrowerIds.map((borrowerId) => [borrowerId, performance.now()]))
  // The healthy endpoints' share of the backlog is none of what is measured next.
  await receiver.waitsSince(committed, HANGING_BACKLOG * WEBHOOKS_EACH)
}

function eligible(borrowerId: string) {
  return {
    type: 'borrower.eligible' as const,
    resource: { type: 'borrower' as const, id: borrowerId },
    occurredAt: new Date(),
    data: { borrower_id: borrowerId },
  }
}

/** Commits events at an even pace, tenant after tenant; gives each one's instant by its borrower. */
async function appendEvenly(
  db: Db,
  tenantIds: readonly string[],
  count: number,
): Promise<Map<string, number>> {
  const committed = new Map<string, number>()
  const startedAt = performance.now()
  const appends = Array.from({ length: count }, async (_, index) => {
    const dueMs = startedAt + (index * 1_000) / EVENTS_PER_SECOND - performance.now()
    await pause(Math.max(0, dueMs))
    const borrowerId = newId('bor')
    const tenantId = tenantIds[index % tenantIds.length] ?? ''
    await inTransaction(db, (tx) => appendEvents(tx, tenantId, [eligible(borrowerId)]))
    committed.set(borrowerId, performance.now())
  })
  await Promise.all(appends)
  return committed
}

/** Two endpoints in this process, on its clock: a prompt one, and one that never answers. */
async function startReceiver(cleanup: AsyncDisposableStack) {
  let arrivals: { borrowerId: string; at: number }[] = []
  const listen = async (onRequest: Parameters<typeof createServer>[1]) => {
    const server = createServer({}, onRequest)
    await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', resolve))
    cleanup.defer(() => {
      server.closeAllConnections()
      server.close()
    })
    return (server.address() as AddressInfo).port
  }
  const note = async (request: IncomingMessage, response: ServerResponse) => {
    const at = performance.now()
    arrivals.push({ borrowerId: await readBorrowerId(request), at })
    response.end('ok')
  }
  const port = await listen((request, response) => void note(request, response))
  const hangingPort = await listen(() => undefined)
  return {
    port,
    hangingPort,
    /** Milliseconds from commit to arrival, once `expected` deliveries of these events are there. */
    async waitsSince(committed: ReadonlyMap<string, number>, expected: number): Promise<number[]> {
      const deadline = performance.now() + PATIENCE_MS
      for (;;) {
        const ours = arrivals.filter(({ borrowerId }) => committed.has(borrowerId))
        if (ours.length >= expected) {
          arrivals = []
          return ours.map(({ borrowerId, at }) => at - (committed.get(borrowerId) ?? at))
        }
        if (performance.now() > deadline) throw new Error(`${ours.length} of ${expected} arrived`)
        await pause(100)
      }
    },
  }
}

async function readBorrowerId(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return JSON.parse(Buffer.concat(chunks).toString()).data.borrower_id
}
