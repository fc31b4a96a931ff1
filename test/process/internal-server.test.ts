import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startInternalServer } from '../../src/process/internal-server.ts'
import { startTestApi, type TestApi } from '../support/api/api.ts'
import { waitFor } from '../support/process/patience.ts'

let owned: AsyncDisposableStack
let api: TestApi
let internal: string
let internalServer: FastifyInstance
beforeAll(async () => {
  owned = new AsyncDisposableStack()
  api = owned.use(await startTestApi({ env: { METRICS_PORT: '0' } }))
  internalServer = await startInternalServer(api.resources)
  owned.defer(() => internalServer.close())
  internal = `http://127.0.0.1:${(internalServer.server.address() as AddressInfo).port}`
})
afterAll(() => owned.disposeAsync())

test('metrics are served on the internal port, and not on the tenants’ port', async () => {
  const inside = await fetch(`${internal}/metrics`)
  expect(inside.headers.get('content-type')).toContain('text/plain')
  for (const target of ['/metrics', '/v1/metrics', '//metrics', '/%6Detrics', '/metrics/']) {
    const answer = await fetch(`${api.baseUrl}${target}`)
    expect(await answer.text()).not.toContain('svc_http_request_seconds')
    expect([401, 404]).toContain(answer.status)
  }
  for (const target of ['/v1/documents', '/docs', '/openapi.json']) {
    expect((await fetch(`${internal}${target}`)).status).toBe(404)
  }
})

test('a process shows its kind and its build, to probes and to Prometheus', async () => {
  const { build } = api.resources
  for (const origin of [internal, api.baseUrl]) {
    expect(await (await fetch(`${origin}/healthz`)).json()).toEqual({ status: 'ok', build })
  }
  const text = await (await fetch(`${internal}/metrics`)).text()
  expect(text).toContain(`\nsvc_build_info{kind="api",build="${build}"} 1\n`)
})

test('the API serves no value of what only a worker knows', async () => {
  const text = await (await fetch(`${internal}/metrics`)).text()
  for (const name of [
    'svc_last_audit_timestamp_seconds',
    'svc_audit_unfinished_checks',
    'svc_margin_unwarned_breaches',
    'svc_last_sweep_timestamp_seconds',
    'svc_oldest_due_seconds',
    'svc_invariant_violations',
  ]) {
    expect(text).toContain(`# TYPE ${name} gauge`)
    expect(text).not.toMatch(new RegExp(`^${name}[ {]`, 'm'))
  }
})

test('every port has a limit for an idle connection, a request and its headers', () => {
  for (const { server } of [api.app, internalServer]) {
    const { timeout, requestTimeout, headersTimeout, keepAliveTimeout, maxHeadersCount } = server
    expect(timeout).toBe(30_000)
    expect(keepAliveTimeout).toBe(72_000)
    for (const limit of [requestTimeout, headersTimeout]) {
      expect(limit).toBeGreaterThan(0)
      expect(limit).toBeLessThanOrEqual(60_000)
    }
    expect(maxHeadersCount).not.toBe(0)
  }
})

test('each refusal is counted by its code', async () => {
  const count = async (code: string) => {
    const { values } = await api.resources.metrics.refusals.get()
    return values.find(({ labels }) => labels.code === code)?.value ?? 0
  }
  const before = await count('not_found')
  await api.tenant.send('GET', '/v1/borrowers/bor_unknown')
  await waitFor(async () => expect(await count('not_found')).toBe(before + 1))
})

test('the metrics of the pool show its connections and how many callers wait for one', async () => {
  const { db, config, metrics: own } = api.resources
  const gate = Promise.withResolvers<void>()
  const most = config.databaseConnections.api
  const held = Array.from({ length: most + 2 }, () => db.connection().execute(() => gate.promise))
  const read = async (name: string) => {
    const values = (await own.registry.getSingleMetric(name)?.get())?.values ?? []
    return Object.fromEntries(values.map(({ labels: { state = 'all' }, value }) => [state, value]))
  }
  try {
    await waitFor(async () => {
      expect(await read('svc_database_pool_waiters')).toEqual({ all: 2 })
      expect(await read('svc_database_pool_connections')).toEqual({ used: most, idle: 0 })
    })
  } finally {
    gate.resolve()
    await Promise.all(held)
  }
  expect(await read('svc_database_pool_waiters')).toEqual({ all: 0 })
  expect(await read('svc_database_pool_connections')).toEqual({ used: 0, idle: most })
})
