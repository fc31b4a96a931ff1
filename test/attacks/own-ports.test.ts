import { createServer } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '../../src/core/ids.ts'
import { createHostResolver } from '../../src/providers/webhooks/host-resolver.ts'
import { startTestApi, type TestApi, type TestTenant } from '../support/api/api.ts'
import { expectProblem } from '../support/api/expect-problem.ts'
import { insertWebhookRow } from '../support/deliveries/insert-webhook.ts'
import { startDnsServer } from '../support/servers/dns-server.ts'
import { type LocalServer, listen, startCanary } from '../support/servers/misbehaving-server.ts'
import { serviceRedisUrl } from '../support/stores/redis.ts'

/** Listeners that play the ports of the stack: an operator's proxy, the API, the metrics. */
const PARTS = ['WEBHOOK_DENY_PORTS', 'PORT', 'METRICS_PORT'] as const
const HOSTS = ['127.0.0.1', '127.1', '0x7f.1', 'localhost', 'a.localhost', '[::1]', 'inside.test']

let owned: AsyncDisposableStack
let api: TestApi
let tenant: TestTenant
let canaries: LocalServer[]
let ports: number[]

beforeAll(async () => {
  owned = new AsyncDisposableStack()
  canaries = await Promise.all(PARTS.map(async () => owned.use(await startCanary())))
  const dns = owned.use(await startDnsServer({ 'inside.test': [{ addresses: ['127.0.0.1'] }] }))
  const resolveHost = createHostResolver({
    servers: () => [dns.address],
    hostsFile: '/nonexistent',
  })
  const listeners = PARTS.map((name, at) => [name, String(canaries[at]?.port)])
  const env = {
    ...Object.fromEntries(listeners),
    // All of loopback is open, as npm start has it.
    WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8,::1/128',
  }
  api = owned.use(await startTestApi({ env, constants: { maxWebhooks: 1_000 }, resolveHost }))
  tenant = await api.addTenant()
  const stores = [api.resources.config.databaseUrl, await serviceRedisUrl()]
  ports = [...canaries.map(({ port }) => port), ...stores.map((url) => Number(new URL(url).port))]
})
afterAll(() => owned.disposeAsync())

async function simulate(id: string) {
  const data = { borrower_id: newId('bor') }
  const body = { webhook_id: id, event_type: 'borrower.eligible', data }
  return (await tenant.send('POST', '/v1/webhooks/simulate', { body })).json().response
}

test.each(HOSTS)(
  'a webhook cannot reach any port of the stack at %s, although loopback is allowed',
  async (host) => {
    expect(ports.every((port) => port > 0)).toBe(true)
    for (const port of ports) {
      const url = `http://${host}:${port}/`
      const refused = await tenant.send('POST', '/v1/webhooks', { body: { url } })
      const { detail } = expectProblem(refused, 422, 'url_not_allowed')
      expect(detail).toBe('The URL does not lead to a public address.')
      const id = await insertWebhookRow(api, tenant.id, url)
      const notAllowed = { status: 0, body: '', error: 'address_not_allowed' }
      expect(await simulate(id)).toEqual(notAllowed)
    }
    expect(canaries.map((canary) => canary.connections())).toEqual([0, 0, 0])
  },
)

test.each(['127.0.0.1', 'localhost', 'inside.test'])(
  'a webhook reaches a receiver on another port at %s',
  async (host) => {
    const receiver = createServer((_request, response) => response.writeHead(204).end())
    await using server = await listen(receiver, '127.0.0.1')
    const body = { url: `http://${host}:${server.port}/` }
    const { id } = (await tenant.send('POST', '/v1/webhooks', { body })).json()
    expect(await simulate(id)).toMatchObject({ status: 204, error: null })
  },
)
