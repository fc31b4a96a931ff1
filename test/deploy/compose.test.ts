import { randomBytes } from 'node:crypto'
import { existsSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { loadConfig } from '../../src/config/config.ts'
import { loadDatabaseConfig } from '../../src/config/database-config.ts'
import { SECRET_VARIABLES } from '../../src/config/secret-files.ts'
import { variables } from '../../src/config/variables.ts'
import { createTemporaryFolder } from '../support/process/temporary-folder.ts'
import { findAll, readCompose, readText } from './read-text.ts'

type Service = {
  image: string
  command?: string[]
  environment?: Record<string, string>
  profiles?: string[]
  ports?: string[]
  secrets?: string[]
  volumes?: string[]
  mem_limit?: string
  cpus?: string | number
  logging?: { options: Record<string, string> }
  read_only?: boolean
  cap_drop?: string[]
  security_opt?: string[]
  healthcheck?: { test?: string[]; disable?: boolean }
}

const compose = readCompose('docker-compose.yml')
const read: Record<string, Service> = compose.services
const text = readText('docker-compose.yml')
const STACKS = ['live', 'sandbox'] as const

/** The lines under a key of this depth, up to the next key of that depth. */
function block(source: string, key: string, depth = 0): string {
  const lines = source.split('\n')
  const start = lines.findIndex((line) => line.startsWith(`${' '.repeat(depth)}${key}:`))
  if (start < 0) throw new Error(`the compose file has no ${key}`)
  const rest = lines.slice(start + 1)
  const end = rest.findIndex((line) => line.search(/\S/) >= 0 && line.search(/\S/) <= depth)
  return rest.slice(0, end < 0 ? undefined : end).join('\n')
}

const services = block(text, 'services')
const serviceOf = (stack: string, part: string) => block(services, `${stack}-${part}`, 2)

/** The environment of a stack's processes with Compose's variables filled in from `given`. */
function environmentOf(stack: string, given: Record<string, string> = {}): Record<string, string> {
  const entries = [...block(text, `x-${stack}`).matchAll(/^ {2}([A-Z_]+): (.*)$/gm)]
  const fill = (value: string) =>
    value.replace(/\$\{(\w+):-([^}]*)\}/g, (_, name, fallback) => given[name] || fallback)
  return Object.fromEntries(entries.map(([, name = '', value = '']) => [name, fill(value)]))
}

/** What deploy/live/.env must have. */
const LIVE_SETTINGS = {
  COMPLIANCE_PROVIDER: 'manual',
  PUBLIC_URL: 'https://api.example.com',
}

const folder = createTemporaryFolder()
afterAll(() => folder[Symbol.dispose]())

/** What the commands of docs/operations.md write. */
const SECRETS: Record<string, string> = {
  'live-owner-password': '0123456789abcdef',
  'live-app-password': 'p/w:with@signs',
  'live-encryption-keys': `k1:${randomBytes(32).toString('base64')}`,
}
for (const [name, content] of Object.entries(SECRETS)) {
  writeFileSync(join(folder.path, name), `${content}\n`)
}

/** As a process finds it in a container, where the secrets are files. */
function mounted(env: Record<string, string>): Record<string, string> {
  const entries = Object.entries(env).map(([name, value]) => [
    name,
    value.replace(/^\/run\/secrets(?=\/)/, folder.path),
  ])
  return Object.fromEntries(entries)
}

test('compose runs the sandbox without any setting', () => {
  expect(loadConfig(environmentOf('sandbox'))).toMatchObject({ stack: 'sandbox' })
})

test('compose refuses to start live until its settings and secrets are given, and names them', () => {
  const bare = environmentOf('live')
  expect(() => loadConfig(mounted(bare))).toThrow(/COMPLIANCE_PROVIDER is required/)
  expect(() => loadConfig(bare)).toThrow(
    /DATABASE_PASSWORD_FILE names a file .*\n(.*\n)*ENCRYPTION_KEYS_FILE names a file/,
  )
  expect(findAll(text, /\$\{(LIVE_\w+):-[^}]+\}/g).sort()).toEqual([
    'LIVE_BACKUP_DAYS',
    'LIVE_BACKUP_HOURS',
    'LIVE_LISTEN',
    'LIVE_OUTER_PROXIES',
  ])
})

test('compose runs live once its settings and secrets are given', () => {
  const config = loadConfig(mounted({ ...LIVE_SETTINGS, ...environmentOf('live') }))
  expect(config).toMatchObject({
    stack: 'live',
    complianceProvider: 'manual',
    publicUrl: 'https://api.example.com',
  })
  const url = new URL(config.databaseUrl)
  expect(decodeURIComponent(url.password)).toBe(SECRETS['live-app-password'])
  expect(url.host).toBe('live-postgres:5432')
})

