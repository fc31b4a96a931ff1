import type { Instant } from '../../../core/time.ts'
import { type Db, inTransaction } from '../../../db/database.ts'
import { isConnectionLost, isLockTimeout } from '../../../db/errors.ts'
import { evaluateFacilities, type MarginEvaluationContext } from './evaluate-facilities.ts'

/**
 * Where so many tries in a row have failed from the first on, what is wrong is not a facility; unless
 * they waited for a lock, which is always one's own.
 */
const MOST_IN_VAIN = 31

/** What could not be judged, and why: one facility, or many where the cause is not one of them. */
export type NotEvaluated = { facilityIds: readonly string[]; error: unknown }

/**
 * Judges facilities of one tenant in one transaction, because prices have changed. Where that fails
 * it is repeated in halves, down to the single one, so that one whose lock is held or whose facts
 * cannot be read keeps no other from being judged. Gives what was left out; throws where the database cannot be reached. Once `stop` is
 * aborted nothing further is begun.
 */
export async function evaluateInIsolation(
  db: Db,
  context: MarginEvaluationContext,
  { tenantId, facilityIds }: { tenantId: string; facilityIds: readonly string[] },
  { instantNow, stop }: { instantNow: () => Instant; stop?: AbortSignal },
): Promise<NotEvaluated[]> {
  const failed: NotEvaluated[] = []
  const parts = [facilityIds]
  let inVain = 0
  let hasWorked = false
  for (const part of parts) {
    if (stop?.aborted) break
    try {
      await inTransaction(db, (tx) =>
        evaluateFacilities({ ...context, tx, tenantId, ...instantNow() }, part, {
          trigger: 'price',
        }),
      )
      hasWorked = true
    } catch (error) {
      if (isConnectionLost(error)) throw error
      if (!isLockTimeout(error)) inVain += 1
      if (part.length <= 1 || (!hasWorked && inVain >= MOST_IN_VAIN)) {
        failed.push({ facilityIds: part, error })
      } else {
        const middle = Math.ceil(part.length / 2)
        parts.push(part.slice(0, middle), part.slice(middle))
      }
    }
  }
  return failed
}

const MOST_NAMED = 20

/** Throws where there is something that could not be judged, naming it. */
export function throwNotEvaluated(failed: readonly NotEvaluated[]): void {
  if (failed.length === 0) return
  const ids = failed.flatMap(({ facilityIds }) => facilityIds)
  const named = ids.slice(0, MOST_NAMED).join(', ')
  const errors = failed.map(({ error }) => error)
  throw new AggregateError(errors, `${ids.length} not judged: ${named}`, {
    cause: errors[0],
  })
}
