import { newId } from '../../core/ids.ts'
import { type Clock, MINUTE_MS, SECOND_MS } from '../../core/time.ts'
import type { OutboundProxy } from '../outbound/outbound-proxy.ts'
import { playCallbacks } from './acts.ts'
import type { CallbackListener } from './callback-listener.ts'
import { checkCompliance } from './compliance-check.ts'
import { type CheckedFacility, checkCustodian } from './custodian-check.ts'
import { type Adapter, callingClient, openExchange, tamperingClients } from './exchange.ts'
import { checkPayments } from './payments-check.ts'
import { type Step, startRun } from './run.ts'

export const CHECKED = ['payments', 'custodian', 'compliance'] as const
export type Checked = (typeof CHECKED)[number]

/** The tenant of every call of a check. No tenant of a stack has this id. */
export const TEST_TENANT = `ten_${'0'.repeat(26)}`

export type AdapterCheck = {
  provider: Checked
  adapter: Adapter
  clock: Clock
  pause: (ms: number) => Promise<void>
  onStep: (step: Step) => void
  callbacks?: CallbackListener | undefined
  proxy?: OutboundProxy | undefined
  /** From the connection to the last byte; default 10 s. */
  deadlineMs?: number
  /** How long an answer may be pending; default a minute. */
  patienceMs?: number
  /** How long a callback may take; default as long. */
  callbackMs?: number
  /** Default: the test tenant, and a facility that no adapter knows. */
  tenantId?: string
  facility?: CheckedFacility
}

/** Plays the contract against an adapter. Gives the steps, in order; throws nothing that it answers. */
export async function checkAdapter(check: AdapterCheck): Promise<Step[]> {
  const { provider, adapter, clock, pause, callbacks, proxy } = check
  const { deadlineMs = 10 * SECOND_MS, patienceMs = MINUTE_MS, tenantId = TEST_TENANT } = check
  const { callbackMs = patienceMs } = check
  const exchange = openExchange(deadlineMs, proxy)
  const steps: Step[] = []
  const onStep = (step: Step) => {
    steps.push(step)
    check.onStep(step)
  }
  const run = startRun({
    client: callingClient(adapter, exchange, clock),
    tampering: tamperingClients(adapter, exchange, clock),
    ...{ callbacks, clock, pause, patienceMs, callbackMs, onStep },
  })
  try {
    switch (provider) {
      case 'payments':
        await checkPayments(run, tenantId)
        break
      case 'custodian': {
        const facility = { facilityId: newId('fac'), borrowerId: newId('bor') }
        await checkCustodian(run, tenantId, check.facility ?? facility)
        break
      }
      case 'compliance':
        await checkCompliance(run, tenantId)
        break
      default: {
        const unreachable: never = provider
        return unreachable
      }
    }
    await playCallbacks(run)
    return steps
  } finally {
    await exchange.close()
  }
}
