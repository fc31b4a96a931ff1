import type { Logger } from 'pino'
import type { Config } from '../../config.ts'
import { type Clock, SECOND_MS } from '../../core/time.ts'
import type { ComplianceProvider } from '../../domain/onboarding/compliance.ts'
import type { Metrics } from '../../metrics.ts'
import { createOpenSanctionsAml } from './aml-opensanctions.ts'
import { createGuardedHttp, type GuardedHttp } from './guarded-http.ts'
import { createHttpIdentity } from './identity-http.ts'
import { createSignedClient } from './signed-client.ts'

/** The vendors of this stack that are reached over HTTP; those that are not configured are undefined. */
export type ConnectedVendors = {
  compliance: ComplianceProvider | undefined
  close(): Promise<void>
}

/** Makes what speaks with the configured vendors. Nothing is connected to before the first call. */
export function connectVendors(
  { vendors, vendorLimits }: Pick<Config, 'vendors' | 'vendorLimits'>,
  { clock, logger, metrics }: { clock: Clock; logger: Logger; metrics: Metrics },
): ConnectedVendors {
  const opened: GuardedHttp[] = []
  const open = (provider: string) => {
    const http = createGuardedHttp(provider, {
      deadlineMs: vendorLimits.deadlineSeconds * SECOND_MS,
      breaker: {
        failures: vendorLimits.breakerFailures,
        halfOpenAfterMs: vendorLimits.breakerSeconds * SECOND_MS,
      },
      metrics,
      logger,
    })
    opened.push(http)
    return http
  }
  const { kyc, aml } = vendors
  return {
    compliance: kyc &&
      aml && {
        identity: createHttpIdentity(createSignedClient(open('kyc'), kyc, clock)),
        aml: createOpenSanctionsAml(open('aml'), aml),
      },
    async close() {
      await Promise.all(opened.map((http) => http.close()))
    },
  }
}
