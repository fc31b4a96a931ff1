import { z } from 'zod'
import { DEFAULT_POLICY } from '../domain/facilities/policy.ts'
import { DEFAULT_MARGIN_POLICY } from '../domain/margin/policy.ts'
import { readRedisAddress } from '../redis/redis-address.ts'
import {
  cidrs,
  dollars,
  encryptionKeys,
  flag,
  integer,
  limits,
  ports,
  ratio,
  sandboxMarket,
  share,
  webAddress,
} from './fields.ts'
import { findLiveFaults } from './live.ts'
import {
  findProviderFaults,
  ownHosts,
  readProviders,
  vendorSecret,
  vendorSecrets,
  vendorToken,
  vendorUrl,
} from './providers.ts'

/** Settings of one process, checked. Read once at its entry and passed on by value. */
export type Config = z.output<typeof environment>

const stack = z.enum(['live', 'sandbox'], { error: 'must be "live" or "sandbox"' })

const databaseUrl = z.url({
  protocol: /^postgres(ql)?$/,
  error: 'must be a postgres:// address',
})

const REDIS_ERROR = 'must be a redis:// address, or redis+cluster:// with the members of a Cluster'
const redisUrl = z
  .string({ error: REDIS_ERROR })
  .refine((text) => readRedisAddress(text) !== undefined, { error: REDIS_ERROR })

const maxActiveKeys = integer(5, 1, 100)

