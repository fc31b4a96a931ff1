import { randomBytes } from 'node:crypto'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { loadConfig } from '../../src/config/config.ts'
import { loadDatabaseConfig } from '../../src/config/database-config.ts'
import { SECRET_VARIABLES } from '../../src/config/secret-files.ts'
import { variables } from '../../src/config/variables.ts'
import { createTemporaryFolder } from '../support/process/temporary-folder.ts'
import { findAll, readText } from './read-text.ts'

const root = join(import.meta.dirname, '..', '..')
const FOLDER = 'deploy/kubernetes'
const STACKS = ['live', 'sandbox'] as const
const PROCESSES = ['api', 'worker'] as const

type Probe = { httpGet: { path: string; port: string }; periodSeconds: number }
type Container = {
  image: string
  args: string[]
  env: {
    name: string
    value?: string
    valueFrom?: { configMapKeyRef: { name: string; key: string } }
  }[]
  envFrom: { configMapRef: { name: string } }[]
  ports?: { name: string; containerPort: number }[]
  startupProbe: Probe
  readinessProbe: Probe
  livenessProbe: Probe
  lifecycle?: { preStop: { sleep: { seconds: number } } }
  resources: object
  volumeMounts: { name: string; mountPath: string; readOnly?: boolean }[]
}
type Pod = {
  terminationGracePeriodSeconds: number
  containers: [Container]
  volumes: { name: string; secret?: { secretName: string } }[]
}
type Manifest = {
  kind: string
  metadata: { name: string }
  spec: {
    replicas?: number
    template: { spec: Pod }
    ports?: { port: number; targetPort: string }[]
    selector?: Record<string, string>
    podSelector?: { matchLabels: Record<string, string> }
    ingress?: { ports: { port: string }[] }[]
    maxUnavailable?: number
  }
}

const base = parse(readText(`${FOLDER}/base/kustomization.yaml`))
const manifests: Manifest[] = base.resources.flatMap((file: string) =>
  parseAllDocuments(readText(`${FOLDER}/base/${file}`)).map((document) => document.toJS()),
)

function find(kind: string, name: string): Manifest {
  const found = manifests.find((item) => item.kind === kind && item.metadata.name === name)
  if (!found) throw new Error(`there is no ${kind} ${name}`)
  return found
}

const podOf = (name: string) =>
  find(name === 'migrate' ? 'Job' : 'Deployment', name).spec.template.spec
const containerOf = (name: string) => podOf(name).containers[0]

function readSettings(stack: string, file: string): Record<string, string> {
  const lines = readText(`${FOLDER}/overlays/${stack}/${file}.env`).matchAll(/^([A-Z_]+)=(.*)$/gm)
  return Object.fromEntries([...lines].map(([, name = '', value = '']) => [name, value]))
}

const folder = createTemporaryFolder()
afterAll(() => folder[Symbol.dispose]())
const CONTENTS: Record<string, string> = {
  'app-password': 'p/w:with@signs',
  'owner-password': '0123456789abcdef',
  'encryption-keys': `k1:${randomBytes(32).toString('base64')}`,
}
for (const [name, content] of Object.entries(CONTENTS)) {
  writeFileSync(join(folder.path, name), content)
}

/** What a container's process finds, with the mounted secrets in a folder of this test. */
function environmentOf(name: string, stack: string): Record<string, string> {
  const env = readSettings(stack, 'settings')
  for (const { name: variable, value, valueFrom } of containerOf(name).env) {
    const { name: map = '', key = '' } = valueFrom?.configMapKeyRef ?? {}
    env[variable] = value ?? readSettings(stack, map)[key] ?? ''
  }
  const entries = Object.entries(env).map(([variable, value]) => [
    variable,
    value.replace(/^\/run\/secrets\/\w+(?=\/)/, folder.path),
  ])
  return Object.fromEntries(entries)
}

