import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { loadConfig } from '../../src/config/config.ts'
import { loadDatabaseConfig } from '../../src/config/database-config.ts'
import { variables } from '../../src/config/variables.ts'
import { findAll, readText } from './read-text.ts'

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

const LIVE_SECRETS = {
  LIVE_DATABASE_PASSWORD: '0123456789abcdef',
  LIVE_APP_PASSWORD: 'fedcba9876543210',
  LIVE_ENCRYPTION_KEYS: `k1:${randomBytes(32).toString('base64')}`,
  LIVE_COMPLIANCE_PROVIDER: 'manual',
  LIVE_PUBLIC_URL: 'https://api.example.com',
}

test('compose runs the sandbox without any setting', () => {
  expect(loadConfig(environmentOf('sandbox'))).toMatchObject({ stack: 'sandbox' })
})

test('compose refuses to start live until its secrets are given, and names them', () => {
  expect(() => loadConfig(environmentOf('live'))).toThrow(/ENCRYPTION_KEYS is required/)
  const withKeys = { LIVE_ENCRYPTION_KEYS: LIVE_SECRETS.LIVE_ENCRYPTION_KEYS }
  expect(() => loadConfig(environmentOf('live', withKeys))).toThrow(/COMPLIANCE_PROVIDER is req/)
  expect(findAll(text, /\$\{(LIVE_\w+):-[^}]+\}/g)).toEqual(['LIVE_LISTEN'])
})

test('compose runs live once its secrets are given', () => {
  expect(loadConfig(environmentOf('live', LIVE_SECRETS))).toMatchObject({
    stack: 'live',
    complianceProvider: 'manual',
    publicUrl: 'https://api.example.com',
    databaseUrl: 'postgres://lending_app:fedcba9876543210@live-postgres:5432/lending',
  })
})

test('compose gives the processes variables of the configuration alone', () => {
  for (const stack of STACKS) {
    const strangers = Object.keys(environmentOf(stack)).filter(
      (name) => !Object.hasOwn(variables, name),
    )
    expect(strangers).toEqual([])
  }
})

test('each stack in compose has its own stores, migration, API and worker, and nothing of the other', () => {
  const names = findAll(services, /^ {2}([\w-]+):$/gm)
  const parts = ['api', 'migrate', 'postgres', 'redis', 'worker']
  expect(names.sort()).toEqual(STACKS.flatMap((stack) => parts.map((part) => `${stack}-${part}`)))
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
  const published = services.match(/ports:.*/g) ?? []
  expect(published.length).toBe(STACKS.length)
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
  const images = findAll(text, /image: ([^$\s]+)$/gm)
  expect(images).toEqual([
    expect.stringMatching(/^postgres:18\b/),
    expect.stringMatching(/^valkey\/valkey:[89]\b/),
  ])
})

type Service = {
  image: string
  command?: string[]
  environment: { DATABASE_URL?: string }
  read_only?: boolean
  cap_drop?: string[]
  security_opt?: string[]
  healthcheck?: { test?: string[]; disable?: boolean }
}
const read: Record<string, Service> = parse(text, { merge: true }).services

test('in compose the processes log in as a role that the migration makes, the migration as the owner', () => {
  for (const stack of STACKS) {
    const given = environmentOf(stack, LIVE_SECRETS)
    const owner = environmentOf(`${stack}-owner`, LIVE_SECRETS)
    const [role, own] = [given, owner].map(({ DATABASE_URL = '' }) => new URL(DATABASE_URL))
    expect(own?.username).toBe('lending')
    expect(own?.href.split('@')[1]).toBe(role?.href.split('@')[1])
    const { command, environment } = read[`${stack}-migrate`] ?? {}
    expect(command?.slice(-2)).toEqual(['--app-role', role?.username])
    expect(environment?.DATABASE_URL).toContain('postgres://lending:')
    expect(loadDatabaseConfig(owner).appRolePassword).toBe(role?.password)
    for (const part of ['api', 'worker']) {
      const url = read[`${stack}-${part}`]?.environment.DATABASE_URL
      expect(url).toContain('postgres://lending_app:')
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
})

test('in compose Redis refuses writes rather than evict, and keeps a log', () => {
  for (const stack of STACKS) {
    const { command = [] } = read[`${stack}-redis`] ?? {}
    expect(command[command.indexOf('--maxmemory-policy') + 1]).toBe('noeviction')
    expect(command[command.indexOf('--appendonly') + 1]).toBe('yes')
  }
})

test('everything that keeps running in compose has a health check, of its own or of the image', () => {
  for (const stack of STACKS) {
    for (const part of ['postgres', 'redis']) {
      expect(read[`${stack}-${part}`]?.healthcheck?.test?.length).toBeGreaterThan(0)
    }
    for (const part of ['api', 'worker']) {
      expect(read[`${stack}-${part}`]?.healthcheck).toBeUndefined()
    }
  }
})
