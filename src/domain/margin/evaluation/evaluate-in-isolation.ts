import type { Instant } from '../../../core/time.ts'
import { type Db, inTransaction } from '../../../db/database.ts'
import { isConnectionLost, isLockTimeout } from '../../../db/errors.ts'
import type { Trigger } from '../ladder/facts.ts'
import { bindTerms } from '../policy.ts'
import { evaluateFacilities, type MarginEvaluationContext } from './evaluate-facilities.ts'

/** So many failures from the start, lock timeouts aside, have a cause that is no single facility. */
const MAX_FAILURES = 31

export type NotEvaluated = { facilityIds: readonly string[]; error: unknown }

/** Where one transaction fails, in halves, down to the single facility. Returns what was left out. */
export async function evaluateInIsolation(
  db: Db,
  context: MarginEvaluationContext,
  { tenantId, facilityIds }: { tenantId: string; facilityIds: readonly string[] },
  {
    instantNow,
    stop,
    trigger = 'price',
  }: { instantNow: () => Instant; stop?: AbortSignal; trigger?: Trigger },
): Promise<NotEvaluated[]> {
  const failed: NotEvaluated[] = []
  const parts = [facilityIds]
  let failures = 0
  let hasWorked = false
  for (const part of parts) {
    if (stop?.aborted) break
    try {
      await inTransaction(db, async (tx) => {
        const margin = await bindTerms(context, { tx, tenantId, ...instantNow() })
        await evaluateFacilities(margin, part, { trigger })
      })
      hasWorked = true
    } catch (error) {
      if (isConnectionLost(error)) throw error
      if (!isLockTimeout(error)) failures += 1
      if (part.length <= 1 || (!hasWorked && failures >= MAX_FAILURES)) {
        failed.push({ facilityIds: part, error })
      } else {
        const middle = Math.ceil(part.length / 2)
        parts.push(part.slice(0, middle), part.slice(middle))
      }
    }
  }
  return failed
}

const MAX_NAMED = 20

export function throwNotEvaluated(failed: readonly NotEvaluated[]): void {
  if (failed.length === 0) return
  const ids = failed.flatMap(({ facilityIds }) => facilityIds)
  const named = ids.slice(0, MAX_NAMED).join(', ')
  const errors = failed.map(({ error }) => error)
  throw new AggregateError(errors, `${ids.length} not evaluated: ${named}`, {
    cause: errors[0],
  })
}
