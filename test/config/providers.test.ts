import { expect, test } from 'vitest'
import { loadConfig } from '../../src/config/config.ts'
import { faultsOf, liveEnvironment } from '../support/process/config.ts'

const stores = { databaseUrl: 'postgres://localhost/lending', redisUrl: 'redis://localhost' }
const MANUAL = liveEnvironment(stores)

const vendor = (name: string) => ({
  [`${name}_URL`]: `https://${name.toLowerCase()}.example.com/v1/`,
  [`${name}_TOKEN`]: `a-token-of-${name}`.padEnd(16, '.'),
  [`${name}_SIGNING_SECRET`]: `signing-secret-of-${name}`.padEnd(32, '.'),
  [`${name}_CALLBACK_SECRETS`]: `new-callback-secret-of-${name}${'.'.repeat(9)}, old-callback-secret-of-${name}${'.'.repeat(9)}`,
})
const LIVE = {
  ...MANUAL,
  COMPLIANCE_PROVIDER: 'http',
  AML_URL: 'https://aml.example.com',
  ...vendor('KYC'),
  ...vendor('CUSTODIAN'),
  ...vendor('PAYMENTS'),
}

test('a live stack with vendors has the settings of each', () => {
  const { vendors } = loadConfig(LIVE)
  expect(vendors.custodian).toEqual({
    url: 'https://custodian.example.com/v1',
    token: 'a-token-of-CUSTODIAN',
    signingSecret: 'signing-secret-of-CUSTODIAN.....',
    callbackSecrets: [
      'new-callback-secret-of-CUSTODIAN.........',
      'old-callback-secret-of-CUSTODIAN.........',
    ],
  })
  expect(vendors.aml).toEqual({ url: 'https://aml.example.com', apiKey: undefined })
})

test('a live stack has no settings of vendors that were not chosen', () => {
  const { vendors } = loadConfig(MANUAL)
  expect(vendors).toEqual({
    kyc: undefined,
    aml: undefined,
    custodian: undefined,
    payments: undefined,
  })
})

const KYC = 'is required where COMPLIANCE_PROVIDER is "http"'
const CUSTODIAN = 'is required with the other CUSTODIAN variables'
const PAYMENTS = 'is required with the other PAYMENTS variables'
test.each([
  ['KYC_URL', KYC],
  ['KYC_TOKEN', KYC],
  ['KYC_SIGNING_SECRET', KYC],
  ['KYC_CALLBACK_SECRETS', KYC],
  ['AML_URL', KYC],
  ['CUSTODIAN_URL', CUSTODIAN],
  ['CUSTODIAN_TOKEN', CUSTODIAN],
  ['CUSTODIAN_SIGNING_SECRET', CUSTODIAN],
  ['CUSTODIAN_CALLBACK_SECRETS', CUSTODIAN],
  ['PAYMENTS_URL', PAYMENTS],
  ['PAYMENTS_TOKEN', PAYMENTS],
  ['PAYMENTS_SIGNING_SECRET', PAYMENTS],
  ['PAYMENTS_CALLBACK_SECRETS', PAYMENTS],
])('a live stack with vendors does not start without %s', (name, sentence) => {
  expect(faultsOf({ ...LIVE, [name]: '' })).toEqual([`${name} ${sentence}`])
})

test('a live stack may have a custodian and manual checks, or payments alone', () => {
  const { vendors } = loadConfig({ ...MANUAL, ...vendor('PAYMENTS') })
  expect(vendors).toMatchObject({ payments: { token: 'a-token-of-PAYMENTS' } })
  expect(vendors).toMatchObject({ kyc: undefined, custodian: undefined })
})

