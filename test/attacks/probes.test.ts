import { afterAll, beforeAll, expect, test } from 'vitest'
import { createLogger } from '../../src/telemetry/logger.ts'
import { startTestApi, type TestApi } from '../support/api/api.ts'
import { startVendors } from '../support/servers/vendor-server.ts'

const PAGES_A_MINUTE = 120

let owned: AsyncDisposableStack
let api: TestApi
const lines: { msg: string; level: number; peer?: string }[] = []

/** A live stack that trusts one proxy, 127.0.0.9. */
beforeAll(async () => {
  owned = new AsyncDisposableStack()
  const vendors = owned.use(await startVendors())
  const env = { ...vendors.environment, TRUSTED_PROXIES: '127.0.0.9/32' }
  const write = (line: string) => void lines.push(JSON.parse(line))
  const logger = createLogger({ logLevel: 'warn', stack: 'live', kind: 'api' }, { write })
  api = owned.use(await startTestApi({ env, logger }))
})
afterAll(() => owned.disposeAsync())

const get = (target: string, from = '127.0.0.1', forwardedFor?: string) =>
  api.tenant.send('GET', target, {
    from,
    ...(forwardedFor !== undefined && { headers: { 'x-forwarded-for': forwardedFor } }),
  })

test('reads of pages from the address of a probe do not make the probe fail', async () => {
  for (let count = 0; count < PAGES_A_MINUTE; count += 1) await get('/errors')
  expect((await get('/errors')).status).toBe(429)
  for (const probe of ['/healthz', '/readyz']) {
    expect((await get(probe)).status).toBe(200)
  }
})

test.each(['/healthz', '/readyz'])('%s is never rate limited', async (probe) => {
  for (let round = 0; round < 10; round += 1) {
    const answers = await Promise.all(Array.from({ length: 30 }, () => get(probe, '127.0.0.2')))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  }
})

test('a live stack behind a forwarder that it does not trust logs it once', async () => {
  const warnings = () => lines.filter(({ msg }) => msg.includes('TRUSTED_PROXIES'))
  await get('/healthz', '127.0.0.9', '203.0.113.1')
  await get('/healthz', '127.0.0.3')
  expect(warnings()).toEqual([])
  for (const client of ['203.0.113.1', '203.0.113.2, 127.0.0.9', 'nonsense']) {
    await get('/v1/documents', '127.0.0.3', client)
  }
  expect(warnings()).toMatchObject([{ level: 40, peer: '127.0.0.3' }])
})
