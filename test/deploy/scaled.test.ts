import { expect, test } from 'vitest'
import { loadConfig } from '../../src/config/config.ts'
import { CONSTANTS } from '../../src/config/constants.ts'
import { SERVICE_ERRORS } from '../../src/http/errors/service-errors.ts'
import { findAll, readCompose, readText } from './read-text.ts'

type Service = {
  image?: string
  profiles?: string[]
  ports?: string[]
  environment?: Record<string, string>
  volumes?: string[]
  networks?: Record<string, { ipv4_address: string }>
  deploy?: { replicas: string }
  read_only?: boolean
  cap_drop?: string[]
  security_opt?: string[]
  healthcheck?: { test: string[] }
}
type Compose = {
  services: Record<string, Service>
  networks: Record<
    string,
    { ipam: { config: { subnet: string; gateway: string; ip_range: string }[] } }
  >
}

const base: Compose = readCompose('docker-compose.yml')
const scaled: Compose = readCompose('docker-compose.scaled.yml')
const proxyConfig = readText('deploy/haproxy/haproxy.cfg')
const STACKS = ['live', 'sandbox'] as const

test('the scaled stack has several APIs and workers, and a proxy takes the API’s place', () => {
  for (const stack of STACKS) {
    for (const part of ['api', 'worker']) {
      expect(base.services[`${stack}-${part}`]).toBeDefined()
      const { replicas = '' } = scaled.services[`${stack}-${part}`]?.deploy ?? {}
      expect(replicas).toMatch(/^\$\{[A-Z_]+:-2\}$/)
    }
    const proxy = scaled.services[`${stack}-proxy`]
    expect(proxy?.profiles).toEqual([stack])
    expect(proxy?.ports).toEqual(base.services[`${stack}-api`]?.ports)
    expect(proxy?.environment).toMatchObject({ API_HOST: `${stack}-api` })
  }
  const overridden = readText('docker-compose.scaled.yml').match(/ports: !reset \[\]/g)
  expect(overridden).toHaveLength(STACKS.length)
})

test.each(['haproxy.cfg', 'stores.cfg'])(
  'no two sections of %s share a name, which HAProxy 3.3 refuses',
  (file) => {
    const names = findAll(
      readText(`deploy/haproxy/${file}`),
      /^(?:frontend|backend|listen) (\S+)/gm,
    )
    expect(names.length).toBeGreaterThan(2)
    expect(names).toEqual([...new Set(names)])
  },
)

/** The addresses that a stack's APIs trust, with `outer` in front. */
function trustedProxies(stack: string, outer: string, { services } = scaled): string[] {
  const { TRUSTED_PROXIES = '' } = services[`${stack}-api`]?.environment ?? {}
  return loadConfig({
    STACK: 'sandbox',
    DATABASE_URL: 'postgres://localhost/none',
    REDIS_URL: 'redis://localhost',
    ENCRYPTION_KEYS: `k1:${Buffer.alloc(32).toString('base64')}`,
    TRUSTED_PROXIES: TRUSTED_PROXIES.replace(
      /\$\{[A-Z]+_OUTER_PROXIES:-([^}]*)\}/,
      (_, byDefault) => outer || byDefault,
    ),
  }).trustedProxies
}

test('the API trusts its proxy, at an address that no other container is given', () => {
  for (const stack of STACKS) {
    const address = scaled.services[`${stack}-proxy`]?.networks?.[stack]?.ipv4_address ?? ''
    expect(trustedProxies(stack, '')).toEqual([`${address}/32`])
    const [pool] = base.networks[stack]?.ipam.config ?? []
    const place = address.split('.')
    expect(pool?.subnet).toBe(`${place.slice(0, 3).join('.')}.0/24`)
    expect(pool?.ip_range).toBe(`${place.slice(0, 3).join('.')}.128/25`)
    expect(Number(place[3])).toBeLessThan(128)
  }
})

test('without a proxy of the stack’s own the API trusts one on its machine, else those that are named', () => {
  for (const stack of STACKS) {
    const [pool] = base.networks[stack]?.ipam.config ?? []
    expect(trustedProxies(stack, '', base)).toEqual([`${pool?.gateway}/32`])
    expect(trustedProxies(stack, '10.0.0.7/32', base)).toEqual(['10.0.0.7/32'])
    // Strangers would come from the gateway too where the API is published to them.
    expect(base.services[`${stack}-api`]?.ports?.[0]).toContain('_LISTEN:-127.0.0.1:')
  }
})