const environment = z
  .object({
    STACK: stack,
    DATABASE_URL: databaseUrl,
    REDIS_URL: redisUrl,
    ENCRYPTION_KEYS: encryptionKeys,
    HOST: z.string().default('0.0.0.0'),
    PORT: integer(8080, 0, 65_535),
    METRICS_HOST: z.string().default('127.0.0.1'),
    METRICS_PORT: integer(9090, 0, 65_535),
    PUBLIC_URL: webAddress.optional(),
    ERRORS_URL: webAddress.optional(),
    LOG_LEVEL: z
      .enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'], {
        error: 'must be trace, debug, info, warn, error, fatal or silent',
      })
      .default('info'),
    OTEL_EXPORTER_OTLP_ENDPOINT: webAddress.optional(),
    OTEL_TRACES_SAMPLER_ARG: ratio,
    TRUSTED_PROXIES: cidrs,
    DATABASE_CONNECTIONS: integer(10, 1, 500),
    TENANT_REQUESTS_IN_FLIGHT: integer(8, 1, 500),
    DRAIN_SECONDS: integer(25, 1, 600),

    SIGNATURE_TOLERANCE_SECONDS: integer(60, 1, 900),
    KEY_CACHE_SECONDS: integer(4, 0, 4),
    MAX_ACTIVE_KEYS: maxActiveKeys,
    RATE_LIMITS: limits,
    MAX_BODY_BYTES: integer(64 * 1024, 1_024, 10 * 1024 * 1024),
    PORTFOLIO_MAX_BODY_BYTES: integer(256 * 1024, 1_024, 10 * 1024 * 1024),
    // Below the 30 s after which a silent connection is closed.
    PORTFOLIO_WAIT_SECONDS: integer(10, 1, 25),
    PORTFOLIO_WAITING_BORROWERS: integer(500, 1, 100_000),
    PORTFOLIO_WAITING_BYTES: integer(64 * 1024 * 1024, 1_024, 16 * 1024 * 1024 * 1024),
    MAX_JSON_DEPTH: integer(16, 2, 64),
    IDEMPOTENCY_RETENTION_DAYS: integer(30, 1, 365),
    SECRET_REPLAY_HOURS: integer(24, 0, 720),

    COMPLIANCE_PROVIDER: z
      .enum(['sandbox', 'manual', 'http'], { error: 'must be "sandbox", "manual" or "http"' })
      .optional(),
    KYC_URL: vendorUrl.optional(),
    KYC_TOKEN: vendorToken.optional(),
    KYC_SIGNING_SECRET: vendorSecret.optional(),
    KYC_CALLBACK_SECRETS: vendorSecrets.optional(),
    AML_URL: vendorUrl.optional(),
    AML_API_KEY: vendorToken.optional(),
    AML_DATASET: z
      .string()
      .regex(/^[a-z0-9_]{1,64}$/, 'must be the name of a dataset')
      .default('default'),
    AML_REVIEW_SCORE: share('0.70'),
    DOCUMENT_GRACE_DAYS: integer(30, 0, 365),

    AS_OF_TOLERANCE_SECONDS: integer(60, 0, 3_600),
    CUSTODIAN_READ_SECONDS: integer(60, 1, 86_400),
    CUSTODIAN_CALM_READ_SECONDS: integer(600, 1, 86_400),
    SANDBOX_PRICES: sandboxMarket,

    PRICES_PROVIDER: z
      .enum(['exchanges', 'none'], { error: 'must be "exchanges" or "none"' })
      .default('exchanges'),
    PRICE_ROUND_SECONDS: integer(10, 2, 60),
    PRICE_STALE_SECONDS: integer(300, 60, 3_600),
    PRICE_RETENTION_DAYS: integer(30, 1, 3_650),
    EXCHANGE_COINBASE_URL: webAddress.default('https://api.exchange.coinbase.com'),
    EXCHANGE_KRAKEN_URL: webAddress.default('https://api.kraken.com'),
    EXCHANGE_BITSTAMP_URL: webAddress.default('https://www.bitstamp.net'),

    CUSTODIAN_PROVIDER: z
      .enum(['http', 'none'], { error: 'must be "http" or "none"' })
      .default('none'),
    CUSTODIAN_URL: vendorUrl.optional(),
    CUSTODIAN_TOKEN: vendorToken.optional(),
    CUSTODIAN_SIGNING_SECRET: vendorSecret.optional(),
    CUSTODIAN_CALLBACK_SECRETS: vendorSecrets.optional(),

    PAYMENTS_PROVIDER: z
      .enum(['http', 'none'], { error: 'must be "http" or "none"' })
      .default('none'),
    PAYMENTS_URL: vendorUrl.optional(),
    PAYMENTS_TOKEN: vendorToken.optional(),
    PAYMENTS_SIGNING_SECRET: vendorSecret.optional(),
    PAYMENTS_CALLBACK_SECRETS: vendorSecrets.optional(),

    PROVIDER_DEADLINE_SECONDS: integer(10, 1, 25),
    PROVIDER_BREAKER_FAILURES: integer(5, 1, 1_000),
    PROVIDER_BREAKER_SECONDS: integer(10, 1, 600),
    PROVIDER_HTTP_HOSTS: ownHosts,
    CALLBACK_TOLERANCE_SECONDS: integer(300, 1, 3_600),

    MIN_LIMIT_USD: dollars('1000.00'),
    MAX_LIMIT_USD: dollars('5000000.00'),
    DEFAULT_RATE: share('0.10'),
    UNDERWRITING_LTV: share('0.50'),
    DRAW_LTV: share('0.50'),

    AUDIT_MINUTES: integer(60, 0, 1_440),
    EVENT_RETENTION_DAYS: integer(90, 1, 3_650),
    MAX_WEBHOOKS: integer(20, 1, 1_000),
    WEBHOOK_ALLOW_HTTP: flag.optional(),
    WEBHOOK_ALLOW_CIDRS: cidrs,
    WEBHOOK_DENY_PORTS: ports,
    DELIVERY_DEADLINE_SECONDS: integer(15, 1, 60),
    DELIVERIES_PER_WEBHOOK: integer(10, 1, 1_000),
    DELIVERIES_PER_TENANT: integer(50, 1, 10_000),
  })
  .superRefine((env, context) => {
    if (env.MIN_LIMIT_USD > env.MAX_LIMIT_USD) {
      const message = 'must not be above MAX_LIMIT_USD'
      context.addIssue({ code: 'custom', path: ['MIN_LIMIT_USD'], message })
    }
    for (const { path, message } of findProviderFaults(env)) {
      context.addIssue({ code: 'custom', path: [path], message })
    }
  })
  .transform((env) => ({
    stack: env.STACK,
    databaseUrl: env.DATABASE_URL,
    databaseConnections: env.DATABASE_CONNECTIONS,
    tenantRequestsInFlight: env.TENANT_REQUESTS_IN_FLIGHT,
    redisUrl: env.REDIS_URL,
    encryptionKeys: env.ENCRYPTION_KEYS,
    host: env.HOST,
    port: env.PORT,
    metricsHost: env.METRICS_HOST,
    metricsPort: env.METRICS_PORT,
    publicUrl: publicUrlOf(env),
    errorsUrl: env.ERRORS_URL ?? `${publicUrlOf(env)}/errors`,
    logLevel: env.LOG_LEVEL,
    /** Where spans are sent; undefined where traces are off. */
    otlpEndpoint: env.OTEL_EXPORTER_OTLP_ENDPOINT,
    traceRatio: env.OTEL_TRACES_SAMPLER_ARG,
    trustedProxies: env.TRUSTED_PROXIES,
    drainSeconds: env.DRAIN_SECONDS,
    signatureToleranceSeconds: env.SIGNATURE_TOLERANCE_SECONDS,
    keyCacheSeconds: env.KEY_CACHE_SECONDS,
    maxActiveKeys: env.MAX_ACTIVE_KEYS,
    limits: env.RATE_LIMITS,
    maxBodyBytes: env.MAX_BODY_BYTES,
    portfolioMaxBodyBytes: env.PORTFOLIO_MAX_BODY_BYTES,
    portfolioWaitSeconds: env.PORTFOLIO_WAIT_SECONDS,
    portfolioWaitingBorrowers: env.PORTFOLIO_WAITING_BORROWERS,
    portfolioWaitingBytes: env.PORTFOLIO_WAITING_BYTES,
    maxJsonDepth: env.MAX_JSON_DEPTH,
    idempotencyRetentionDays: env.IDEMPOTENCY_RETENTION_DAYS,
    secretReplayHours: env.SECRET_REPLAY_HOURS,
    complianceProvider: env.COMPLIANCE_PROVIDER ?? 'sandbox',
    ...readProviders(env),
    documentGraceDays: env.DOCUMENT_GRACE_DAYS,
    asOfToleranceSeconds: env.AS_OF_TOLERANCE_SECONDS,
    custodianReadSeconds: env.CUSTODIAN_READ_SECONDS,
    custodianCalmReadSeconds: env.CUSTODIAN_CALM_READ_SECONDS,
    /** What the sandbox's market pays for each asset, 10^-8 USD. */
    sandboxMarket: env.SANDBOX_PRICES as ReadonlyMap<string, bigint>,
    /** The sandbox has a market of its own, whatever is set. */
    pricesProvider: env.STACK === 'sandbox' ? ('sandbox' as const) : env.PRICES_PROVIDER,
    priceRoundSeconds: env.PRICE_ROUND_SECONDS,
    priceRetentionDays: env.PRICE_RETENTION_DAYS,
    policy: {
      ...DEFAULT_POLICY,
      minLimitCents: env.MIN_LIMIT_USD,
      maxLimitCents: env.MAX_LIMIT_USD,
      defaultRatePpm: Number(env.DEFAULT_RATE),
      underwritingLtvPpm: env.UNDERWRITING_LTV,
      drawLtvPpm: env.DRAW_LTV,
      documentGraceDays: env.DOCUMENT_GRACE_DAYS,
      requireControl: env.STACK === 'live',
    },
    marginPolicy: { ...DEFAULT_MARGIN_POLICY, staleMs: env.PRICE_STALE_SECONDS * 1_000 },
    auditMinutes: env.AUDIT_MINUTES,
    eventRetentionDays: env.EVENT_RETENTION_DAYS,
    maxWebhooks: env.MAX_WEBHOOKS,
    webhookAllowHttp: env.WEBHOOK_ALLOW_HTTP ?? env.STACK === 'sandbox',
    webhookAllowCidrs: env.WEBHOOK_ALLOW_CIDRS,
    webhookDenyPorts: env.WEBHOOK_DENY_PORTS,
    deliveryDeadlineSeconds: env.DELIVERY_DEADLINE_SECONDS,
    deliveriesPerWebhook: env.DELIVERIES_PER_WEBHOOK,
    deliveriesPerTenant: env.DELIVERIES_PER_TENANT,
  }))

