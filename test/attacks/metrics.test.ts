import { randomUUID } from 'node:crypto'
import { METHODS } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createInternalServer } from '../../src/process/internal-server.ts'
import { startTestApi, type TestApi } from '../support/api/api.ts'
import { rawRequest, sendRaw } from '../support/api/raw-http.ts'
import { readOperations } from './fuzz/document.ts'

let owned: AsyncDisposableStack
let api: TestApi
let internal: FastifyInstance
let ports: readonly number[]
beforeAll(async () => {
  owned = new AsyncDisposableStack()
  api = owned.use(await startTestApi())
  internal = await createInternalServer(api.resources, true)
  owned.defer(() => internal.close())
  await internal.listen({ host: '127.0.0.1', port: 0 })
  ports = [api.port, (internal.server.address() as AddressInfo).port]
})
afterAll(() => owned.disposeAsync())

const series = async () =>
  (await api.resources.metrics.registry.metrics())
    .split('\n')
    .filter((line) => line.startsWith('svc_'))
    .map((line) => line.slice(0, line.lastIndexOf(' ')))

const operations = readOperations()
const [listed = ''] = operations.map(({ path }) => path)
const garbage = () => randomUUID().replaceAll('-', '')

/** Each time with other garbage in every place where a stranger can put some. */
async function sendGarbage(): Promise<void> {
  const paths = [
    ...[listed, `/v1/${garbage()}`, `/${garbage()}`, `/callbacks/${garbage()}`],
    ...[`/console/${garbage()}`, `/errors/${garbage()}`, `/docs/guides/${garbage()}`],
    ...[`/operator/v1/${garbage()}`, `/operator/${garbage()}`, `/desk/${garbage()}`, '/%zz'],
  ]
  const headers = {
    host: '127.0.0.1',
    'content-type': garbage(),
    'x-svc-key-id': garbage(),
    'x-svc-signature': garbage(),
    'x-forwarded-for': garbage(),
    [`x-${garbage()}`]: garbage(),
  }
  for (const port of ports) {
    for (const method of METHODS) {
      const send = (path: string) =>
        sendRaw(port, rawRequest(`${method} ${path} HTTP/1.1`, headers))
      await Promise.all(paths.map(send))
    }
  }
  for (const path of operations.map((operation) => operation.path)) {
    const target = path.replace(/\{\w+\}/g, garbage)
    await Promise.all(
      ['DELETE', 'PATCH', 'PUT', 'QUERY'].map((method) =>
        api.tenant.send(method, `${target}?${garbage()}=${garbage()}`),
      ),
    )
  }
}

/** A method and a route that a series may name. */
const NAMED = /^((DELETE|GET|HEAD|PATCH|POST|PUT) \/.*|other other)$/

test('strangers add no series to the metrics, whatever they send', async () => {
  await sendGarbage()
  const before = await series()
  await sendGarbage()
  expect((await series()).filter((one) => !before.includes(one))).toEqual([])
  expect(before.filter((one) => /[0-9a-f]{32}/.test(one))).toEqual([])

  const { values } = await api.resources.metrics.requests.get()
  const named = new Set(values.map(({ labels: { method, route } }) => `${method} ${route}`))
  expect(named).toContain('other other')
  const known = operations.map(
    ({ method, path }) => `${method} ${path.replace(/\{(\w+)\}/g, ':$1')}`,
  )
  const ofTenants = [...named].filter((name) => name.includes(' /v1/'))
  expect(ofTenants.filter((name) => !known.includes(name))).toEqual([])
  expect([...named].filter((name) => !NAMED.test(name))).toEqual([])
})

test('every label of a metric is one whose values strangers and tenants do not choose', () => {
  const labels = api.resources.metrics.registry
    .getMetricsAsArray()
    .filter(({ name }) => name.startsWith('svc_'))
    .flatMap((metric) => (metric as unknown as { labelNames: string[] }).labelNames)
  expect([...new Set(labels)].sort()).toEqual([
    ...['asset', 'build', 'class', 'code', 'invariant', 'job'],
    // Ids of keys that the operator has configured.
    'key_id',
    ...['kind', 'method', 'operation', 'outcome', 'provider', 'reason', 'route', 'state', 'status'],
    ...['step', 'sweep', 'tier', 'topic'],
  ])
})
