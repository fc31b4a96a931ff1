import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import { createResources, type Resources } from '../../src/process/resources.ts'
import { createExchanges } from '../../src/providers/exchanges/exchanges.ts'
import { testConfig } from '../support/process/config.ts'
import { findAll, readCompose, readText } from './read-text.ts'

const root = join(import.meta.dirname, '..', '..')
const ORIGIN = 'http://127.0.0.1:1'

type Rule = {
  alert: string
  expr: string
  for?: string
  labels: { severity: string }
  annotations: { summary: string }
}

type Recorded = { record: string; expr: string }

const groups: { name: string; rules: (Rule | Recorded)[] }[] = parse(
  readText('deploy/prometheus/alerts.yml'),
).groups
const all = groups.flatMap((group) => group.rules)
const rules = all.filter((rule) => 'alert' in rule)
const dashboard = JSON.parse(readText('deploy/grafana/lending.json'))
const panels: { id: number; targets?: { expr: string }[] }[] = dashboard.panels
const page = readText('docs/monitoring.md')
const expressions = [
  ...all.map(({ expr }) => expr),
  ...panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)),
]

let resources: Resources
let metrics: string
beforeAll(async () => {
  // Metrics describe themselves: no store is reached.
  const nowhere = { databaseUrl: 'postgres://127.0.0.1:1/none', redisUrl: 'redis://127.0.0.1:1' }
  resources = createResources(testConfig(nowhere))
  metrics = await resources.metrics.registry.metrics()
})
afterAll(() => resources.dispose())

/** The metric of a series: that of a histogram's bucket is the histogram. */
const metricOf = (series: string) => series.replace(/_(bucket|sum|count)$/, '')

