import { ProblemError, UnreachableError } from './problem-error.ts'

/** Longer waits are left to the caller: the error is thrown. */
const longestWaitSeconds = 60

const transientStatuses = new Set([429, 502, 503, 504])

/** At least `Retry-After`; undefined where a retry does not help. `random` is from 0 to 1. */
export function retryDelayMs(
  error: unknown,
  failedAttempts: number,
  random: number,
): number | undefined {
  if (!isTransient(error)) return undefined
  const backoffMs = Math.min(250 * 2 ** (failedAttempts - 1), 8_000)
  const retryAfterSeconds = error instanceof ProblemError ? error.retryAfterSeconds : undefined
  if (retryAfterSeconds === undefined) return backoffMs * (0.5 + random / 2)
  if (retryAfterSeconds > longestWaitSeconds) return undefined
  return retryAfterSeconds * 1000 + 250 * random
}

function isTransient(error: unknown): boolean {
  if (error instanceof UnreachableError) return true
  if (!(error instanceof ProblemError)) return false
  // The first attempt may still be running when the second arrives.
  return transientStatuses.has(error.status) || error.code === 'idempotency_in_progress'
}
