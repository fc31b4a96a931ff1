import { z } from 'zod'
import { DEFAULT_POLICY } from '../domain/facilities/policy.ts'
import { DEFAULT_MARGIN_POLICY } from '../domain/margin/policy.ts'
import { CONSTANTS, type Constants } from './constants.ts'
import { findPasswordFaults, withPassword } from './database-password.ts'
import { findLiveFaults, isFourEyes } from './live.ts'
import { localDeskUrl, pageAddress } from './page-address.ts'
import { findProviderFaults, readProviders } from './providers.ts'
import { readEnvironment } from './read-environment.ts'
import type { ConfigFault, Environment } from './secrets.ts'
import { variables } from './variables.ts'

export type Config = z.output<typeof environment> & Constants

const given = z.object(variables)

const parsed = given.superRefine((env, context) => {
  const faults = [
    ...findProviderFaults(env),
    ...findOidcFaults(env, 'CONSOLE'),
    ...findOidcFaults(env, 'DESK'),
    ...findPasswordFaults(env),
    ...findMailFaults(env),
  ]
  for (const { path, message } of faults) {
    context.addIssue({ code: 'custom', path: [path], message })
  }
})

/** All three or none. */
function findOidcFaults(env: z.output<typeof given>, site: 'CONSOLE' | 'DESK'): ConfigFault[] {
  const names = [
    `${site}_OIDC_ISSUER`,
    `${site}_OIDC_CLIENT_ID`,
    `${site}_OIDC_CLIENT_SECRET`,
  ] as const
  const missing = names.filter((name) => env[name] === undefined)
  if (missing.length === names.length) return []
  const message = `is required with the other ${site}_OIDC variables`
  return missing.map((path) => ({ path, message }))
}

/** Both or none. */
function findMailFaults({ SMTP_URL: url, SMTP_FROM: from }: z.output<typeof given>): ConfigFault[] {
  if ((url === undefined) === (from === undefined)) return []
  const path = url === undefined ? 'SMTP_URL' : 'SMTP_FROM'
  return [{ path, message: 'is required with the other SMTP variable' }]
}

type Variables = z.output<typeof parsed>

const environment = parsed.transform((env) => ({
  ...readProcess(env),
  console: readConsole(env),
  desk: readDesk(env),
  mail: readMail(env),
  outboundProxy: readOutbound(env),
  ...readLimits(env),
  ...readProviders(env),
  ...readPolicies(env),
  ...readDeliveries(env),
}))

const publicUrlOf = (env: Variables) => env.PUBLIC_URL ?? `http://localhost:${env.PORT}`

function readProcess(env: Variables) {
  const publicUrl = publicUrlOf(env)
  return {
    stack: env.STACK,
    databaseUrl: withPassword(env.DATABASE_URL, env.DATABASE_PASSWORD),
    /** Of one process. Requests wait for the disk together; a worker's items wait for locks and cores. */
    databaseConnections: {
      api: env.DATABASE_CONNECTIONS ?? 16,
      worker: env.DATABASE_CONNECTIONS ?? 10,
    },
    redisUrl: env.REDIS_URL,
    encryptionKeys: env.ENCRYPTION_KEYS,
    /** Undefined: erasures are confirmed elsewhere. */
    erasedFile: env.ERASED_FILE,
    host: env.HOST,
    port: env.PORT,
    metricsHost: env.METRICS_HOST,
    metricsPort: env.METRICS_PORT,
    publicUrl,
    errorsUrl: `${publicUrl}/errors`,
    trustedProxies: env.TRUSTED_PROXIES,
    logLevel: env.LOG_LEVEL,
    /** Undefined where traces are off. */
    otlpEndpoint: env.OTEL_EXPORTER_OTLP_ENDPOINT,
    otlpHeaders: env.OTEL_EXPORTER_OTLP_HEADERS,
    apiProcesses: env.API_PROCESSES,
    workerProcesses: env.WORKER_PROCESSES,
    drainSeconds: env.DRAIN_SECONDS,
    auditMinutes: env.AUDIT_MINUTES,
    isFourEyes: isFourEyes(env),
  }
}

function readConsole(env: Variables) {
  const { origin, hostname } = pageAddress(publicUrlOf(env))
  const oidc = readOidc(env, 'CONSOLE', `${origin}/console/api/session/oidc/callback`)
  return { mode: env.CONSOLE, origin, relyingPartyId: hostname, oidc }
}

function readDesk(env: Variables) {
  const { origin, hostname } = pageAddress(env.DESK_URL ?? localDeskUrl(env.METRICS_PORT))
  const oidc = readOidc(env, 'DESK', `${origin}/operator/v1/session/oidc/callback`)
  return { mode: env.DESK, origin, relyingPartyId: hostname, oidc }
}

/** Undefined where none is configured. */
function readOidc(env: Variables, site: 'CONSOLE' | 'DESK', redirectUri: string) {
  const [issuer, clientId] = [env[`${site}_OIDC_ISSUER`], env[`${site}_OIDC_CLIENT_ID`]]
  const clientSecret = env[`${site}_OIDC_CLIENT_SECRET`]
  if (issuer === undefined || clientId === undefined || clientSecret === undefined) return undefined
  return { issuer, clientId, clientSecret, name: 'Single sign-on', redirectUri }
}

/** Undefined where what we call is reached directly. */
function readOutbound({ HTTPS_PROXY: url, NO_PROXY: except }: Variables) {
  return url === undefined ? undefined : { url, except }
}

/** Undefined where no mail server is configured. */
function readMail({ SMTP_URL: url, SMTP_FROM: from }: Variables) {
  return url === undefined || from === undefined ? undefined : { url, from }
}

function readLimits(env: Variables) {
  return {
    limits: env.RATE_LIMITS,
    eventRetentionDays: env.EVENT_RETENTION_DAYS,
    requestLogDays: env.REQUEST_LOG_DAYS,
  }
}

function readPolicies(env: Variables) {
  return {
    policy: { ...DEFAULT_POLICY, requireControl: env.STACK === 'live' },
    marginPolicy: DEFAULT_MARGIN_POLICY,
  }
}

function readDeliveries(env: Variables) {
  return {
    webhookAllowHttp: env.STACK === 'sandbox',
    webhookAllowCidrs: env.WEBHOOK_ALLOW_CIDRS,
    webhookDenyPorts: env.WEBHOOK_DENY_PORTS,
    webhookProxy: env.WEBHOOK_PROXY,
    webhookBindAddress: env.WEBHOOK_BIND_ADDRESS,
    /** The console shows them as the addresses that deliveries come from. */
    webhookSources: env.WEBHOOK_SOURCES,
    deliveryDeadlineSeconds: env.DELIVERY_DEADLINE_SECONDS,
  }
}

export function loadConfig(env: Environment): Config {
  return { ...readEnvironment(environment, variables, env, findLiveFaults), ...CONSTANTS }
}
