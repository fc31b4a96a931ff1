import { setTimeout } from 'node:timers/promises'
import type { VendorName, VendorSecrets } from '../config/vendor-secrets.ts'
import { Refusal } from '../core/errors.ts'
import { type Clock, SECOND_MS } from '../core/time.ts'
import { messageOf } from '../local/local-failure.ts'
import {
  type CallbackListener,
  type ListenerOptions,
  startCallbackListener,
} from '../providers/check/callback-listener.ts'
import {
  CHECKED,
  type Checked,
  checkAdapter,
  TEST_TENANT,
} from '../providers/check/check-adapter.ts'
import type { Step } from '../providers/check/run.ts'
import { PROVIDER_CONTRACT } from '../providers/vendors/signed-client.ts'

export const CHECKED_PROVIDERS = CHECKED
export type CheckStep = Step

export type ProviderCheck = {
  provider: Checked
  url: string
  secrets: VendorSecrets
  /** The port for callbacks; undefined if none are awaited. */
  port: number | undefined
  /** How long an answer may be pending, and a callback may take. */
  waitSeconds: number
  clock: Clock
  onStep: (step: Step) => void
}

/** How the variables of a live stack name the provider. */
export const VENDOR_NAMES: Record<Checked, VendorName> = {
  payments: 'PAYMENTS',
  custodian: 'CUSTODIAN',
  compliance: 'KYC',
}

const CALLBACK_NAMES = { payments: 'payments', custodian: 'custodian', compliance: 'kyc' } as const

const PLANS: Record<Checked, string> = {
  payments:
    'orders, repeats and cancels payouts of 1 to 2 USD to svc-check, asks about receipts of as much, and reads the list of today',
  custodian:
    'pledges, limits and reads an account svc-check, sells 0.001 BTC and 1 USDC of it a few times, and releases it',
  compliance: 'has a person and a business checked, under svc-check@example.com',
}

/** Describes what the check will do. A person reads it before the check starts. */
export function describeCheck({
  provider,
  url,
  port,
}: Pick<ProviderCheck, 'provider' | 'url' | 'port'>): string {
  const calls = `The check ${PLANS[provider]}. It calls ${url} for the tenant ${TEST_TENANT}, by contract ${PROVIDER_CONTRACT}.`
  if (port === undefined) return calls
  return `${calls} It listens for POST /callbacks/${CALLBACK_NAMES[provider]} on port ${port}.`
}

/** Plays the contract against an adapter. Refuses `validation_failed` if it cannot listen. */
export async function checkProvider(check: ProviderCheck): Promise<Step[]> {
  const { provider, url, secrets, port, waitSeconds, clock, onStep } = check
  const { callbackSecrets, proxy, ...signing } = secrets
  if (port !== undefined && callbackSecrets === undefined) {
    const missing = `${VENDOR_NAMES[provider]}_CALLBACK_SECRETS`
    throw new Refusal('validation_failed', `${missing} must be set: it signs callbacks.`)
  }
  await using open = new AsyncDisposableStack()
  const listener = { provider: CALLBACK_NAMES[provider], tenantId: TEST_TENANT, clock }
  const callbacks =
    port === undefined
      ? undefined
      : open.use(await listen({ ...listener, port, secrets: callbackSecrets ?? [] }))
  return await checkAdapter({
    ...{ provider, adapter: { url, ...signing }, callbacks, proxy, clock, onStep },
    ...{ pause: (ms) => setTimeout(ms), patienceMs: waitSeconds * SECOND_MS },
  })
}

async function listen(options: ListenerOptions): Promise<CallbackListener> {
  try {
    return await startCallbackListener(options)
  } catch (error) {
    const detail = `Port ${options.port} cannot be used: ${messageOf(error)}.`
    throw new Refusal('validation_failed', detail)
  }
}
