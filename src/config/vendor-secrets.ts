import { z } from 'zod'
import { vendorSecret, vendorSecrets, vendorToken } from './providers.ts'
import { readEnvironment } from './read-environment.ts'
import type { Environment } from './secrets.ts'
import { variables } from './variables.ts'

/** `KYC`, `CUSTODIAN` or `PAYMENTS`: how the variables of a live stack begin. */
export type VendorName = 'KYC' | 'CUSTODIAN' | 'PAYMENTS'

export type VendorSecrets = ReturnType<typeof loadVendorSecrets>

type Proxy = { HTTPS_PROXY?: string; NO_PROXY: string[] }

/** The secrets that a live stack shares with one vendor, and the proxy. Throws `ConfigError`. */
export function loadVendorSecrets(env: Environment, vendor: VendorName) {
  const given = {
    [`${vendor}_TOKEN`]: vendorToken,
    [`${vendor}_SIGNING_SECRET`]: vendorSecret,
    [`${vendor}_CALLBACK_SECRETS`]: vendorSecrets.optional(),
    HTTPS_PROXY: variables.HTTPS_PROXY,
    NO_PROXY: variables.NO_PROXY,
  }
  const read: Record<string, unknown> = readEnvironment(z.object(given), given, env)
  const { HTTPS_PROXY: url, NO_PROXY: except } = read as Proxy
  return {
    token: read[`${vendor}_TOKEN`] as string,
    signingSecret: read[`${vendor}_SIGNING_SECRET`] as string,
    callbackSecrets: read[`${vendor}_CALLBACK_SECRETS`] as readonly string[] | undefined,
    proxy: url === undefined ? undefined : { url, except },
  }
}
