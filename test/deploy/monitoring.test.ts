import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { parse } from 'yaml'
import { startInternalServer } from '../../src/process/internal-server.ts'
import { startTestApi, type TestApi } from '../support/api/api.ts'
import { findAll, readText } from './read-text.ts'

type Rule = {
  alert: string
  expr: string
  for?: string
  labels: { severity: string }
  annotations: { summary: string }
}

const groups: { name: string; rules: Rule[] }[] = parse(
  readText('deploy/prometheus/alerts.yml'),
).groups
const rules = groups.flatMap((group) => group.rules)
const dashboard = JSON.parse(readText('deploy/grafana/lending.json'))
const panels: { id: number; targets?: { expr: string }[] }[] = dashboard.panels
const operations = readText('docs/operations.md')
const expressions = [
  ...rules.map(({ expr }) => expr),
  ...panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)),
]

let owned: AsyncDisposableStack
let api: TestApi
let internal: string
let internalServer: FastifyInstance
let metrics: string
beforeAll(async () => {
  owned = new AsyncDisposableStack()
  api = owned.use(await startTestApi({ env: { METRICS_PORT: '0' } }))
  internalServer = await startInternalServer(api.resources)
  owned.defer(() => internalServer.close())
  internal = `http://127.0.0.1:${(internalServer.server.address() as AddressInfo).port}`
  metrics = await (await fetch(`${internal}/metrics`)).text()
})
afterAll(() => owned.disposeAsync())

/** The metric of a series: that of a histogram's bucket is the histogram. */
const metricOf = (series: string) => series.replace(/_(bucket|sum|count)$/, '')

test('every metric that an alarm or the dashboard asks for is one that processes serve', () => {
  const served = findAll(metrics, /^# TYPE (\S+)/gm)
  const asked = expressions.flatMap((expr) => findAll(expr, /\b((?:svc|nodejs|process)_\w+)/g))
  expect(asked.length).toBeGreaterThan(30)
  expect(asked.filter((name) => !served.includes(metricOf(name)))).toEqual([])
})

test('every metric of ours is watched, by an alarm or on the dashboard', () => {
  const served = findAll(metrics, /^# TYPE (svc_\S+)/gm)
  const asked = expressions.flatMap((expr) => findAll(expr, /\b(svc_\w+)/g)).map(metricOf)
  expect(served.filter((name) => !asked.includes(name))).toEqual([])
})

test('every label that an alarm or the dashboard asks for is one that its metric has', () => {
  // What Prometheus adds to each series by itself, and to a histogram.
  const given = ['job', 'instance', 'le']
  const strangers = expressions.flatMap((expr) =>
    [...expr.matchAll(/\b(svc_\w+)\{([^}]*)\}/g)].flatMap(([, series = '', labels = '']) => {
      const metric = api.resources.metrics.registry.getSingleMetric(metricOf(series))
      const { labelNames } = metric as unknown as { labelNames: string[] }
      const asked = findAll(labels, /(\w+)\s*(?:=~|!~|!=|=)/g)
      return asked.filter((label) => ![...given, ...labelNames].includes(label))
    }),
  )
  expect(strangers).toEqual([])
})

test('operations.md tells every metric of ours, and no other', () => {
  const served = findAll(metrics, /^# TYPE (svc_\S+)/gm)
  expect(findAll(operations, /^\| `(svc_\w+)` \|/gm).sort()).toEqual(served.sort())
})

test('every alarm says how urgent it is and what happened, and operations.md what to do', () => {
  expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length)
  for (const rule of rules) {
    expect(rule).toMatchObject({
      alert: expect.stringMatching(/^[A-Z]\w+$/),
      expr: expect.any(String),
      labels: { severity: expect.stringMatching(/^(page|ticket)$/) },
      annotations: { summary: expect.any(String) },
    })
    expect(rule.for ?? '0m').toMatch(/^\d+m$/)
  }
  const section = /^## Alarms\n([\s\S]*?)^## /m.exec(operations)?.[1] ?? ''
  const told = findAll(section, /^\| `(\w+)` \|/gm)
  expect(told.sort()).toEqual(rules.map(({ alert }) => alert).sort())
})

test('operations.md has Prometheus reach every process, keep what it knows, and tell somebody', () => {
  const { services, networks } = parse(readText('docker-compose.yml'), { merge: true })
  const scrape = parse(readText('deploy/prometheus/prometheus.yml'))
  const run = (name: string) => new RegExp(`docker run .*--name ${name} [^\`]*?\\n(?=docker|\`)`)
  const [prometheus = ''] = run('prometheus').exec(operations) ?? []
  const [alertmanager = ''] = run('alertmanager').exec(operations) ?? []
  for (const command of [prometheus, alertmanager]) {
    // One that leads nowhere: nobody could look, and no alarm would get out.
    const [, network = ''] = /--network lending_([\w-]+)/.exec(command) ?? []
    expect(networks).toHaveProperty(network)
    expect(networks[network]?.internal).not.toBe(true)
    for (const part of ['live-api', 'live-worker']) {
      expect(services[part].networks).toContain(network)
      expect(JSON.stringify(scrape.scrape_configs)).toContain(`${part}:9090`)
    }
    expect(command).toMatch(/--publish 127\.0\.0\.1:/)
    expect(command).toMatch(/--volume [\w-]+:\//)
  }
  expect(scrape.alerting.alertmanagers).toEqual([
    { static_configs: [{ targets: ['alertmanager:9093'] }] },
  ])
})

test('the dashboard can be imported: panels with numbers of their own, and no source of ours', () => {
  const ids = panels.map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
  const text = JSON.stringify(dashboard)
  expect(findAll(text, /"uid":"([^"]*)"/g)).toEqual([
    'lending-service',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: Grafana fills it in.
    '${datasource}',
  ])
})

test('metrics are served on the internal port, and not on that of the tenants', async () => {
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

test('no port keeps a connection, a request or its headers waiting without end', () => {
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
  await vi.waitFor(async () => expect(await count('not_found')).toBe(before + 1))
})

test('the pool tells its connections and who waits for one', async () => {
  const { db, config, metrics: own } = api.resources
  const gate = Promise.withResolvers<void>()
  const most = config.databaseConnections
  const held = Array.from({ length: most + 2 }, () => db.connection().execute(() => gate.promise))
  const read = async (name: string) => {
    const values = (await own.registry.getSingleMetric(name)?.get())?.values ?? []
    return Object.fromEntries(values.map(({ labels: { state = 'all' }, value }) => [state, value]))
  }
  try {
    await vi.waitFor(async () => {
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
