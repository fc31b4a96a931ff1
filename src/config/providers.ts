import { isIP } from 'node:net'
import { z } from 'zod'
import { isPublic } from '../domain/webhooks/address-policy.ts'
import type { ExchangeUrls } from '../providers/exchanges/exchanges.ts'
import type { VendorSettings } from '../providers/vendors/signed-client.ts'
import type { Vendors } from '../providers/vendors/vendors.ts'
import { listItems, webAddress } from './fields.ts'

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

const EXCHANGES: ExchangeUrls = {
  coinbase: 'https://api.exchange.coinbase.com',
  kraken: 'https://api.kraken.com',
  bitstamp: 'https://www.bitstamp.net',
  bitfinex: 'https://api-pub.bitfinex.com',
}

/** Their public tickers, or the addresses given in their place. Undefined: "none", so no price. */
export const exchangeUrls = z
  .string()
  .default('')
  .transform((text, context) => {
    if (text.trim() === 'none') return undefined
    const given = listItems(text).map((item) => {
      const [, name = '', url = ''] = /^(\w+)=(.+)$/.exec(item) ?? []
      return { name, url: webAddress.safeParse(url).data }
    })
    if (given.some(({ name, url }) => !Object.hasOwn(EXCHANGES, name) || url === undefined)) {
      context.addIssue(
        'needs "none", or addresses in place of the own of coinbase, kraken, bitstamp and bitfinex, such as kraken=https://tickers.example.com',
      )
      return z.NEVER
    }
    const urls = Object.fromEntries(given.map(({ name, url }) => [name, url]))
    return { ...EXCHANGES, ...urls } as ExchangeUrls
  })

type ProviderEnvironment = {
  STACK: 'live' | 'sandbox'
  COMPLIANCE_PROVIDER?: 'sandbox' | 'manual' | 'http' | undefined
  AML_URL?: string | undefined
  AML_API_KEY?: string | undefined
  EXCHANGE_URLS: ExchangeUrls | undefined
  PROVIDER_HTTP_HOSTS: readonly string[]
} & {
  [Part in `${Vendor}_URL` | `${Vendor}_TOKEN` | `${Vendor}_SIGNING_SECRET`]?: string | undefined
} & {
  [Part in `${Vendor}_CALLBACK_SECRETS`]?: string[] | undefined
}

const VENDORS = ['KYC', 'CUSTODIAN', 'PAYMENTS'] as const
type Vendor = (typeof VENDORS)[number]

const settingsOf = (vendor: Vendor) =>
  [
    `${vendor}_URL`,
    `${vendor}_TOKEN`,
    `${vendor}_SIGNING_SECRET`,
    `${vendor}_CALLBACK_SECRETS`,
  ] as const

export function findProviderFaults(
  env: ProviderEnvironment,
): { path: keyof ProviderEnvironment; message: string }[] {
  const needed = VENDORS.filter((vendor) => isChosen(env, vendor)).flatMap((vendor) => {
    const isKyc = vendor === 'KYC'
    const by = isKyc
      ? 'is required where COMPLIANCE_PROVIDER is "http"'
      : `is required with the other ${vendor} variables`
    const all = isKyc ? [...settingsOf(vendor), 'AML_URL' as const] : settingsOf(vendor)
    return all.map((path) => ({ path, message: by }))
  })
  const missing = needed.filter(({ path }) => env[path] === undefined)
  const plain = listAddresses(env)
    .filter(({ urls }) => urls.some((url) => !isSafe(url, env.PROVIDER_HTTP_HOSTS)))
    .map(({ path }) => ({
      path,
      message: 'must be an https:// address on the live stack, or of a host in PROVIDER_HTTP_HOSTS',
    }))
  return [...missing, ...plain]
}

/** Those that a live stack calls. */
function listAddresses(env: ProviderEnvironment) {
  if (env.STACK !== 'live') return []
  const vendors = VENDORS.filter((vendor) => isChosen(env, vendor)).map((vendor) => {
    return { path: `${vendor}_URL` as const, urls: [env[`${vendor}_URL`]] }
  })
  const exchanges = Object.values<string>(env.EXCHANGE_URLS ?? {})
  return [
    ...vendors,
    ...(isChosen(env, 'KYC') ? [{ path: 'AML_URL' as const, urls: [env.AML_URL] }] : []),
    { path: 'EXCHANGE_URLS' as const, urls: exchanges },
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
  return env.STACK === 'live' && settingsOf(vendor).some((name) => env[name] !== undefined)
}

export function readProviders(env: ProviderEnvironment) {
  const vendors: Vendors = {
    kyc: readVendor(env, 'KYC'),
    aml: isChosen(env, 'KYC') ? { url: env.AML_URL ?? '', apiKey: env.AML_API_KEY } : undefined,
    custodian: readVendor(env, 'CUSTODIAN'),
    payments: readVendor(env, 'PAYMENTS'),
  }
  const exchangeUrls = env.STACK === 'sandbox' ? undefined : env.EXCHANGE_URLS
  const liveProvider = exchangeUrls ? ('exchanges' as const) : ('none' as const)
  return {
    complianceProvider: env.COMPLIANCE_PROVIDER ?? 'sandbox',
    vendors,
    pricesProvider: env.STACK === 'sandbox' ? ('sandbox' as const) : liveProvider,
    exchangeUrls,
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
