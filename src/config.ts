import { z } from 'zod'
import { parseLimits } from './core/limit-classes.ts'
import { parseDecimal } from './core/money.ts'
import { parsePrice } from './domain/collateral/prices.ts'
import { DEFAULT_POLICY } from './domain/facilities/policy.ts'
import { DEFAULT_MARGIN_POLICY } from './domain/margin/policy.ts'

/** Settings of one process, checked. Read once at its entry and passed on by value. */
export type Config = z.output<typeof environment>

function integer(fallback: number, min: number, max: number) {
  const error = `must be a whole number from ${min} to ${max}`
  return z
    .string()
    .regex(/^\d{1,15}$/, error)
    .transform(Number)
    .pipe(z.number().min(min, error).max(max, error))
    .default(fallback)
}

const flag = z
  .enum(['true', 'false'], { error: 'must be true or false' })
  .transform((text) => text === 'true')

const webAddress = z
  .url({ protocol: /^https?$/, error: 'must be an http(s):// address' })
  .transform((url) => url.replace(/\/+$/, ''))

const stack = z.enum(['live', 'sandbox'], { error: 'must be "live" or "sandbox"' })

const databaseUrl = z.url({
  protocol: /^postgres(ql)?$/,
  error: 'must be a postgres:// address',
})

const maxActiveKeys = integer(5, 1, 100)

const list = z
  .string()
  .default('')
  .transform((text) => text.split(',').flatMap((item) => item.trim() || []))

const encryptionKeys = z
  .string({
    error: 'is required: <id>:<base64 of 32 random bytes>, comma separated, current first',
  })
  .transform((text, context) =>
    text.split(',').map((item) => {
      const [id = '', secret = ''] = item.trim().split(':')
      const bytes = Buffer.from(secret, 'base64')
      if (!/^[A-Za-z0-9_-]{1,32}$/.test(id) || bytes.length !== 32) {
        context.addIssue('needs entries of the form <id>:<base64 of 32 random bytes>')
      }
      return { id, bytes }
    }),
  )
  .refine(
    (keys) => new Set(keys.map((key) => key.id)).size === keys.length,
    'must name each key once: what an id sealed, it must open',
  )

const limits = z
  .string()
  .default('')
  .transform((text, context) => {
    const parsed = parseLimits(text)
    if (typeof parsed !== 'string') return parsed
    context.addIssue(parsed)
    return z.NEVER
  })

const sandboxMarket = z
  .string()
  .default('BTC=100000,ETH=4000,USDC=1')
  .transform((text, context) => {
    const entries = text.split(',').map((item) => {
      const [, asset = '', decimal = ''] = /^([A-Z0-9]{1,16})=(.+)$/.exec(item.trim()) ?? []
      const price = parsePrice(decimal)
      if (price === undefined || asset === 'USD') {
        context.addIssue('needs prices in USD such as BTC=100000,ETH=4000,USDC=1')
      }
      return [asset, price ?? 0n] as const
    })
    return new Map(entries)
  })

/** An exact decimal of at most `digits` places, above zero, in units of 10^-digits. */
const decimal = (fallback: string, digits: number) =>
  z
    .string()
    .default(fallback)
    .transform((text, context) => {
      const units = parseDecimal(text, digits)
      if (units !== undefined && units > 0n) return units
      context.addIssue(`must be a number above 0 of at most ${digits} decimal places`)
      return z.NEVER
    })

const cidrs = list.refine(
  (items) => items.every((item) => z.union([z.cidrv4(), z.cidrv6()]).safeParse(item).success),
  'needs address ranges such as 10.0.0.0/8,fd00::/8',
)