test('every metric that an alarm or the dashboard uses is one that processes serve', () => {
  const served = findAll(metrics, /^# TYPE (\S+)/gm)
  const asked = expressions.flatMap((expr) => findAll(expr, /\b((?:svc|nodejs|process)_\w+)/g))
  expect(asked.length).toBeGreaterThan(30)
  expect(asked.filter((name) => !served.includes(metricOf(name)))).toEqual([])
})

test('every metric of the service is used by an alarm or on the dashboard', () => {
  const served = findAll(metrics, /^# TYPE (svc_\S+)/gm)
  const asked = expressions.flatMap((expr) => findAll(expr, /\b(svc_\w+)/g)).map(metricOf)
  expect(served.filter((name) => !asked.includes(name))).toEqual([])
})

test('every label that an alarm or the dashboard uses is one that its metric has', () => {
  // What Prometheus adds to each series by itself, and to a histogram.
  const given = ['job', 'instance', 'le']
  const strangers = expressions.flatMap((expr) =>
    [...expr.matchAll(/\b(svc_\w+)\{([^}]*)\}/g)].flatMap(([, series = '', labels = '']) => {
      const metric = resources.metrics.registry.getSingleMetric(metricOf(series))
      const { labelNames } = metric as unknown as { labelNames: string[] }
      const asked = findAll(labels, /(\w+)\s*(?:=~|!~|!=|=)/g)
      return asked.filter((label) => ![...given, ...labelNames].includes(label))
    }),
  )
  expect(strangers).toEqual([])
})

test('docs/monitoring.md has every metric of the service, and no other', () => {
  const served = findAll(metrics, /^# TYPE (svc_\S+)/gm)
  expect(findAll(page, /^\| `(svc_\w+)` \|/gm).sort()).toEqual(served.sort())
})

test('every alarm states its urgency and what happened, and docs/monitoring.md what to do', () => {
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
  const section = /^## Alarms\n([\s\S]*?)^## /m.exec(page)?.[1] ?? ''
  const documented = findAll(section, /^\| (`\w+`(?:, `\w+`)*) \|/gm).flatMap((cell) =>
    findAll(cell, /(\w+)/g),
  )
  expect(documented.sort()).toEqual(rules.map(({ alert }) => alert).sort())
})

test('every alarm has a time at which it is silent and one at which it fires', () => {
  const { tests } = parse(readText('deploy/prometheus/alerts.test.yml'))
  const played = tests.flatMap((test: { alert_rule_test: object[] }) => test.alert_rule_test)
  for (const { alert } of rules) {
    const times = played.filter(({ alertname }: { alertname: string }) => alertname === alert)
    expect(
      times.some((time: object) => 'exp_alerts' in time),
      alert,
    ).toBe(true)
    expect(
      times.some((time: object) => !('exp_alerts' in time)),
      alert,
    ).toBe(true)
  }
})

test('an alarm of requests and of audits waits, and one failure in a quiet hour is too few', () => {
  for (const name of ['AuditStopped', 'RequestsFailing']) {
    expect(rules.find(({ alert }) => alert === name)?.for).toMatch(/^[1-9]\d*m$/)
  }
})

const { services, networks } = readCompose('docker-compose.yml')
const scrape = parse(readText('deploy/prometheus/prometheus.yml'))

type Job = {
  job_name: string
  static_configs?: { targets: string[] }[]
  dns_sd_configs?: object[]
  relabel_configs?: { target_label?: string; replacement?: string }[]
}

test('every way to scrape the processes gives them the label by which the alarms know them', () => {
  const asked = expressions.flatMap((expr) =>
    findAll(expr, /\b(?:up|process_\w+|nodejs_\w+)(\{.*?\})/g),
  )
  const known = asked.filter((labels) => !labels.startsWith('{job'))
  expect(new Set(known)).toEqual(new Set(['{service="lending"}']))
  const pods = parse(readText('deploy/kubernetes/monitoring/pods.yaml'))
  const given = [scrape, parse(readText('deploy/prometheus/kubernetes.yml'))].map(
    ({ scrape_configs: jobs }: { scrape_configs: Job[] }) =>
      jobs.find((job) => job.job_name === 'lending')?.relabel_configs,
  )
  for (const labels of given) {
    expect(labels).toContainEqual({ target_label: 'service', replacement: 'lending' })
  }
  expect(pods.spec.podMetricsEndpoints).toEqual([
    {
      ...{ port: 'internal', interval: '15s' },
      relabelings: [{ targetLabel: 'service', replacement: 'lending' }],
    },
  ])
})

test('the exchanges whose failure wakes no person are those that prices come from', () => {
  const exprOf = (name: string) => rules.find(({ alert }) => alert === name)?.expr
  const config = {
    exchangeUrls: { coinbase: ORIGIN, kraken: ORIGIN, bitstamp: ORIGIN, bitfinex: ORIGIN },
    ...{ priceRoundSeconds: 10, vendorLimits: resources.config.vendorLimits },
  }
  const { clock, logger } = resources
  const watch = { onCall: () => undefined, onBreaker: () => undefined }
  const { sources } = createExchanges(config, { clock, logger, watch })
  const names = sources.map(({ name }) => name).join('|')
  expect(exprOf('ProviderDown')).toContain(`provider!~"${names}"`)
  expect(exprOf('ExchangeDown')).toContain(`provider=~"${names}"`)
})

test('in compose Prometheus reaches every process and exporter, keeps its data and notifies', () => {
  const jobs: Job[] = scrape.scrape_configs
  const found = (name: string) => jobs.find((job) => job.job_name === name)?.dns_sd_configs
  const by = { type: 'A', refresh_interval: '15s' }
  expect(found('lending')).toEqual([{ ...by, names: ['live-api', 'live-worker'], port: 9090 }])
  expect(found('haproxy')).toEqual([{ ...by, names: ['live-proxy'], port: 8405 }])
  expect(readText('deploy/haproxy/haproxy.cfg')).toContain('bind :8405\n')
  const targets = jobs
    .flatMap(({ static_configs: configs = [] }) => configs.flatMap(({ targets }) => targets))
    .concat(['live-api:9090', 'live-worker:9090'])
  const notified = ['alertmanager:9093']
  expect(scrape.alerting.alertmanagers).toEqual([{ static_configs: [{ targets: notified }] }])
  for (const target of [...targets, ...notified]) {
    const [host = ''] = target.split(':')
    expect(services[host].networks).toContain('live')
  }
  expect(networks.live?.internal).not.toBe(true)
  for (const name of ['prometheus', 'alertmanager', 'grafana']) {
    expect(services[name].networks).toEqual(['live'])
    expect(services[name].volumes.join()).toMatch(new RegExp(`\\b${name}:/`))
  }
})

test('every file that compose mounts from deploy is there, and every volume and network is named', () => {
  const all = Object.values<{ volumes?: string[]; networks: string[] }>(services)
  const { volumes } = readCompose('docker-compose.yml')
  for (const mount of all.flatMap(({ volumes = [] }) => volumes)) {
    const source = mount.replace(/^\$\{\w+:-([^}]+)\}/, '$1').split(':')[0] ?? ''
    if (/^\.\/deploy\/(?!live\/)/.test(source))
      expect(existsSync(join(root, source)), source).toBe(true)
    else if (/^\w/.test(source)) expect(volumes).toHaveProperty(source)
    else expect(source).toMatch(/^\/$|^\.\/deploy\/live\/(providers|erased)$/)
  }
  for (const name of all.flatMap((service) => service.networks))
    expect(networks).toHaveProperty(name)
})

test('Grafana finds Prometheus and the dashboard by what is provisioned', () => {
  const { datasources } = parse(readText('deploy/grafana/provisioning/datasources/prometheus.yml'))
  const { providers } = parse(readText('deploy/grafana/provisioning/dashboards/lending.yml'))
  expect(datasources).toMatchObject([{ type: 'prometheus', url: 'http://prometheus:9090' }])
  const mounts: string[] = services.grafana.volumes
  expect(mounts).toContain(
    `./deploy/grafana/lending.json:${providers[0].options.path}/lending.json:ro`,
  )
})

test('the age of the last backup reaches the alarm from the folder that the backups are in', () => {
  const [watched] = rules.filter(({ alert }) => alert === 'BackupOld')
  const script = readText('deploy/backup/backup.sh')
  const written = findAll(script, /echo "(lending_backup_\w+) /g).sort()
  expect(written).toHaveLength(3)
  const asked = findAll(watched?.expr ?? '', /(lending_backup_\w+)/g).sort()
  expect([...new Set(asked)]).toEqual(written)
  expect(services['live-backup'].volumes).toContain('live-backups:/backups')
  expect(services['node-exporter'].volumes).toContain('live-backups:/backups:ro')
  expect(services['node-exporter'].command).toContain('--collector.textfile.directory=/backups')
})

test('the dashboard can be imported: its panels have numbers of their own, and it names no data source', () => {
  const ids = panels.map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
  const text = JSON.stringify(dashboard)
  expect(findAll(text, /"uid":"([^"]*)"/g)).toEqual([
    'lending-service',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: Grafana fills it in.
    '${datasource}',
  ])
})
