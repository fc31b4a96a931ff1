import { addMs, SECOND_MS } from '../core/time.ts'
import type { Db } from '../db/database.ts'
import type { Call, CallAnswer } from '../domain/facilities/ports.ts'
import { decideSandboxCall } from './queries.ts'

const DELAY_MS = 3 * SECOND_MS

/**
 * Answers a call as the tenant's tests have asked: done, refused, or not just yet. One that is late is
 * refused, unless it was decided before.
 */
export async function answerSandboxCall<Result>(
  db: Db,
  provider: 'custodian' | 'payments',
  { tenantId, callId, realNow }: Call,
  result: Result,
  { isLate = false }: { isLate?: boolean } = {},
): Promise<CallAnswer<Result>> {
  const delayedUntil = addMs(realNow, DELAY_MS)
  const call = { provider, callId: `${provider}/${callId}`, realNow, delayedUntil, isLate }
  const { outcome, readyAt } = await decideSandboxCall(db, tenantId, call)
  if (readyAt > realNow) return { status: 'pending', askAgainAt: readyAt }
  if (outcome === 'fail') return { status: 'refused', code: 'sandbox_refused', retryable: true }
  return { status: 'done', ...result }
}