const environment = z
  .object({
    STACK: stack,
    DATABASE_URL: databaseUrl,
    REDIS_URL: z.url({ protocol: /^rediss?$/, error: 'must be a redis:// address' }),
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
    TRUSTED_PROXIES: cidrs,
    DATABASE_CONNECTIONS: integer(10, 1, 500),
    DRAIN_SECONDS: integer(25, 1, 600),

    SIGNATURE_TOLERANCE_SECONDS: integer(60, 1, 900),
    KEY_CACHE_SECONDS: integer(4, 0, 4),
    MAX_ACTIVE_KEYS: maxActiveKeys,
    RATE_LIMITS: limits,
    MAX_BODY_BYTES: integer(64 * 1024, 1_024, 10 * 1024 * 1024),
    PORTFOLIO_MAX_BODY_BYTES: integer(256 * 1024, 1_024, 10 * 1024 * 1024),
    MAX_JSON_DEPTH: integer(16, 2, 64),
    IDEMPOTENCY_RETENTION_DAYS: integer(30, 1, 365),
    SECRET_REPLAY_HOURS: integer(24, 0, 720),

    COMPLIANCE_PROVIDER: z
      .enum(['sandbox', 'manual'], { error: 'must be "sandbox" or "manual"' })
      .optional(),
    DOCUMENT_GRACE_DAYS: integer(30, 0, 365),

    AS_OF_TOLERANCE_SECONDS: integer(60, 0, 3_600),
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

    MIN_LIMIT_USD: decimal('1000.00', 2),
    MAX_LIMIT_USD: decimal('5000000.00', 2),
    DEFAULT_RATE: decimal('0.10', 6),
    UNDERWRITING_LTV: decimal('0.50', 6),
    DRAW_LTV: decimal('0.50', 6),

    EVENT_RETENTION_DAYS: integer(90, 1, 3_650),
    MAX_WEBHOOKS: integer(20, 1, 1_000),
    WEBHOOK_ALLOW_HTTP: flag.optional(),
    WEBHOOK_ALLOW_CIDRS: cidrs,
    DELIVERY_DEADLINE_SECONDS: integer(15, 1, 60),
    DELIVERIES_PER_WEBHOOK: integer(10, 1, 1_000),
    DELIVERIES_PER_TENANT: integer(50, 1, 10_000),
  })
  .superRefine((env, context) => {
    if (env.STACK === 'live' && env.COMPLIANCE_PROVIDER === 'sandbox') {
      context.addIssue({
        code: 'custom',
        path: ['COMPLIANCE_PROVIDER'],
        message: 'must not be "sandbox" on the live stack: it would approve anyone',
      })
    }
    if (env.STACK === 'live' && env.COMPLIANCE_PROVIDER === undefined) {
      context.addIssue({
        code: 'custom',
        path: ['COMPLIANCE_PROVIDER'],
        message: 'is required on the live stack: "manual" sends each check to the operator',
      })
    }
  })
  .transform((env) => ({
    stack: env.STACK,
    databaseUrl: env.DATABASE_URL,
    databaseConnections: env.DATABASE_CONNECTIONS,
    redisUrl: env.REDIS_URL,
    encryptionKeys: env.ENCRYPTION_KEYS,
    host: env.HOST,
    port: env.PORT,
    metricsHost: env.METRICS_HOST,
    metricsPort: env.METRICS_PORT,
    publicUrl: env.PUBLIC_URL ?? `http://localhost:${env.PORT}`,
    errorsUrl: env.ERRORS_URL ?? `${env.PUBLIC_URL ?? `http://localhost:${env.PORT}`}/errors`,
    logLevel: env.LOG_LEVEL,
    trustedProxies: env.TRUSTED_PROXIES,
    drainSeconds: env.DRAIN_SECONDS,
    signatureToleranceSeconds: env.SIGNATURE_TOLERANCE_SECONDS,
    keyCacheSeconds: env.KEY_CACHE_SECONDS,
    maxActiveKeys: env.MAX_ACTIVE_KEYS,
    limits: env.RATE_LIMITS,
    maxBodyBytes: env.MAX_BODY_BYTES,
    portfolioMaxBodyBytes: env.PORTFOLIO_MAX_BODY_BYTES,
    maxJsonDepth: env.MAX_JSON_DEPTH,
    idempotencyRetentionDays: env.IDEMPOTENCY_RETENTION_DAYS,
    secretReplayHours: env.SECRET_REPLAY_HOURS,
    complianceProvider: env.COMPLIANCE_PROVIDER ?? 'sandbox',
    documentGraceDays: env.DOCUMENT_GRACE_DAYS,
    asOfToleranceSeconds: env.AS_OF_TOLERANCE_SECONDS,
    /** What the sandbox's market pays for each asset, 10^-8 USD. */
    sandboxMarket: env.SANDBOX_PRICES as ReadonlyMap<string, bigint>,
    /** The sandbox has a market of its own, whatever is set. */
    pricesProvider: env.STACK === 'sandbox' ? ('sandbox' as const) : env.PRICES_PROVIDER,
    priceRoundSeconds: env.PRICE_ROUND_SECONDS,
    priceStaleSeconds: env.PRICE_STALE_SECONDS,
    priceRetentionDays: env.PRICE_RETENTION_DAYS,
    exchangeUrls: {
      coinbase: env.EXCHANGE_COINBASE_URL,
      kraken: env.EXCHANGE_KRAKEN_URL,
      bitstamp: env.EXCHANGE_BITSTAMP_URL,
    },
    policy: {
      ...DEFAULT_POLICY,
      minLimitCents: env.MIN_LIMIT_USD,
      maxLimitCents: env.MAX_LIMIT_USD,
      defaultRatePpm: Number(env.DEFAULT_RATE),
      underwritingLtvPpm: env.UNDERWRITING_LTV,
      drawLtvPpm: env.DRAW_LTV,
      requireControl: env.STACK === 'live',
    },
    marginPolicy: DEFAULT_MARGIN_POLICY,
    eventRetentionDays: env.EVENT_RETENTION_DAYS,
    maxWebhooks: env.MAX_WEBHOOKS,
    webhookAllowHttp: env.WEBHOOK_ALLOW_HTTP ?? env.STACK === 'sandbox',
    webhookAllowCidrs: env.WEBHOOK_ALLOW_CIDRS,
    deliveryDeadlineSeconds: env.DELIVERY_DEADLINE_SECONDS,
    deliveriesPerWebhook: env.DELIVERIES_PER_WEBHOOK,
    deliveriesPerTenant: env.DELIVERIES_PER_TENANT,
  }))

/** A configuration that cannot be run: each line names a variable and says what it needs. */
export class ConfigError extends Error {
  constructor(problems: readonly string[]) {
    super(problems.join('\n'))
    this.name = 'ConfigError'
  }
}

/** Reads the configuration from environment variables; throws `ConfigError` with every fault. */
export function loadConfig(env: Record<string, string | undefined>): Config {
  return readEnvironment(environment, env)
}

function readEnvironment<T extends z.ZodType>(
  schema: T,
  env: Record<string, string | undefined>,
): z.output<T> {
  // An empty variable means unset: compose files and .env files write them so.
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''))
  const result = schema.safeParse(given)
  if (result.success) return result.data
  throw new ConfigError(
    result.error.issues.map((issue) => `${issue.path.join('.') || 'environment'} ${issue.message}`),
  )
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
    MAX_ACTIVE_KEYS: maxActiveKeys,
    LOCAL_DIR: z.string().default('.local'),
  })
  .transform((env) => ({
    stack: env.STACK,
    /** Undefined: that of the local stack which runs from `localFolder`, if one does. */
    databaseUrl: env.DATABASE_URL,
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
