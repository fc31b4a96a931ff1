import { createServer, type Socket } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { verifyWebhook } from '../../src/client/verify-webhook.ts'
import { inTransaction } from '../../src/db/database.ts'
import { selectHeartbeat, upsertHeartbeat } from '../../src/domain/margin/outages/outage-queries.ts'
import { createSigningSecret } from '../../src/domain/webhooks/signing-secret.ts'
import { startJobs } from '../../src/jobs/start-jobs.ts'
import { createResources, type Resources } from '../../src/process/resources.ts'
import { addWebhook, readDeliveries } from '../support/deliveries/deliveries.ts'
import { insertFacilities } from '../support/lending/facility-rows.ts'
import { addBorrower, openTenant, sign } from '../support/lending/onboarding.ts'
import { testConfig } from '../support/process/config.ts'
import { waitFor } from '../support/process/patience.ts'
import { type Receiver, startReceiver } from '../support/servers/endpoint.ts'
import { listen } from '../support/servers/misbehaving-server.ts'
import { createTestDatabase, type TestDatabase } from '../support/stores/database.ts'
import { serviceRedisUrl } from '../support/stores/redis.ts'

let database: TestDatabase
let redisUrl: string
let receiver: Receiver
beforeAll(async () => {
  database = await createTestDatabase()
  redisUrl = await serviceRedisUrl()
})
afterAll(() => database[Symbol.asyncDispose]())

let open: AsyncDisposableStack
beforeEach(async () => {
  open = new AsyncDisposableStack()
  receiver = open.use(await startReceiver())
})
afterEach(() => open.disposeAsync())

/** A process's resources; `worker` also does its jobs until the end of the test. */
function startProcess(rest: { redisUrl?: string; worker?: boolean } = {}) {
  const config = testConfig({ databaseUrl: database.url, redisUrl: rest.redisUrl ?? redisUrl })
  const resources = createResources(config)
  open.defer(() => resources.dispose())
  if (!rest.worker) return { resources, drain: async () => undefined }
  const jobs = startJobs(resources)
  let drained: Promise<void> | undefined
  const drain = () => {
    drained ??= jobs.drain()
    return drained
  }
  open.defer(drain)
  return { resources, drain }
}

/** A borrower with everything signed, of a tenant with one webhook, to the receiver. */
async function onboard({ db, sealer }: Resources, url = receiver.url) {
  const tenantId = await openTenant(db)
  const { secret } = await inTransaction(db, (tx) =>
    createSigningSecret(tx, tenantId, sealer, () => new Date()),
  )
  const webhookId = await addWebhook(db, tenantId, { url })
  const borrowerId = await addBorrower(db, tenantId)
  await sign(db, tenantId, borrowerId)
  return { tenantId, webhookId, borrowerId, secret }
}

function verified(secret: string) {
  return receiver.seen.map(({ headers, rawBody }) =>
    verifyWebhook({ rawBody, headers, secret, now: new Date() }),
  )
}

async function expectDelivered(db: Resources['db'], webhookId: string): Promise<void> {
  await waitFor(async () =>
    expect(await readDeliveries(db, webhookId)).toMatchObject([{ state: 'delivered' }]),
  )
}

async function expectNoWorkLeft(db: Resources['db']): Promise<void> {
  await waitFor(async () => expect(await db.selectFrom('work').selectAll().execute()).toEqual([]))
}

const eligibleEvent = (borrowerId: string) => ({
  ok: true,
  event: { type: 'borrower.eligible', data: { borrower_id: borrowerId } },
})

test('a signed borrower becomes eligible and the tenant receives one signed delivery', async () => {
  const api = startProcess()
  startProcess({ worker: true })
  const { borrowerId, webhookId, secret } = await onboard(api.resources)
  await expectDelivered(database.db, webhookId)
  // A decision that saw the signing may have been asked for before it: then one more is left, and finds
  // nothing new.
  await expectNoWorkLeft(database.db)

  expect(verified(secret)).toMatchObject([eligibleEvent(borrowerId)])
  expect(receiver.seen[0]?.headers).toMatchObject({
    'content-type': 'application/json',
    'x-svc-delivery-attempt': '1',
    'x-svc-event-id': expect.stringMatching(/^evt_/),
  })
})

test('each job that ran is counted with how it ended', async () => {
  const api = startProcess()
  const worker = startProcess({ worker: true })
  const { webhookId } = await onboard(api.resources)
  await expectDelivered(database.db, webhookId)
  await worker.drain()
  const metrics = await worker.resources.metrics.registry.metrics()
  expect(metrics).toMatch(/svc_job_seconds_count\{job="evaluate-borrower",outcome="done"\} [1-9]/)
})

test('statuses that HTTP does not have are counted as one outcome', async () => {
  const { resources } = startProcess({ worker: true })
  for (const status of [600, 777, 999]) {
    const answer = (socket: Socket) => socket.end(`HTTP/1.1 ${status} Odd\r\n\r\n`)
    const server = open.use(await listen(createServer((it) => it.once('data', () => answer(it)))))
    await onboard(resources, `http://127.0.0.1:${server.port}/`)
  }
  await waitFor(async () => {
    const { values } = await resources.metrics.deliveryAttempts.get()
    expect(values).toMatchObject([{ labels: { outcome: 'other' }, value: 3 }])
  })
})

test('a worker that finds that none was there for minutes gives warned borrowers that time back', async () => {
  const { resources } = startProcess()
  const { db } = resources
  const gone = new Date(Date.now() - 120_000)
  const warned = {
    positions: { BTC: 10n ** 8n },
    principalCents: 90_000_00n,
    accruedAt: gone,
    warnedUntil: new Date(Date.now() + 3_600_000),
  }
  const [id = ''] = await insertFacilities(db, await openTenant(db), [warned])
  await db.deleteFrom('worker_heartbeat').execute()
  await upsertHeartbeat(db, gone)
  startProcess({ worker: true })
  startProcess({ worker: true })
  await waitFor(async () => {
    const pauses = await db
      .selectFrom('facility_pauses')
      .selectAll()
      .where('facility_id', '=', id)
      .execute()
    // Once, though two workers found it.
    expect(pauses).toMatchObject([{ kind: 'outage', started_at: gone }])
    const lastedMs = (pauses[0]?.ended_at?.getTime() ?? 0) - gone.getTime()
    expect(lastedMs).toBeGreaterThanOrEqual(120_000)
    expect(await selectHeartbeat(db)).not.toEqual(gone)
  })
})

test('a drain waits for the attempt in flight and records its answer', async () => {
  const api = startProcess()
  const worker = startProcess({ worker: true })
  const release = receiver.hold()
  const { webhookId } = await onboard(api.resources)
  await waitFor(() => expect(receiver.seen).toHaveLength(1))
  const drained = worker.drain()
  expect(await readDeliveries(database.db, webhookId)).toMatchObject([{ state: 'pending' }])
  release()
  await drained
  expect(await readDeliveries(database.db, webhookId)).toMatchObject([
    { state: 'delivered', attempts: 1 },
  ])
})
