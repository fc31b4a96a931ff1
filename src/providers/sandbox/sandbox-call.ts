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

/** The test values of the contract: a tag in a text that comes with the call. */
const TAG = /\+(refused|pending|returned|none)(?![a-z0-9])/

export type SandboxTag = 'refused' | 'pending' | 'returned' | 'none'

/** `text` is the account, destination or reference of a call; undefined without a tag. */
export function readSandboxTag(text: string | undefined): SandboxTag | undefined {
  return TAG.exec(text ?? '')?.[1] as SandboxTag | undefined
}

const ANSWER_OF_TAG = {
  refused: 'fail',
  none: 'fail',
  pending: 'delay',
  returned: undefined,
} as const

/** With the text whose tag chooses the answer. */
export type TaggedCall = Call & { tagged?: string | undefined }

/** A late call is refused unless it was decided before. */
export async function answerSandboxCall<Result>(
  db: Db,
  provider: Provider,
  call: TaggedCall & { isLate?: boolean },
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

/** Undefined if it has not come back. With the tag `returned` it has, once it was done. */
export async function findSandboxReturn(
  db: Db,
  { tenantId, callId, realNow, tagged }: TaggedCall,
): Promise<{ code: string; returnedAt: Date } | undefined> {
  const id = `payments/${callId}`
  const row = await selectSandboxReturn(db, tenantId, id)
  if (!row) {
    if (readSandboxTag(tagged) !== 'returned') return undefined
    const done = await selectSandboxCall(db, tenantId, id)
    const isDone = done?.outcome === 'succeed' && done.readyAt <= realNow
    return isDone ? { code: 'recalled', returnedAt: done.readyAt } : undefined
  }
  const { code } = row.result as { code: string }
  return { code, returnedAt: row.readyAt }
}

type KeptAnswer = CallAnswer<{ result: unknown; answeredAt: Date }>

/** Returns the first result (JSON) for every later call, and when it was answered. Undefined: refuse a
 * new call. Null: the result follows from the call itself. */
export async function answerKeptCall(
  db: Db,
  provider: Provider,
  call: TaggedCall,
  result: object | null | undefined,
): Promise<KeptAnswer> {
  const isVoid = result === undefined
  return await answerOnce(db, provider, call, { isVoid, result: result ?? null })
}

async function answerOnce(
  db: Db,
  provider: Provider,
  { tenantId, callId, realNow, tagged }: TaggedCall,
  wanted: { isVoid: boolean; result: unknown },
): Promise<KeptAnswer> {
  const delayedUntil = addMs(realNow, DELAY_MS)
  const tag = readSandboxTag(tagged)
  const next = tag && ANSWER_OF_TAG[tag]
  const call = { provider, callId: `${provider}/${callId}`, realNow, delayedUntil, next, ...wanted }
  const { outcome, readyAt, result } = await inTransaction(db, (tx) =>
    decideSandboxCall(tx, tenantId, call),
  )
  if (readyAt > realNow) return { status: 'pending', askAgainAt: readyAt }
  if (outcome === 'fail') return { status: 'refused', code: 'sandbox_refused', retryable: true }
  return { status: 'done', result, answeredAt: readyAt }
}
