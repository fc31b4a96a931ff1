import { createServer } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inTransaction } from '../../src/db/database.ts'
import { EVALUATE_BORROWER } from '../../src/domain/onboarding/borrowers.ts'
import { partOf } from '../../src/domain/work/lanes.ts'
import { findWorkOn, requestWork } from '../../src/domain/work/work.ts'
import { startJobs } from '../../src/jobs/start-jobs.ts'
import { createResources } from '../../src/process/resources.ts'
import { addEvents, addWebhook, readDeliveries } from '../support/deliveries/deliveries.ts'
import { addBorrower, openTenant, sign } from '../support/lending/onboarding.ts'
import { testConfig } from '../support/process/config.ts'
import { waitFor } from '../support/process/patience.ts'
import { type EndpointAnswer, startEndpoint } from '../support/servers/endpoint.ts'
import { listen } from '../support/servers/misbehaving-server.ts'
import { createTestDatabase } from '../support/stores/database.ts'

/** The tests share it; the last one ends it. */
let stuck: Awaited<ReturnType<typeof startStuckWorker>>
const open = new AsyncDisposableStack()
beforeAll(async () => {
  stuck = await startStuckWorker()
})
afterAll(() => open.disposeAsync())

/** A worker without Redis, waiting for a compliance provider that does not answer. */
async function startStuckWorker() {
  const { db, url: databaseUrl } = open.use(await createTestDatabase())
  const noRedis = await listen(createServer())
  await noRedis[Symbol.asyncDispose]()
  const redisUrl = `redis://127.0.0.1:${noRedis.port}`
  const resources = createResources(testConfig({ databaseUrl, redisUrl }))
  open.defer(() => resources.dispose())

  const asked = Promise.withResolvers<void>()
  const answer = Promise.withResolvers<never>()
  const wait = () => {
    asked.resolve()
    return answer.promise
  }
  const compliance = { identity: { verify: wait }, aml: { screen: wait } }
  const jobs = startJobs({ ...resources, compliance })
  let drained: Promise<void> | undefined
  const drain = () => {
    drained ??= jobs.drain()
    return drained
  }
  const giveUp = () => answer.reject(new Error('the provider gave up'))
  open.defer(drain)
  open.defer(giveUp)

  const tenantId = await openTenant(db)
  const borrowerId = await addBorrower(db, tenantId)
  await sign(db, tenantId, borrowerId)
  await asked.promise
  return { db, tenantId, borrowerId, drain, giveUp }
}

test('without Redis, work that waits for a provider does not hold up deliveries', async () => {
  await using endpoint = await startEndpoint()
  const { db } = stuck
  const tenantId = await openTenant(db)
  await addWebhook(db, tenantId, { url: endpoint.url })
  await addEvents(db, tenantId, 1)
  await waitFor(() => expect(endpoint.seen).toHaveLength(1))
})

test('without Redis, work that waits for a provider does not hold up other work', async () => {
  const { db, tenantId, borrowerId } = stuck
  // These borrowers have no signature: there is nothing to ask a provider. One in eight would wait in the
  // lane of the first.
  let subjectId = await addBorrower(db, tenantId)
  while (partOf(subjectId) === partOf(borrowerId)) subjectId = await addBorrower(db, tenantId)
  const work = { tenantId, topic: EVALUATE_BORROWER, subjectId }
  await inTransaction(db, (tx) => requestWork(tx, work, new Date()))
  await waitFor(async () => {
    const waiting = await findWorkOn(db, tenantId, [EVALUATE_BORROWER], [subjectId])
    expect(waiting).toEqual([])
  })
})

test('a drain that waits for a provider lets deliveries in flight end and starts none', async () => {
  const gate = Promise.withResolvers<EndpointAnswer>()
  await using endpoint = await startEndpoint(() => gate.promise)
  const { db, drain, giveUp } = stuck
  const tenantId = await openTenant(db)
  const webhookId = await addWebhook(db, tenantId, { url: endpoint.url })
  await addEvents(db, tenantId, 30)
  await waitFor(() => expect(endpoint.seen).toHaveLength(10))

  const drained = drain()
  gate.resolve({ status: 204 })
  await waitFor(async () => {
    const deliveries = await readDeliveries(db, webhookId)
    expect(deliveries.filter(({ state }) => state === 'delivered').length).toBeGreaterThan(9)
  })
  giveUp()
  await drained
  expect(endpoint.seen).toHaveLength(10)
})
