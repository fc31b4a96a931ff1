import { afterAll, beforeAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import { createResources, type Resources } from '../../src/process/resources.ts'
import { testConfig } from '../support/process/config.ts'
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
const page = readText('docs/monitoring.md')
const expressions = [
  ...rules.map(({ expr }) => expr),
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

test('the commands of docs/monitoring.md let Prometheus reach every process, keep its data and notify', () => {
  const { services, networks } = parse(readText('docker-compose.yml'), { merge: true })
  const scrape = parse(readText('deploy/prometheus/prometheus.yml'))
  const run = (name: string) => new RegExp(`docker run .*--name ${name} [^\`]*?\\n(?=docker|\`)`)
  const [prometheus = ''] = run('prometheus').exec(page) ?? []
  const [alertmanager = ''] = run('alertmanager').exec(page) ?? []
  for (const command of [prometheus, alertmanager]) {
    // An address that leads nowhere: no dashboard could be read, and no alarm sent.
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