/** Where tenants reach the service: this machine, unless said otherwise. */
function publicUrlOf(env: { PUBLIC_URL?: string | undefined; PORT: number }): string {
  return env.PUBLIC_URL ?? `http://localhost:${env.PORT}`
}

/** A configuration that cannot be run: each line names a variable and says what it needs. */
export class ConfigError extends Error {
  constructor(problems: readonly string[]) {
    super(problems.join('\n'))
    this.name = 'ConfigError'
  }
}

/** Reads the configuration from environment variables; throws `ConfigError` with every fault. */
export function loadConfig(env: Record<string, string | undefined>): Config {
  return readEnvironment(environment, env, findLiveFaults)
}

function readEnvironment<T extends z.ZodType>(
  schema: T,
  env: Record<string, string | undefined>,
  findFaults: typeof findLiveFaults = () => [],
): z.output<T> {
  // An empty variable means unset: compose files and .env files write them so.
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''))
  const result = schema.safeParse(given)
  // Beside the schema's, not after: the schema stops at variables that cannot be read.
  const faults = findFaults(given).map(({ path, message }) => `${path} ${message}`)
  if (result.success && faults.length === 0) return result.data
  const issues = result.error?.issues ?? []
  const unread = issues.map((issue) => `${issue.path.join('.') || 'environment'} ${issue.message}`)
  throw new ConfigError([...unread, ...faults])
}

