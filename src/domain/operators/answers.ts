import { Refusal } from '../../core/errors.ts'
import { addMs, DAY_MS } from '../../core/time.ts'
import type { Db, Tx } from '../../db/database.ts'
import { purge } from '../../db/sql/purge.ts'
import {
  type AnswerLedger,
  keyReused,
  type Replayable,
  runOnceIn,
} from '../idempotency/answer-ledger.ts'
import {
  type AnswerRow,
  deleteAnswersBefore,
  insertAnswer,
  selectAnswer,
  tryLockAnswer,
} from './answer-queries.ts'

const KEPT_MS = 30 * DAY_MS

export async function purgeAnswers(db: Db, now: Date): Promise<number> {
  return await purge((limit) => deleteAnswersBefore(db, addMs(now, -KEPT_MS), limit))
}

export type OperatorRequest = { operatorId: string; key: string; fingerprint: Buffer; now: Date }

/** `body`: JSON; null where it held a secret. */
type Answer = { status: number; body: string | null }

/** Runs once under an operator's Idempotency-Key; a repetition has the same answer. Refuses
 * `idempotency_in_progress`, `idempotency_key_reused`, and `secret_not_retrievable` for an answer
 * that held a secret: it is shown once. */
export async function runOperatorOnce(
  db: Db,
  request: OperatorRequest,
  run: (tx: Tx) => Promise<Answer>,
): Promise<Replayable<Answer>> {
  return await runOnceIn(db, ledgerOf(request), run)
}

function ledgerOf(request: OperatorRequest): AnswerLedger<Answer, AnswerRow> {
  const { operatorId, key, fingerprint, now: recordedAt } = request
  return {
    async tryLock(tx) {
      const { acquired, answer: record } = await tryLockAnswer(tx, operatorId, key)
      return { acquired, record }
    },
    find: (db) => selectAnswer(db, operatorId, key),
    insert: (tx, answer) =>
      insertAnswer(tx, { operatorId, key, recordedAt }, { fingerprint, ...answer }),
    async replay(_db, record) {
      if (!record.fingerprint.equals(fingerprint)) throw keyReused()
      if (record.body !== null) return { status: record.status, body: record.body }
      const detail = 'What this request made was shown once. Make another under a new key.'
      throw new Refusal('secret_not_retrievable', detail)
    },
    primaryKey: 'operator_answers_pkey',
  }
}
