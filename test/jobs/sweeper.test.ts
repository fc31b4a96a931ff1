import { createServer } from 'node:net'
import { expect, test, vi } from 'vitest'
import { startJobs } from '../../src/jobs/start-jobs.ts'
import { createResources } from '../../src/resources.ts'
import { testConfig } from '../support/config.ts'
import { createTestDatabase } from '../support/database.ts'
import { addEvents, addWebhook } from '../support/deliveries.ts'
import { startEndpoint } from '../support/endpoint.ts'
import { listen } from '../support/misbehaving-server.ts'
import { addBorrower, openTenant, sign } from '../support/onboarding.ts'

test('without Redis, work that waits for a provider does not hold up deliveries', async () => {
  await using open = new AsyncDisposableStack()
  const { db, url: databaseUrl } = open.use(await createTestDatabase())
  const endpoint = open.use(await startEndpoint())
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
  open.defer(() => jobs.drain())
  open.defer(() => answer.reject(new Error('the provider gave up')))

  const tenantId = await openTenant(db)
  await sign(db, tenantId, await addBorrower(db, tenantId))
  await asked.promise
  await addWebhook(db, tenantId, { url: endpoint.url })
  await addEvents(db, tenantId, 1)
  await vi.waitFor(() => expect(endpoint.seen).toHaveLength(1), { timeout: 10_000 })
})