test('on Kubernetes both stacks run with what the manifests set and nothing else', () => {
  for (const stack of STACKS) {
    for (const name of PROCESSES) {
      const env = environmentOf(name, stack)
      const config = loadConfig(env)
      expect(config).toMatchObject({ stack, metricsHost: '0.0.0.0' })
      expect(decodeURIComponent(new URL(config.databaseUrl).password)).toBe(
        CONTENTS['app-password'],
      )
      const known = [
        ...Object.keys(variables),
        ...SECRET_VARIABLES.map((secret) => `${secret}_FILE`),
      ]
      expect(Object.keys(env).filter((variable) => !known.includes(variable))).toEqual([])
    }
  }
})

test('the migration on Kubernetes has the owner’s address and the password of the role that it makes', () => {
  for (const stack of STACKS) {
    const config = loadDatabaseConfig(environmentOf('migrate', stack))
    const [owner, role] = [config.databaseUrl, loadConfig(environmentOf('api', stack)).databaseUrl]
    const [own, app] = [new URL(owner ?? ''), new URL(role)]
    expect([own.username, own.password]).toEqual(['lending', CONTENTS['owner-password']])
    expect([own.host, own.pathname]).toEqual([app.host, app.pathname])
    expect(config.appRolePassword).toBe(CONTENTS['app-password'])
    expect(containerOf('migrate').args.slice(-2)).toEqual(['--app-role', app.username])
  }
})

