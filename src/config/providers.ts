import { isIP } from 'node:net'
import { z } from 'zod'
import { isPublic } from '../domain/webhooks/address-policy.ts'
import type { ExchangeUrls } from '../providers/exchanges/exchanges.ts'
import type { VendorSettings } from '../providers/vendors/signed-client.ts'
import type { Vendors } from '../providers/vendors/vendors.ts'

/** A path is appended to it, so it has no query and no slash at its end. */
export const vendorUrl = z
  .url({ protocol: /^https?$/, error: 'must be an https:// address' })
  .refine((text) => {
    if (!URL.canParse(text)) return true
    const { username, password, search, hash } = new URL(text)
    return `${username}${password}${search}${hash}` === ''
  }, 'must be an address without credentials, query and fragment')
  .transform((text) => text.replace(/\/+$/, ''))

export const vendorToken = z
  .string()
  .regex(/^[\x21-\x7e]{16,1024}$/, 'must be 16 to 1024 characters without spaces')

export const vendorSecret = z
  .string()
  .regex(
    /^[\x21-\x2b\x2d-\x7e]{32,1024}$/,
    'must be 32 to 1024 characters without spaces and commas',
  )

/** Comma separated; a callback signed with any of them is accepted. */
export const vendorSecrets = z
  .string()
  .transform((text) => text.split(',').map((item) => item.trim()))
  .pipe(z.array(vendorSecret))

export const ownHosts = z
  .string()
  .default('')
  .transform((text) => text.split(',').flatMap((item) => item.trim().toLowerCase() || []))
  .refine(
    (hosts) => hosts.every((host) => isIP(host) === 0 || !isPublic(host)),
    'must not name a public address',
  )

type ProviderEnvironment = {
  STACK: 'live' | 'sandbox'
  COMPLIANCE_PROVIDER?: 'sandbox' | 'manual' | 'http' | undefined
  CUSTODIAN_PROVIDER: 'http' | 'none'
  PAYMENTS_PROVIDER: 'http' | 'none'
  PRICES_PROVIDER: 'exchanges' | 'none'
  AML_URL?: string | undefined
  AML_API_KEY?: string | undefined
  AML_DATASET: string
  AML_REVIEW_SCORE: bigint
  EXCHANGE_COINBASE_URL: string
  EXCHANGE_KRAKEN_URL: string
  EXCHANGE_BITSTAMP_URL: string
  EXCHANGE_BITFINEX_URL: string
  PROVIDER_HTTP_HOSTS: readonly string[]
  SANDBOX_PRICES: ReadonlyMap<string, bigint>
} & {
  [Part in `${Vendor}_URL` | `${Vendor}_TOKEN` | `${Vendor}_SIGNING_SECRET`]?: string | undefined
} & {
  [Part in `${Vendor}_CALLBACK_SECRETS`]?: string[] | undefined
}

const VENDORS = ['KYC', 'CUSTODIAN', 'PAYMENTS'] as const
type Vendor = (typeof VENDORS)[number]

const CHOICES = {
  KYC: 'COMPLIANCE_PROVIDER',
  CUSTODIAN: 'CUSTODIAN_PROVIDER',
  PAYMENTS: 'PAYMENTS_PROVIDER',
} as const

export function findProviderFaults(
  env: ProviderEnvironment,
): { path: keyof ProviderEnvironment; message: string }[] {
  const needed = VENDORS.filter((vendor) => isChosen(env, vendor)).flatMap((vendor) => {
    const names = [
      `${vendor}_URL`,
      `${vendor}_TOKEN`,
      `${vendor}_SIGNING_SECRET`,
      `${vendor}_CALLBACK_SECRETS`,
    ] as const
    const all = vendor === 'KYC' ? [...names, 'AML_URL' as const] : names
    return all.map((path) => ({ path, by: CHOICES[vendor] }))
  })
  const missing = needed
    .filter(({ path }) => env[path] === undefined)
    .map(({ path, by }) => ({ path, message: `is required where ${by} is "http"` }))
  const plain = addressNames(env)
    .filter((path) => env.STACK === 'live' && !isSafe(env[path], env.PROVIDER_HTTP_HOSTS))
    .map((path) => ({
      path,
      message: 'must be an https:// address on the live stack, or of a host in PROVIDER_HTTP_HOSTS',
    }))
  return [...missing, ...plain]
}

function addressNames(env: ProviderEnvironment) {
  const exchanges = [
    'EXCHANGE_COINBASE_URL',
    'EXCHANGE_KRAKEN_URL',
    'EXCHANGE_BITSTAMP_URL',
    'EXCHANGE_BITFINEX_URL',
  ] as const
  const vendors = VENDORS.filter((vendor) => isChosen(env, vendor)).map(
    (vendor) => `${vendor}_URL` as const,
  )
  return [
    ...vendors,
    ...(isChosen(env, 'KYC') ? (['AML_URL'] as const) : []),
    ...(env.PRICES_PROVIDER === 'exchanges' ? exchanges : []),
  ]
}

function isSafe(url: string | undefined, ownHosts: readonly string[]): boolean {
  if (url === undefined || !URL.canParse(url)) return true
  const { protocol, hostname } = new URL(url)
  return protocol !== 'http:' || ownHosts.includes(hostname.replace(/^\[|\]$/g, ''))
}

/** The sandbox always has its own custodian and payments. */
function isChosen(env: ProviderEnvironment, vendor: Vendor): boolean {
  if (vendor === 'KYC') return env.COMPLIANCE_PROVIDER === 'http'
  return env.STACK === 'live' && env[CHOICES[vendor]] === 'http'
}

export function readProviders(env: ProviderEnvironment) {
  const vendors: Vendors = {
    kyc: readVendor(env, 'KYC'),
    aml: isChosen(env, 'KYC')
      ? {
          url: env.AML_URL ?? '',
          apiKey: env.AML_API_KEY,
          dataset: env.AML_DATASET,
          reviewScorePpm: env.AML_REVIEW_SCORE,
        }
      : undefined,
    custodian: readVendor(env, 'CUSTODIAN'),
    payments: readVendor(env, 'PAYMENTS'),
  }
  const exchangeUrls: ExchangeUrls = {
    coinbase: env.EXCHANGE_COINBASE_URL,
    kraken: env.EXCHANGE_KRAKEN_URL,
    bitstamp: env.EXCHANGE_BITSTAMP_URL,
    bitfinex: env.EXCHANGE_BITFINEX_URL,
  }
  return {
    complianceProvider: env.COMPLIANCE_PROVIDER ?? 'sandbox',
    vendors,
    pricesProvider: env.STACK === 'sandbox' ? ('sandbox' as const) : env.PRICES_PROVIDER,
    exchangeUrls,
    /** 10^-8 USD. */
    sandboxMarket: env.SANDBOX_PRICES,
  }
}

function readVendor(env: ProviderEnvironment, vendor: Vendor): VendorSettings | undefined {
  if (!isChosen(env, vendor)) return undefined
  return {
    url: env[`${vendor}_URL`] ?? '',
    token: env[`${vendor}_TOKEN`] ?? '',
    signingSecret: env[`${vendor}_SIGNING_SECRET`] ?? '',
    callbackSecrets: env[`${vendor}_CALLBACK_SECRETS`] ?? [],
  }
}
