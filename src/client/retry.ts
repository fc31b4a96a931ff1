import { ProblemError, UnreachableError } from './problem-error.ts'

/** A wait longer than this is the caller's to plan: the error is thrown instead. */
const longestWaitSeconds = 60

/** Answers that say nothing was decided, given by the service or by a gateway before it. */
const transientStatuses = new Set([429, 502, 503, 504])

/**
 * How long to wait before repeating a request that failed this way, in milliseconds; undefined when
 * repeating would not help. Never less than `Retry-After` (interface, Errors), and spread by
 * `random` (0 to 1), so that clients refused together do not return together.
 */
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
  // Our own first attempt may still be running when the second arrives.
  return transientStatuses.has(error.status) || error.code === 'idempotency_in_progress'
}
