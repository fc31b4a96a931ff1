import { beforeAll } from 'vitest'
import type { Clock } from '../../../src/core/time.ts'
import { inTransaction } from '../../../src/db/database.ts'
import { startCallbackListener } from '../../../src/providers/check/callback-listener.ts'
import { type Checked, checkAdapter } from '../../../src/providers/check/check-adapter.ts'
import type { CheckedFacility } from '../../../src/providers/check/custodian-check.ts'
import type { Step } from '../../../src/providers/check/run.ts'
import { createSandboxCompliance } from '../../../src/providers/sandbox/compliance-sandbox.ts'
import { createSandboxCustodian } from '../../../src/providers/sandbox/custodian-sandbox.ts'
import { createSandboxPayments } from '../../../src/providers/sandbox/payments-sandbox.ts'
import { createSandboxPrices } from '../../../src/providers/sandbox/prices-sandbox.ts'
import { setSandboxHolding } from '../../../src/providers/sandbox/sandbox-holdings.ts'
import { houseForFile } from '../../support/lending/houses.ts'
import { addDrawnFacility, usd } from '../../support/lending/lending.ts'
import { type AdapterPorts, type Mistake, startAdapter } from '../../support/servers/adapter.ts'

const DOLLAR = 100_000_000n

/** Moves on when the check waits, so that no test does. */
export function leapingClock(): { clock: Clock; pause: (ms: number) => Promise<void> } {
  let ahead = 0
  return {
    clock: () => new Date(Date.now() + ahead),
    async pause(ms) {
      ahead += ms
    },
  }
}

export type SandboxCheck = {
  mistake?: Mistake
  deadlineMs?: number
  callbackMs?: number
  /** Without it, no callback is awaited. */
  hasCallbacks?: boolean
}

/** The sandbox's own providers, and a facility that they know. */
export function sandboxForFile() {
  const lending = houseForFile()
  const time = leapingClock()
  const ports: AdapterPorts = {}
  const facility = {} as CheckedFacility
  beforeAll(async () => {
    const { id, borrowerId } = await addDrawnFacility(lending, usd(1_000_00n))
    Object.assign(facility, { facilityId: id, borrowerId })
    const { db, tenantId } = lending
    const clockFor = async () => time.clock()
    const prices = createSandboxPrices(
      new Map([
        ['BTC', 100_000n * DOLLAR],
        ['USDC', DOLLAR],
      ]),
    )
    const positions = [
      { asset: 'BTC', units: 100_000_000n },
      { asset: 'USDC', units: 10_000_000n },
    ]
    const holding = { positions, lateSeconds: 0 }
    const now = time.clock()
    await inTransaction(db, (tx) => setSandboxHolding(tx, { tenantId, borrowerId }, holding, now))
    ports.payments = createSandboxPayments(db, clockFor)
    ports.custodian = createSandboxCustodian(db, prices, clockFor)
    ports.identity = createSandboxCompliance().identity
  })
  return {
    lending,
    ports,
    time,
    /** Plays the check against the sandbox's own, with a mistake if one is given. */
    async check(provider: Checked, options: SandboxCheck = {}): Promise<Step[]> {
      const { mistake, hasCallbacks = false, ...limits } = options
      const { clock, pause } = time
      const { tenantId } = lending
      await using open = new AsyncDisposableStack()
      let callbackUrl: string | undefined
      const adapter = open.use(
        await startAdapter({
          ports,
          clock,
          callbackUrl: () => callbackUrl,
          ...(mistake && { mistake }),
        }),
      )
      const { url, token, signingSecret, callbackSecret } = adapter
      const name = provider === 'compliance' ? 'kyc' : provider
      const callbacks = hasCallbacks
        ? open.use(
            await startCallbackListener({
              ...{ provider: name, secrets: [callbackSecret], tenantId, port: 0, clock },
            }),
          )
        : undefined
      if (callbacks) callbackUrl = `http://127.0.0.1:${callbacks.port}/callbacks/${name}`
      return await checkAdapter({
        ...{ provider, adapter: { url, token, signingSecret }, clock, pause, callbacks },
        ...{ tenantId, facility, onStep: () => undefined, ...limits },
      })
    },
  }
}

export const wrongOf = (steps: readonly Step[]) =>
  steps
    .filter(({ result }) => result === 'wrong')
    .map(({ call, step, found }) => `${call}, ${step}: ${found}`)
