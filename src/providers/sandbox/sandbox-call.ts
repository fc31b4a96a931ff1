import { addMs, SECOND_MS } from '../../core/time.ts'
import type { Db } from '../../db/database.ts'
import type { Call, CallAnswer } from '../../domain/facilities/ports.ts'
import { decideSandboxCall } from './queries.ts'

const DELAY_MS = 3 * SECOND_MS

type Provider = 'custodian' | 'payments'

/**
 * Answers a call as the tenant's tests have asked: done, refused, or not just yet. One that is late is
 * refused, unless it was decided before.
 */
export async function answerSandboxCall<Result>(
  db: Db,
  provider: Provider,
  call: Call & { isLate?: boolean },
  result: Result,
): Promise<CallAnswer<Result>> {
  const { isLate = false } = call
  const answer = await answerOnce(db, provider, call, { isVoid: isLate, result: null })
  return answer.status === 'done' ? { status: 'done', ...result } : answer
}

/**
 * The same for a call whose result is that of the moment: the first one is kept, and given again
 * whenever the call is. `result` is JSON; undefined where the call must not be done, if it comes for
 * the first time.
 */
export async function answerKeptCall(
  db: Db,
  provider: Provider,
  call: Call,
  result: object | undefined,
): Promise<CallAnswer<{ result: unknown }>> {
  const isVoid = result === undefined
  return await answerOnce(db, provider, call, { isVoid, result: result ?? null })
}

async function answerOnce(
  db: Db,
  provider: Provider,
  { tenantId, callId, realNow }: Call,
  wanted: { isVoid: boolean; result: unknown },
): Promise<CallAnswer<{ result: unknown }>> {
  const delayedUntil = addMs(realNow, DELAY_MS)
  const call = { provider, callId: `${provider}/${callId}`, realNow, delayedUntil, ...wanted }
  const { outcome, readyAt, result } = await decideSandboxCall(db, tenantId, call)
  if (readyAt > realNow) return { status: 'pending', askAgainAt: readyAt }
  if (outcome === 'fail') return { status: 'refused', code: 'sandbox_refused', retryable: true }
  return { status: 'done', result }
}