test('the shipped proxy of tenants adds the client’s address, and each stack behind it trusts it', () => {
  expect(proxyConfig).toMatch(
    /TRUSTED_PROXIES[^\n]*\n[^\n]*\n\s+http-request add-header X-Forwarded-For/,
  )
  for (const stack of STACKS) {
    expect(readText(`deploy/kubernetes/overlays/${stack}/settings.env`)).toMatch(
      /^TRUSTED_PROXIES=\d/m,
    )
  }
})

test('proxies before the stack’s own are trusted where they are named, and it adds to what they send', () => {
  for (const stack of STACKS) {
    const outer = ['10.0.0.7/32', 'fd00::/8']
    expect(trustedProxies(stack, outer.join(',')).slice(1)).toEqual(outer)
  }
  expect(proxyConfig).toContain('http-request add-header X-Forwarded-For %[src]')
})

test('the proxy has a read-only root and no capabilities, names its version and has a health check', () => {
  for (const stack of STACKS) {
    const proxy = scaled.services[`${stack}-proxy`]
    expect(proxy).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
    })
    expect(proxy?.image).toMatch(/^haproxy:\d+\.\d+/)
    expect(proxy?.healthcheck?.test.at(-1)).toBe('http://127.0.0.1:8404/')
  }
  expect(proxyConfig).toMatch(/bind 127\.0\.0\.1:8404\n\s+monitor-uri \//)
})

test('the proxy ends TLS where it is given a certificate, which it finds beside its configuration', () => {
  expect(proxyConfig).toContain(`bind :8080 "\${TLS[*]}"`)
  for (const stack of STACKS) {
    const { environment, volumes } = scaled.services[`${stack}-proxy`] ?? {}
    // HAProxy 3.2 warns of an empty argument, and ignores those after it.
    expect(environment).toMatchObject({
      TLS: `\${${stack.toUpperCase()}_PROXY_TLS:-name plain}`,
    })
    expect(volumes).toEqual(['./deploy/haproxy:/usr/local/etc/haproxy:ro'])
  }
  expect(readText('.gitignore')).toMatch(/^deploy\/haproxy\/\*\.pem$/m)
})

test('the proxy asks a process whether it is ready, and repeats only what no process has answered', () => {
  expect(proxyConfig).toMatch(/http-check send meth GET uri \/readyz/)
  expect(proxyConfig).toMatch(/^\s+retry-on conn-failure empty-response$/m)
})

test('the proxy waits longer than a portfolio can wait in the line of pushes', () => {
  const [, seconds = ''] = /timeout server (\d+)s/.exec(proxyConfig) ?? []
  expect(Number(seconds)).toBeGreaterThan(CONSTANTS.portfolioWaitSeconds)
})

test('the proxy does not change anything that a signature covers', () => {
  const changes = proxyConfig
    .split('\n')
    .filter((line) => /^\s+(http-request|http-response|reqrep|compression)/.test(line))
  expect(changes).toEqual([
    '    http-request add-header X-Forwarded-For %[src]',
    '    http-request use-service prometheus-exporter if { path /metrics }',
  ])
  const [, metrics = ''] = proxyConfig.split('\nfrontend metrics\n')
  expect(metrics.split('\n\n')[0]).toContain('prometheus-exporter')
})

test('where no process answers, the proxy does with the problem object of the service', () => {
  const answers = [...proxyConfig.matchAll(/^ +http-error status (\d+) (.*) lf-string '(.*)'$/gm)]
  expect(answers.map(([, status]) => status)).toEqual(['502', '503', '504'])
  for (const [, status, headers, body = ''] of answers) {
    expect(headers).toBe(
      'content-type application/problem+json hdr Retry-After 5 hdr Cache-Control no-store',
    )
    expect(JSON.parse(body)).toMatchObject({
      type: '/errors/unavailable',
      title: SERVICE_ERRORS.unavailable.title,
      status: Number(status),
      code: 'unavailable',
    })
  }
})