/** Reads the configuration of this very process. */
export function loadProcessConfig(): Config {
  return loadConfig(process.env)
}

/** What a program that needs only the database is told: the command line, migrations. */
export type DatabaseConfig = z.output<typeof databaseEnvironment>

const databaseEnvironment = z
  .object({
    STACK: stack.default('sandbox'),
    DATABASE_URL: databaseUrl.optional(),
    APP_ROLE_PASSWORD: z.string().optional(),
    ENCRYPTION_KEYS: encryptionKeys.optional(),
    MAX_ACTIVE_KEYS: maxActiveKeys,
    LOCAL_DIR: z.string().default('.local'),
  })
  .transform((env) => ({
    stack: env.STACK,
    /** Undefined: that of the local stack which runs from `localFolder`, if one does. */
    databaseUrl: env.DATABASE_URL,
    /** Of the role that the migrate command gives its rights to. */
    appRolePassword: env.APP_ROLE_PASSWORD,
    /** Undefined for the commands that need none. */
    encryptionKeys: env.ENCRYPTION_KEYS,
    maxActiveKeys: env.MAX_ACTIVE_KEYS,
    localFolder: env.LOCAL_DIR,
  }))

/** Reads what the command line needs; throws `ConfigError` with every fault. */
export function loadDatabaseConfig(env: Record<string, string | undefined>): DatabaseConfig {
  return readEnvironment(databaseEnvironment, env)
}

/** Reads what the command line needs from the environment of this very process. */
export function loadProcessDatabaseConfig(): DatabaseConfig {
  return loadDatabaseConfig(process.env)
}

/** Whether this very process was started by `npm run` with this name. */
export function isNpmScript(name: string): boolean {
  const { npm_lifecycle_event: script } = process.env
  return script === name
}
