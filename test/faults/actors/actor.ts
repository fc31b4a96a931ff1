import { setTimeout as pause } from 'node:timers/promises'
import { ProblemError, UnreachableError } from '../../../src/client/problem-error.ts'
import type { Random } from './random.ts'
import type { Receivers } from './receivers.ts'
import type { Tenant } from './tenant.ts'

/** What an actor needs: its tenant, its own randomness, and when to stop. */
export type Stage = {
  tenant: Tenant
  /** The run's other tenants, for what must not be reached. */
  others: readonly Tenant[]
  random: Random
  receivers: Receivers
  stop: AbortSignal
  /** Text of a person's that must turn up nowhere but where it belongs. */
  canary: string
  /** Receives what no tenant may ever see. */
  complain(text: string): void
}

/** Refusals that traffic of this kind meets in a world that works. */
const EXPECTED = new Set([
  'as_of_conflict',
  'as_of_in_future',
  'borrower_not_eligible',
  'clock_advancing',
  'credit_limit_exceeded',
  'delivery_in_progress',
  'draws_blocked',
  'duplicate_reference',
  'execution_already_reported',
  'facility_exists',
  'facility_not_approved',
  'facility_on_hold',
  'idempotency_in_progress',
  'limit_reached',
  'margin_warning_not_open',
  'not_found',
  'nothing_to_return',
  'outstanding_balance',
  'price_unavailable',
  'recovery_in_progress',
  'secret_not_retrievable',
  'unavailable',
  'webhook_disabled',
])

/** Acts again and again until the run stops. What a faulty world does to a step ends that step alone. */
export async function actUntilStopped(stage: Stage, act: () => Promise<void>): Promise<void> {
  while (!stage.stop.aborted) {
    await attempt(stage, act)
    await rest(stage, 20, 200)
  }
}

/** Carries out a step; undefined where the service refused it or could not be reached. `refusal` is the code of
 * what this step alone may meet. */
export async function attempt<T>(
  stage: Stage,
  step: () => Promise<T>,
  refusal?: string,
): Promise<T | undefined> {
  try {
    return await step()
  } catch (error) {
    if (stage.stop.aborted || error instanceof UnreachableError) return undefined
    if (!(error instanceof ProblemError)) throw error
    if (!EXPECTED.has(error.code) && error.code !== refusal)
      stage.complain(`${stage.tenant.name} was answered ${error.message}`)
    return undefined
  }
}

/** Pauses for a while, or until the run stops. */
export async function rest({ random, stop }: Stage, from: number, to: number): Promise<void> {
  await pause(random.between(from, to), undefined, { signal: stop }).catch(() => undefined)
}

/** Asks until the answer is as wanted; undefined when the run stops before. */
export async function until<T>(
  stage: Stage,
  ask: () => Promise<T>,
  isWanted: (answer: T) => boolean,
): Promise<T | undefined> {
  while (!stage.stop.aborted) {
    const answer = await attempt(stage, ask)
    if (answer !== undefined && isWanted(answer)) return answer
    await rest(stage, 50, 300)
  }
  return undefined
}
