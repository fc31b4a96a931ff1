import { Writable } from 'node:stream'
import { loadConfig } from '../../../src/config/config.ts'
import { type Clock, systemClock } from '../../../src/core/time.ts'
import type { Db } from '../../../src/db/database.ts'
import { ONE_USD, type PriceFeed } from '../../../src/domain/collateral/prices.ts'
import type { VendorLimits } from '../../../src/providers/vendors/guarded-http.ts'
import { type ConnectedVendors, connectVendors } from '../../../src/providers/vendors/vendors.ts'
import { createLogger } from '../../../src/telemetry/logger.ts'
import { createMetrics, type Metrics } from '../../../src/telemetry/metrics.ts'
import { watchCalls } from '../../../src/telemetry/observe.ts'
import { testEnvironment } from '../process/config.ts'
import type { VendorServer } from './vendor-server.ts'

export type TestVendors = AsyncDisposable &
  ConnectedVendors & {
    metrics: Metrics
    /** All that was logged. */
    log(): string
    /** Calls so far by outcome, such as `kyc checks timeout`. */
    outcomes(): Promise<Record<string, number>>
    breaker(provider: string): Promise<number | undefined>
    /** Each time that a provider was back, with the time of its first failure. */
    recoveries: { provider: string; since: Date }[]
  }

export type TestVendorOptions = {
  /** Over the environment of the vendors. */
  env?: Record<string, string>
  vendorLimits?: Partial<VendorLimits>
  clock?: Clock
}

/** The vendors that do not answer are given up after a second, and are called however often they fail. */
export const IMPATIENT: VendorLimits = {
  deadlineSeconds: 1,
  breakerFailures: 1_000,
  breakerWindowSeconds: 120,
  breakerSeconds: 10,
}

/** Connects to these vendors as a live stack does. */
export function connectTestVendors(
  server: VendorServer,
  options: TestVendorOptions = {},
): TestVendors {
  const { env, vendorLimits, clock = systemClock } = options
  const stores = { databaseUrl: 'postgres://localhost/none', redisUrl: 'redis://localhost' }
  const loaded = loadConfig(testEnvironment(stores, { ...server.environment, ...env }))
  const config = { ...loaded, vendorLimits: { ...loaded.vendorLimits, ...vendorLimits } }
  let log = ''
  const sink = new Writable({
    write(chunk, _encoding, done) {
      log += String(chunk)
      done()
    },
  })
  const logger = createLogger({ logLevel: 'trace', stack: 'live', kind: 'api' }, sink)
  const metrics = createMetrics()
  // What comes in kind is credited at these; no database is asked.
  const latest: PriceFeed['latest'] = async (_db, _tenantId, at) =>
    new Map([
      ['USD', { price: ONE_USD, at }],
      ['USDC', { price: (ONE_USD * 99n) / 100n, at }],
    ])
  const prices = { latest } as PriceFeed
  const market = { db: undefined as unknown as Db, prices, clockFor: async () => clock() }
  const recoveries: TestVendors['recoveries'] = []
  const vendors = connectVendors(config, {
    ...{ clock, logger, watch: watchCalls(metrics), ...market },
    async onRecovery(provider, since) {
      recoveries.push({ provider, since })
    },
  })
  return {
    ...vendors,
    recoveries,
    metrics,
    log: () => log,
    async outcomes() {
      const { values } = await metrics.providerCalls.get()
      const named = values.map(({ labels, value }) => {
        return [`${labels.provider} ${labels.operation} ${labels.outcome}`, value]
      })
      return Object.fromEntries(named)
    },
    async breaker(provider) {
      const { values } = await metrics.providerBreaker.get()
      return values.find(({ labels }) => labels.provider === provider)?.value
    },
    [Symbol.asyncDispose]: () => vendors.close(),
  }
}