const PLAIN = 'must be an https:// address on the live stack, or of a host in PROVIDER_HTTP_HOSTS'
test.each([
  ['KYC_URL', ''],
  ['AML_URL', ''],
  ['CUSTODIAN_URL', ''],
  ['PAYMENTS_URL', ''],
  ['EXCHANGE_URLS', 'coinbase=https://tickers.example.com,kraken='],
])('a live stack reaches %s over https alone, except at named hosts of its own', (name, before) => {
  for (const address of ['http://10.0.0.7:8080/v1', 'http://adapter/v1', 'http://[fd00::7]/v1']) {
    const url = before + address
    expect(faultsOf({ ...LIVE, [name]: url })).toEqual([`${name} ${PLAIN}`])
    const hosts = 'adapter, 10.0.0.7,fd00::7'
    expect(faultsOf({ ...LIVE, [name]: url, PROVIDER_HTTP_HOSTS: hosts })).toEqual([])
  }
  const other = {
    PROVIDER_HTTP_HOSTS: 'localhost',
    [name]: `${before}http://localhost.example.com`,
  }
  expect(faultsOf({ ...LIVE, ...other })).toEqual([`${name} ${PLAIN}`])
})

test('a live stack refuses a public address among its own hosts', () => {
  expect(faultsOf({ ...LIVE, PROVIDER_HTTP_HOSTS: '8.8.8.8' })).toEqual([
    'PROVIDER_HTTP_HOSTS must not name a public address',
  ])
})

test.each([
  ['KYC_URL', 'kyc.example.com', 'KYC_URL must be an https:// address'],
  ['KYC_URL', 'ftp://kyc.example.com', 'KYC_URL must be an https:// address'],
  [
    'KYC_URL',
    'https://user:hunter2@kyc.example.com',
    'KYC_URL must be an address without credentials, query and fragment',
  ],
  [
    'KYC_URL',
    'https://kyc.example.com/?v=1',
    'KYC_URL must be an address without credentials, query and fragment',
  ],
  ['KYC_TOKEN', 'short', 'KYC_TOKEN must be 16 to 1024 characters without spaces'],
  [
    'KYC_SIGNING_SECRET',
    'hunter2',
    'KYC_SIGNING_SECRET must be 32 to 1024 characters without spaces and commas',
  ],
  ...[
    'kraken',
    'binance=https://api.example.com',
    'kraken=ftp://api.kraken.com',
    'none,kraken',
  ].map((value) => [
    'EXCHANGE_URLS',
    value,
    'EXCHANGE_URLS needs "none", or addresses in place of the own of coinbase, kraken, bitstamp and bitfinex, such as kraken=https://tickers.example.com',
  ]),
  [
    'AML_URL',
    'https://aml.example.com?threshold=0.9',
    'AML_URL must be an address without credentials, query and fragment',
  ],
])('the provider setting %s=%s is refused in one sentence', (name, value, sentence) => {
  expect(faultsOf({ ...LIVE, [name]: value })).toEqual([sentence])
})

test('a provider setting that is a secret is never repeated in its error', () => {
  const faults = faultsOf({
    ...LIVE,
    KYC_CALLBACK_SECRETS: `${'callback-secret-of-kyc'.padEnd(32, '.')},hunter2`,
    KYC_TOKEN: 'hunter2',
  })
  expect(faults).toHaveLength(2)
  expect(faults.join()).not.toContain('hunter2')
})

test('an exchange is asked at its own address, or at the one that is given for it', () => {
  expect(loadConfig(MANUAL).exchangeUrls).toEqual({
    coinbase: 'https://api.exchange.coinbase.com',
    kraken: 'https://api.kraken.com',
    bitstamp: 'https://www.bitstamp.net',
    bitfinex: 'https://api-pub.bitfinex.com',
  })
  const given = loadConfig({ ...MANUAL, EXCHANGE_URLS: 'kraken=https://tickers.example.com/k/' })
  expect(given.exchangeUrls).toMatchObject({
    coinbase: 'https://api.exchange.coinbase.com',
    kraken: 'https://tickers.example.com/k',
  })
})

test('the sandbox has a custodian and payments of its own, whatever is set', () => {
  const { vendors } = loadConfig({ ...LIVE, STACK: 'sandbox', COMPLIANCE_PROVIDER: 'sandbox' })
  expect(vendors).toMatchObject({ custodian: undefined, payments: undefined })
})
