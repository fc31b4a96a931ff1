import type { Logger } from 'pino'
import type { Config } from '../config/config.ts'
import type { Clock } from '../core/time.ts'
import { type Tracing, tracePort } from '../core/tracing.ts'
import type { Db } from '../db/database.ts'
import type { QuoteSource } from '../domain/collateral/price-rounds.ts'
import type { PriceFeed } from '../domain/collateral/prices.ts'
import type { Custodian, Payments } from '../domain/facilities/ports.ts'
import type { ComplianceProvider } from '../domain/onboarding/compliance.ts'
import type { ClockFor } from '../domain/tenants/tenant-clock.ts'
import { retryAfterOutage } from '../domain/work/stuck.ts'
import { createManualCompliance } from '../providers/compliance-manual.ts'
import { createExchanges } from '../providers/exchanges/exchanges.ts'
import { createNoCustodian, createNoPayments } from '../providers/none.ts'
import { createSandboxCompliance } from '../providers/sandbox/compliance-sandbox.ts'
import { createSandboxCustodian } from '../providers/sandbox/custodian-sandbox.ts'
import { createSandboxPayments } from '../providers/sandbox/payments-sandbox.ts'
import { createCallWindows } from '../providers/vendors/call-windows.ts'
import type { CallWatch } from '../providers/vendors/guarded-http.ts'
import { type ConnectedVendors, connectVendors } from '../providers/vendors/vendors.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import { watchCalls } from '../telemetry/observe.ts'
import { choosePrices } from './choose-prices.ts'

/** The implementation of each port on this stack. */
export type Providers = {
  compliance: ComplianceProvider
  prices: PriceFeed
  /** Sources of price rounds; none where prices come from elsewhere. */
  quoteSources: readonly QuoteSource[]
  custodian: Custodian
  payments: Payments
  /** What this process has seen of its providers lately. */
  callWindows: ReturnType<typeof createCallWindows>
  close(): Promise<void>
}

type ProviderParts = {
  db: Db
  clock: Clock
  clockFor: ClockFor
  logger: Logger
  metrics: Metrics
  tracing: Tracing | undefined
}

/** Opens no connection yet. */
export function chooseProviders(config: Config, parts: ProviderParts): Providers {
  const { db, clock, clockFor, logger, metrics, tracing } = parts
  const isSandbox = config.stack === 'sandbox'
  const prices = choosePrices(config)
  const callWindows = createCallWindows(clock)
  const watch = watchBoth(watchCalls(metrics), callWindows)
  const { exchangeUrls } = config
  const exchanges =
    exchangeUrls && createExchanges({ ...config, exchangeUrls }, { clock, logger, watch })
  const vendors = connectVendors(config, {
    ...{ clock, logger, watch, db, prices, clockFor },
    onRecovery: (provider, since) => retryAfterOutage(db, { provider, since }, clock()),
  })
  const custodian = isSandbox
    ? createSandboxCustodian(db, prices, clockFor)
    : (vendors.custodian ?? createNoCustodian())
  const payments = isSandbox
    ? createSandboxPayments(db, clockFor)
    : (vendors.payments ?? createNoPayments())
  const { identity, aml } = createCompliance(config, vendors)
  return {
    compliance: {
      identity: tracePort(tracing, 'identity', identity),
      aml: tracePort(tracing, 'aml', aml),
    },
    prices,
    quoteSources: exchanges?.sources ?? [],
    custodian: tracePort(tracing, 'custodian', custodian),
    payments: tracePort(tracing, 'payments', payments),
    callWindows,
    async close() {
      await exchanges?.close()
      await vendors.close()
    },
  }
}

function watchBoth(one: CallWatch, other: CallWatch): CallWatch {
  return {
    onCall(...call) {
      one.onCall(...call)
      other.onCall(...call)
    },
    onBreaker(...change) {
      one.onBreaker(...change)
      other.onBreaker(...change)
    },
  }
}

function createCompliance(config: Config, vendors: ConnectedVendors): ComplianceProvider {
  switch (config.complianceProvider) {
    case 'sandbox':
      return createSandboxCompliance()
    case 'manual':
      return createManualCompliance()
    case 'http':
      if (!vendors.compliance) throw new Error('the compliance vendors are not configured')
      return vendors.compliance
    default: {
      const unreachable: never = config.complianceProvider
      return unreachable
    }
  }
}