test('in compose every secret that a container reads as a file is mounted there, and no other', () => {
  for (const [name, { environment = {}, secrets = [] }] of Object.entries(read)) {
    const files = Object.values(environment).flatMap((value) =>
      findAll(value, /^\/run\/secrets\/(.+)$/g),
    )
    expect({ name, files: files.sort() }).toEqual({ name, files: [...secrets].sort() })
  }
  const owner = ['live-backup', 'live-migrate', 'live-postgres']
  const holders = Object.keys(read).filter((name) =>
    read[name]?.secrets?.includes('live-owner-password'),
  )
  expect(holders.sort()).toEqual(owner)
})

test('the commands of docs/operations.md make every secret that compose mounts', () => {
  const files = Object.values<{ file: string }>(compose.secrets).map(({ file }) => basename(file))
  const page = readText('docs/operations.md')
  for (const file of files) expect(page).toContain(`> deploy/live/secrets/${file}`)
  expect(readText('.gitignore')).toContain('deploy/live/\n')
})

test('compose blanks nothing that deploy/live/.env or deploy/sandbox/.env sets', () => {
  for (const stack of STACKS) {
    const blank = Object.entries(environmentOf(stack)).filter(([, value]) => value === '')
    expect({ stack, blank }).toEqual({ stack, blank: [] })
  }
})

const FILES: readonly string[] = SECRET_VARIABLES.map((name) => `${name}_FILE`)

test('compose gives the processes variables of the configuration alone', () => {
  for (const stack of STACKS) {
    const strangers = Object.keys(environmentOf(stack)).filter(
      (name) => !Object.hasOwn(variables, name) && !FILES.includes(name),
    )
    expect(strangers).toEqual([])
  }
})

test('each stack in compose has its own stores, migration, API and worker, and nothing of the other', () => {
  const names = findAll(services, /^ {2}((?:live|sandbox)-[\w-]+):$/gm)
  const parts = ['api', 'migrate', 'postgres', 'redis', 'worker']
  const all = STACKS.flatMap((stack) => parts.map((part) => `${stack}-${part}`))
  expect(names.sort()).toEqual([...all, 'live-backup'].sort())
  for (const [stack, other] of [STACKS, [...STACKS].reverse()]) {
    for (const part of parts) {
      const service = serviceOf(stack, part)
      expect(service).toContain(`profiles: [${stack}]`)
      expect(service.toLowerCase()).not.toContain(String(other))
    }
    for (const part of [`x-${stack}`, `x-${stack}-owner`]) {
      expect(block(text, part).toLowerCase()).not.toContain(`${other}-`)
    }
  }
})

test('compose publishes the API alone, and keeps the stores on a network without a way out', () => {
  for (const stack of STACKS) {
    expect(block(text, 'networks')).toContain(`${stack}-stores: { internal: true }`)
    for (const part of ['postgres', 'redis', 'migrate']) {
      expect(serviceOf(stack, part)).toContain(`networks: [${stack}-stores]`)
    }
  }
  const watching = Object.keys(read).filter((name) => read[name]?.profiles?.includes('monitoring'))
  const published = Object.keys(read).filter(
    (name) => read[name]?.ports && !watching.includes(name),
  )
  expect(published.sort()).toEqual(STACKS.map((stack) => `${stack}-api`))
  const addresses = watching.flatMap((name) => read[name]?.ports ?? [])
  expect(addresses.filter((address) => !address.startsWith('127.0.0.1:'))).toEqual([])
  for (const stack of STACKS) {
    expect(serviceOf(stack, 'api')).toMatch(/ports: \['\$\{\w+:-127\.0\.0\.1:\d+\}:8080'\]/)
  }
})

test('in compose API and worker start once the migrations have run', () => {
  for (const stack of STACKS) {
    for (const part of ['api', 'worker']) {
      expect(serviceOf(stack, part)).toContain(
        `${stack}-migrate: { condition: service_completed_successfully }`,
      )
    }
  }
})

test('in compose a process has longer to stop than it takes to drain', () => {
  const [, seconds = ''] = /stop_grace_period: (\d+)s/.exec(block(text, 'x-service')) ?? []
  expect(Number(seconds)).toBeGreaterThan(loadConfig(environmentOf('sandbox')).drainSeconds)
})

