// Every environment variable of the API and the worker, grouped as in docs/configuration.md.
import { z } from 'zod'
import { readRedisAddress } from '../redis/redis-address.ts'
import {
  choice,
  cidrs,
  encryptionKeys,
  headers,
  integer,
  ipAddress,
  limits,
  list,
  mailAddress,
  mailServer,
  ports,
  proxyAddress,
  sources,
  webAddress,
  wholeNumber,
} from './fields.ts'
import {
  exchangeUrls,
  ownHosts,
  vendorSecret,
  vendorSecrets,
  vendorToken,
  vendorUrl,
} from './providers.ts'

export const stack = choice('live', 'sandbox')

export const databaseUrl = z.url({
  protocol: /^postgres(ql)?$/,
  error: 'must be a postgres:// address',
})

const REDIS_ERROR = 'must be a redis:// address, or redis+cluster:// with the members of a Cluster'
const redisUrl = z
  .string({ error: REDIS_ERROR })
  .refine((text) => readRedisAddress(text) !== undefined, { error: REDIS_ERROR })

const stores = {
  STACK: stack,
  DATABASE_URL: databaseUrl,
  DATABASE_PASSWORD: z.string().optional(),
  DATABASE_CONNECTIONS: wholeNumber(1, 500).optional(),
  REDIS_URL: redisUrl,
  ENCRYPTION_KEYS: encryptionKeys,
  ERASED_FILE: z.string().optional(),
}

const addresses = {
  HOST: z.string().default('0.0.0.0'),
  PORT: integer(8080, 0, 65_535),
  METRICS_HOST: z.string().default('127.0.0.1'),
  METRICS_PORT: integer(9090, 0, 65_535),
  PUBLIC_URL: webAddress.optional(),
  TRUSTED_PROXIES: cidrs,
}

const console = {
  CONSOLE: choice('on', 'local', 'off').default('on'),
  CONSOLE_OIDC_ISSUER: webAddress.optional(),
  CONSOLE_OIDC_CLIENT_ID: z.string().max(1_024).optional(),
  CONSOLE_OIDC_CLIENT_SECRET: vendorToken.optional(),
}

const desk = {
  DESK: choice('on', 'local', 'off').default('on'),
  DESK_URL: webAddress.optional(),
  DESK_OIDC_ISSUER: webAddress.optional(),
  DESK_OIDC_CLIENT_ID: z.string().max(1_024).optional(),
  DESK_OIDC_CLIENT_SECRET: vendorToken.optional(),
}

const outbound = {
  HTTPS_PROXY: proxyAddress.optional(),
  NO_PROXY: list,
}

const mail = {
  SMTP_URL: mailServer.optional(),
  SMTP_FROM: mailAddress.optional(),
}

const operation = {
  API_PROCESSES: integer(1, 1, 64),
  WORKER_PROCESSES: integer(1, 1, 64),
  LOG_LEVEL: choice('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent').default('info'),
  OTEL_EXPORTER_OTLP_ENDPOINT: webAddress.optional(),
  OTEL_EXPORTER_OTLP_HEADERS: headers,
  DRAIN_SECONDS: integer(25, 1, 600),
  AUDIT_MINUTES: integer(60, 0, 1_440),
  FOUR_EYES: choice('on', 'off').optional(),
}

const tenants = {
  RATE_LIMITS: limits,
}

const retention = {
  EVENT_RETENTION_DAYS: integer(90, 1, 3_650),
  REQUEST_LOG_DAYS: integer(7, 0, 90),
}

const compliance = {
  COMPLIANCE_PROVIDER: choice('sandbox', 'manual', 'http').optional(),
  KYC_URL: vendorUrl.optional(),
  KYC_TOKEN: vendorToken.optional(),
  KYC_SIGNING_SECRET: vendorSecret.optional(),
  KYC_CALLBACK_SECRETS: vendorSecrets.optional(),
  AML_URL: vendorUrl.optional(),
  AML_API_KEY: vendorToken.optional(),
}

const prices = {
  EXCHANGE_URLS: exchangeUrls,
}

const custodyAndPayments = {
  CUSTODIAN_URL: vendorUrl.optional(),
  CUSTODIAN_TOKEN: vendorToken.optional(),
  CUSTODIAN_SIGNING_SECRET: vendorSecret.optional(),
  CUSTODIAN_CALLBACK_SECRETS: vendorSecrets.optional(),
  PAYMENTS_URL: vendorUrl.optional(),
  PAYMENTS_TOKEN: vendorToken.optional(),
  PAYMENTS_SIGNING_SECRET: vendorSecret.optional(),
  PAYMENTS_CALLBACK_SECRETS: vendorSecrets.optional(),
  PROVIDER_HTTP_HOSTS: ownHosts,
}

const deliveries = {
  WEBHOOK_ALLOW_CIDRS: cidrs,
  WEBHOOK_DENY_PORTS: ports,
  WEBHOOK_PROXY: proxyAddress.optional(),
  WEBHOOK_BIND_ADDRESS: ipAddress.optional(),
  WEBHOOK_SOURCES: sources,
  DELIVERY_DEADLINE_SECONDS: integer(15, 1, 60),
}

export const variables = {
  ...stores,
  ...addresses,
  ...console,
  ...desk,
  ...outbound,
  ...mail,
  ...operation,
  ...tenants,
  ...retention,
  ...compliance,
  ...prices,
  ...custodyAndPayments,
  ...deliveries,
}
