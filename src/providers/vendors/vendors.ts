import type { Logger } from 'pino'
import { type Clock, SECOND_MS } from '../../core/time.ts'
import type { Db } from '../../db/database.ts'
import type { PriceFeed } from '../../domain/collateral/prices.ts'
import type { Custodian, Payments } from '../../domain/facilities/ports.ts'
import type { ComplianceProvider } from '../../domain/onboarding/compliance.ts'
import type { ClockFor } from '../../domain/tenants/tenant-clock.ts'
import type { OutboundProxy } from '../outbound/outbound-proxy.ts'
import { type AmlSettings, createOpenSanctionsAml } from './aml-opensanctions.ts'
import { createHttpCustodian, type PriceOf } from './custodian-http.ts'
import {
  type CallWatch,
  createGuardedHttp,
  type GuardedHttp,
  toBreakerLimits,
  type VendorLimits,
} from './guarded-http.ts'
import { createHttpIdentity } from './identity-http.ts'
import { createHttpPayments } from './payments-http.ts'
import { createSignedClient, type VendorSettings } from './signed-client.ts'

export type Vendors = {
  kyc: VendorSettings | undefined
  aml: AmlSettings | undefined
  custodian: VendorSettings | undefined
  payments: VendorSettings | undefined
}

export type ConnectedVendors = {
  compliance: ComplianceProvider | undefined
  custodian: Custodian | undefined
  payments: Payments | undefined
  close(): Promise<void>
}

export type VendorResources = {
  clock: Clock
  logger: Logger
  watch: CallWatch
  db: Db
  prices: PriceFeed
  clockFor: ClockFor
  /** Called when a provider is back, with the time of the first failure. */
  onRecovery: (provider: string, since: Date) => Promise<void>
}

export function connectVendors(
  {
    vendors,
    vendorLimits,
    outboundProxy: proxy,
  }: { vendors: Vendors; vendorLimits: VendorLimits; outboundProxy?: OutboundProxy | undefined },
  resources: VendorResources,
): ConnectedVendors {
  const { clock, logger, watch, onRecovery } = resources
  const opened: GuardedHttp[] = []
  const open = (provider: string) => {
    const http = createGuardedHttp(provider, {
      deadlineMs: vendorLimits.deadlineSeconds * SECOND_MS,
      breaker: toBreakerLimits(vendorLimits),
      ...{ proxy, clock, watch, logger },
      onRecovery: (since) => onRecovery(provider, since),
    })
    opened.push(http)
    return http
  }
  const { kyc, aml, custodian, payments } = vendors
  const sign = (provider: string, settings: VendorSettings) =>
    createSignedClient(open(provider), settings, clock)
  return {
    compliance: kyc &&
      aml && {
        identity: createHttpIdentity(sign('kyc', kyc)),
        aml: createOpenSanctionsAml(open('aml'), aml),
      },
    custodian: custodian && createHttpCustodian(sign('custodian', custodian), priceBy(resources)),
    payments: payments && createHttpPayments(sign('payments', payments)),
    async close() {
      await Promise.all(opened.map((http) => http.close()))
    },
  }
}

function priceBy({ db, prices, clockFor }: VendorResources): PriceOf {
  return async (tenantId, asset) => {
    const latest = await prices.latest(db, tenantId, await clockFor(db, tenantId))
    return latest.get(asset)?.price
  }
}