test('every command in compose runs a file that exists, and every foreign image names a version', () => {
  const files = findAll(text, /command: \[node, ([\w/.-]+)/g)
  expect(files.sort()).toEqual(['src/cli.ts', 'src/worker.ts'])
  const root = join(import.meta.dirname, '..', '..')
  expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([])
  const images = Object.values(read).map(({ image }) => image)
  const foreign = new Set(images.filter((image) => !image.startsWith('$')))
  expect([...foreign].filter((image) => !/:v?\d+\.\d+(\.\d+)?$/.test(image))).toEqual([])
  const [postgres] = [...foreign].filter((image) => image.startsWith('postgres:'))
  expect(postgres).toMatch(/^postgres:18\./)
  expect(foreign.size).toBe(8)
})

test('every container in compose has limits of memory and processors, and logs that are rotated', () => {
  for (const [name, service] of Object.entries(read)) {
    const { mem_limit: memory, cpus, logging } = service
    expect({ name, memory }).toEqual({
      name,
      memory: expect.stringMatching(/^(\$\{\w+:-)?\d+[mg]\}?$/),
    })
    expect({ name, cpus: String(cpus) }).toEqual({
      name,
      cpus: expect.stringMatching(/^(\$\{\w+:-)?[12]\}?$/),
    })
    expect(logging?.options).toEqual({
      ...{ 'max-size': '20m', 'max-file': '10' },
      ...{ mode: 'non-blocking', 'max-buffer-size': '16m' },
    })
  }
})

test('in compose Redis has room for its data and for the copy that rewrites its log', () => {
  const { command = [], mem_limit: limit = '' } = read['live-redis'] ?? {}
  const [data = ''] = command.slice(command.indexOf('--maxmemory') + 1)
  expect(Number.parseInt(limit, 10)).toBeGreaterThan(2 * Number.parseInt(data, 10))
})

test('in compose the processes log in as a role that the migration makes, the migration as the owner', () => {
  for (const stack of STACKS) {
    const given = loadConfig(
      mounted({ ...(stack === 'live' && LIVE_SETTINGS), ...environmentOf(stack) }),
    )
    const owner = loadDatabaseConfig(mounted(environmentOf(`${stack}-owner`)))
    const [role, own] = [given, owner].map(({ databaseUrl = '' }) => new URL(databaseUrl))
    expect(own?.username).toBe('lending')
    expect(own?.href.split('@')[1]).toBe(role?.href.split('@')[1])
    const { command, environment: { DATABASE_URL: migrating } = {} } =
      read[`${stack}-migrate`] ?? {}
    expect(command?.slice(-2)).toEqual(['--app-role', role?.username])
    expect(migrating).toContain('postgres://lending@')
    expect(owner.appRolePassword).toBe(decodeURIComponent(role?.password ?? ''))
    for (const part of ['api', 'worker']) {
      const { DATABASE_URL: url } = read[`${stack}-${part}`]?.environment ?? {}
      expect(url).toContain('postgres://lending_app@')
    }
  }
})

test('in compose the containers of the service have a read-only root and no capabilities', () => {
  for (const stack of STACKS) {
    for (const part of ['api', 'worker', 'migrate']) {
      expect(read[`${stack}-${part}`]).toMatchObject({
        read_only: true,
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
      })
    }
    expect(read[`${stack}-redis`]).toMatchObject({ read_only: true })
  }
  // What only watches or backs up has no more.
  const others = Object.keys(read).filter(
    (name) => !/-(api|worker|migrate|redis|postgres)$/.test(name),
  )
  expect(others.length).toBe(7)
  for (const name of others)
    expect(read[name]).toMatchObject({ read_only: true, cap_drop: ['ALL'] })
})

test('in compose Redis refuses writes rather than evict, and keeps a log', () => {
  for (const stack of STACKS) {
    const { command = [] } = read[`${stack}-redis`] ?? {}
    expect(command[command.indexOf('--maxmemory-policy') + 1]).toBe('noeviction')
    expect(command[command.indexOf('--appendonly') + 1]).toBe('yes')
  }
})

/** Some builders drop it, so compose repeats it. Compose replaces two dollars by one. */
function healthCheckOfImage(): string[] {
  const [, command = ''] =
    /\nHEALTHCHECK [^\n]*\\\n\s+CMD (\[.*\])\n/.exec(readText('Dockerfile')) ?? []
  return JSON.parse(command.replaceAll('$', '$$$$'))
}

test('every store and process in compose has a health check, the processes that of the image', () => {
  for (const stack of STACKS) {
    for (const part of ['postgres', 'redis']) {
      expect(read[`${stack}-${part}`]?.healthcheck?.test?.length).toBeGreaterThan(0)
    }
    for (const part of ['api', 'worker']) {
      expect(read[`${stack}-${part}`]?.healthcheck?.test?.slice(1)).toEqual(healthCheckOfImage())
    }
  }
})
