import pLimit from 'p-limit'
import { addMs, SECOND_MS } from '../../../core/time.ts'
import type { ItemResult } from '../../work/run-work.ts'
import type { WorkResult } from '../../work/work.ts'
import type { EscalationContext } from './escalate.ts'

/** A few at a time: what a batch leaves open is often due to a slow custodian or busy database. */
const AT_ONCE = 2
/** Well within the lease of the work; what has not begun by then is claimed again. */
const BEGIN_WITHIN_MS = 15 * SECOND_MS
/** Older confirmations decide nothing: the worker may have been paused since it asked. */
const CONFIRMED_WITHIN_MS = 10 * SECOND_MS

export function isStillConfirmed(askedAt: Date, realNow: Date): boolean {
  return realNow <= addMs(askedAt, CONFIRMED_WITHIN_MS)
}

export type Results = Map<string, ItemResult>

type Steps = {
  /** Stores the result of each facility that it ended or paused. */
  together(results: Results): Promise<void>
  alone(facilityId: string): Promise<WorkResult>
  onFallback(error: unknown): void
}

/** Facilities of one tenant together, what that leaves open alone; results in the order of the ids. */
export async function runTogether(
  { instant }: Pick<EscalationContext, 'instant'>,
  { tenantId, facilityIds }: { tenantId: string; facilityIds: readonly string[] },
  { together, alone, onFallback }: Steps,
): Promise<ItemResult[]> {
  const results: Results = new Map()
  if (facilityIds.length > 1) await together(results).catch(onFallback)
  let until: Date | undefined
  const limit = pLimit(AT_ONCE)
  const runOne = async (id: string): Promise<ItemResult> => {
    const { realNow } = await instant(tenantId)
    until ??= addMs(realNow, BEGIN_WITHIN_MS)
    if (realNow > until) return { done: false, retryAt: realNow }
    return await alone(id)
  }
  return await Promise.all(
    facilityIds.map((id) => {
      const result = results.get(id)
      return result ?? limit(() => runOne(id).catch((error: unknown) => ({ error })))
    }),
  )
}
