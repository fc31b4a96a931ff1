import { addMs, SECOND_MS } from '../../core/time.ts'
import { type Db, inTransaction, type Tx } from '../../db/database.ts'
import type { Call, CallAnswer } from '../../domain/facilities/ports.ts'
import {
  decideSandboxCall,
  insertSandboxReturn,
  selectSandboxCall,
  selectSandboxReturn,
} from './queries.ts'

const DELAY_MS = 3 * SECOND_MS

type Provider = 'custodian' | 'payments'

/** A late call is refused unless it was decided before. */
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

/** What was done under the id comes back, from now on in each answer. False where nothing was. */
export async function returnSandboxCall(
  tx: Tx,
  { tenantId, callId, realNow }: Call,
  returned: { code: string },
): Promise<boolean> {
  const id = `payments/${callId}`
  const done = await selectSandboxCall(tx, tenantId, id)
  if (done?.outcome !== 'succeed' || done.readyAt > realNow) return false
  await insertSandboxReturn(tx, tenantId, { callId: id, realNow, ...returned })
  return true
}

/** Undefined where it has not come back. */
export async function findSandboxReturn(
  db: Db,
  { tenantId, callId }: Call,
): Promise<{ code: string; returnedAt: Date } | undefined> {
  const row = await selectSandboxReturn(db, tenantId, `payments/${callId}`)
  if (!row) return undefined
  const { code } = row.result as { code: string }
  return { code, returnedAt: row.readyAt }
}

type KeptAnswer = CallAnswer<{ result: unknown; answeredAt: Date }>

/** Returns the first result (JSON) for every later call, and when it was answered. Undefined: refuse a
 * new call. Null: the result follows from the call itself. */
export async function answerKeptCall(
  db: Db,
  provider: Provider,
  call: Call,
  result: object | null | undefined,
): Promise<KeptAnswer> {
  const isVoid = result === undefined
  return await answerOnce(db, provider, call, { isVoid, result: result ?? null })
}

async function answerOnce(
  db: Db,
  provider: Provider,
  { tenantId, callId, realNow }: Call,
  wanted: { isVoid: boolean; result: unknown },
): Promise<KeptAnswer> {
  const delayedUntil = addMs(realNow, DELAY_MS)
  const call = { provider, callId: `${provider}/${callId}`, realNow, delayedUntil, ...wanted }
  const { outcome, readyAt, result } = await inTransaction(db, (tx) =>
    decideSandboxCall(tx, tenantId, call),
  )
  if (readyAt > realNow) return { status: 'pending', askAgainAt: readyAt }
  if (outcome === 'fail') return { status: 'refused', code: 'sandbox_refused', retryable: true }
  return { status: 'done', result, answeredAt: readyAt }
}