test('on Kubernetes the owner’s password is mounted for the migration alone', () => {
  for (const name of PROCESSES) {
    expect(JSON.stringify(podOf(name).volumes)).not.toContain('owner')
  }
  for (const name of [...PROCESSES, 'migrate']) {
    const { volumeMounts, env } = containerOf(name)
    const paths = volumeMounts.map(({ mountPath }) => mountPath)
    const files = env.flatMap(({ value = '' }) => findAll(value, /^(\/run\/secrets\/\w+)\//g))
    expect(files.filter((path) => !paths.includes(path))).toEqual([])
    const volumes = podOf(name).volumes.map((volume) => volume.name)
    expect(volumeMounts.map((mount) => mount.name).sort()).toEqual(volumes.sort())
  }
})

test('every command on Kubernetes runs a file that exists, through the init of the image', () => {
  const [api, worker, migrate] = [...PROCESSES, 'migrate'].map((name) => containerOf(name).args)
  expect([api, worker]).toEqual([
    ['node', 'src/server.ts'],
    ['node', 'src/worker.ts'],
  ])
  expect(migrate?.slice(0, 3)).toEqual(['node', 'src/cli.ts', 'migrate'])
  for (const [, file = ''] of [api, worker, migrate] as string[][]) {
    expect(existsSync(join(root, file))).toBe(true)
  }
  // `command` would replace the image's ENTRYPOINT.
  expect(readText(`${FOLDER}/base/api.yaml`)).not.toMatch(/^\s+command:/m)
})

test('on Kubernetes ports and probes are those of the process, and readiness alone asks for the stores', () => {
  const { port, metricsPort } = loadConfig(environmentOf('api', 'live'))
  expect(containerOf('api').ports).toEqual([
    { name: 'http', containerPort: port },
    { name: 'internal', containerPort: metricsPort },
  ])
  expect(containerOf('worker').ports).toEqual([{ name: 'internal', containerPort: metricsPort }])
  for (const name of PROCESSES) {
    const { startupProbe, readinessProbe, livenessProbe } = containerOf(name)
    expect(readinessProbe.httpGet).toEqual({ path: '/readyz', port: 'internal' })
    expect(livenessProbe.httpGet).toEqual({ path: '/healthz', port: 'internal' })
    expect(startupProbe.httpGet).toEqual({ path: '/healthz', port: 'internal' })
  }
})

test('on Kubernetes a process has longer to stop than its pause and its drain', () => {
  for (const stack of STACKS) {
    for (const name of PROCESSES) {
      const { drainSeconds } = loadConfig(environmentOf(name, stack))
      const pause = containerOf(name).lifecycle?.preStop.sleep.seconds ?? 0
      expect(podOf(name).terminationGracePeriodSeconds).toBeGreaterThan(pause + drainSeconds)
    }
  }
  // Two failed probes take a process out before it stops, if the endpoints are late.
  const { readinessProbe, lifecycle } = containerOf('api')
  expect(lifecycle?.preStop.sleep.seconds).toBeGreaterThanOrEqual(2 * readinessProbe.periodSeconds)
})

test('on Kubernetes nothing runs as root, writes to its root or has a capability', () => {
  for (const name of [...PROCESSES, 'migrate']) {
    expect(podOf(name)).toMatchObject({
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      securityContext: {
        runAsNonRoot: true,
        runAsUser: 1000,
        seccompProfile: { type: 'RuntimeDefault' },
      },
    })
    expect(containerOf(name)).toMatchObject({
      securityContext: {
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      },
      resources: { requests: { memory: expect.any(String) }, limits: { memory: '1Gi' } },
    })
  }
  expect(readText('Dockerfile')).toContain('\nUSER 1000\n')
})

test('on Kubernetes two of each process run, and one at a time may be taken away', () => {
  for (const name of PROCESSES) {
    expect(find('Deployment', name).spec.replicas).toBe(2)
    expect(find('PodDisruptionBudget', name).spec.maxUnavailable).toBe(1)
  }
})

test('on Kubernetes the internal port is in no service, and open to monitoring alone', () => {
  const services = manifests.filter(({ kind }) => kind === 'Service')
  const ports = services.flatMap(({ spec }) => spec.ports ?? [])
  expect(ports.map(({ targetPort }) => targetPort)).toEqual(['http'])
  for (const name of PROCESSES) {
    const { podSelector, ingress = [] } = find('NetworkPolicy', name).spec
    expect(podSelector?.matchLabels).toEqual({ 'app.kubernetes.io/name': name })
    const rules = ingress.filter((rule) => rule.ports.some(({ port }) => port === 'internal'))
    expect(JSON.stringify(rules)).toContain('lending.example/monitoring')
    expect(rules.length).toBe(1)
  }
  expect(find('NetworkPolicy', 'migrate').spec.ingress).toBeUndefined()
})

test('on Kubernetes Prometheus finds every process, by its label and the name of its port', () => {
  const { selector } = parse(readText(`${FOLDER}/monitoring/pods.yaml`)).spec
  expect(base.labels).toEqual([{ pairs: selector.matchLabels, includeSelectors: true }])
  for (const name of PROCESSES) {
    expect(containerOf(name).ports).toContainEqual({ name: 'internal', containerPort: 9090 })
  }
  const [job] = parse(readText('deploy/prometheus/kubernetes.yml')).scrape_configs
  const [[label, value]] = Object.entries(selector.matchLabels) as [[string, string]]
  expect(job.kubernetes_sd_configs[0].selectors).toEqual([
    { role: 'pod', label: `${label}=${value}` },
  ])
  expect(job.relabel_configs[0]).toMatchObject({ regex: 'internal', action: 'keep' })
})

test('the overlays of Kubernetes name a version of the image, and their own stores', () => {
  for (const stack of STACKS) {
    const overlay = parse(readText(`${FOLDER}/overlays/${stack}/kustomization.yaml`))
    expect(overlay).toMatchObject({ namespace: `lending-${stack}`, resources: ['../../base'] })
    expect(overlay.images[0].name).toBe(containerOf('api').image)
    expect(overlay.images[0].newTag).toMatch(/^\d/)
    const maps: string[] = overlay.configMapGenerator.map(({ name }: { name: string }) => name)
    expect(maps).toEqual(['settings', 'owner'])
    expect(containerOf('api').envFrom).toEqual([{ configMapRef: { name: 'settings' } }])
  }
  const [live, sandbox] = STACKS.map((stack) => readSettings(stack, 'settings'))
  for (const name of ['DATABASE_URL', 'REDIS_URL', 'PUBLIC_URL']) {
    expect(live?.[name]).not.toBe(sandbox?.[name])
  }
})
