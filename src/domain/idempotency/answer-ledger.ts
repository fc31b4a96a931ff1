import { Refusal } from '../../core/errors.ts'
import { type Db, inTransaction, type Tx } from '../../db/database.ts'
import { violatedConstraint } from '../../db/errors.ts'

type Lock<Row> = { acquired: boolean; record: Row | undefined }

/** The answers to one caller's request under one Idempotency-Key. */
export type AnswerLedger<Answer, Row, Locked extends Lock<Row> = Lock<Row>> = {
  /** The row is of just before the lock; one committed between is caught by the primary key. */
  tryLock(tx: Tx): Promise<Locked>
  find(db: Db): Promise<Row | undefined>
  insert(tx: Tx, answer: Answer): void
  /** Refuses `idempotency_key_reused`, and what cannot be read again. */
  replay(db: Db, record: Row): Promise<Answer>
  /** The name of its primary key. */
  primaryKey: string
}

export type Replayable<Answer> = { answer: Answer; replayed: boolean }

/** Lock, effect, events and answer are one transaction. A `Refusal` from `run` rolls back and leaves
 * the key unused. Refuses `idempotency_in_progress`, and what `replay` refuses. */
export async function runOnceIn<Answer, Row, Locked extends Lock<Row>>(
  db: Db,
  ledger: AnswerLedger<Answer, Row, Locked>,
  run: (tx: Tx, locked: Locked) => Promise<Answer>,
): Promise<Replayable<Answer>> {
  let hasRun = false
  try {
    return await inTransaction(db, async (tx) => {
      const locked = await ledger.tryLock(tx)
      const { acquired, record } = locked
      if (record !== undefined) return { answer: await ledger.replay(tx, record), replayed: true }
      if (!acquired) {
        throw new Refusal(
          'idempotency_in_progress',
          'A request with this Idempotency-Key is in progress. Retry to get its answer.',
          { retryAfterSeconds: 1 },
        )
      }
      hasRun = true
      const answer = await run(tx, locked)
      ledger.insert(tx, answer)
      return { answer, replayed: false }
    })
  } catch (error) {
    // The key may have been recorded between our snapshot and our lock: then we failed for that alone
    // and kept nothing.
    const isSecond = violatedConstraint(error) === ledger.primaryKey
    if (!isSecond && !(hasRun && error instanceof Refusal)) throw error
    const recorded = await findIn(db, ledger)
    if (!recorded) throw error
    return recorded
  }
}

/** Undefined for a key that was not used. */
export async function findIn<Answer, Row>(
  db: Db,
  ledger: AnswerLedger<Answer, Row>,
): Promise<Replayable<Answer> | undefined> {
  const record = await ledger.find(db)
  return record === undefined
    ? undefined
    : { answer: await ledger.replay(db, record), replayed: true }
}

export function keyReused(): Refusal {
  return new Refusal(
    'idempotency_key_reused',
    'This Idempotency-Key belongs to an earlier request with another method, target or body. Use a new key for a new request.',
  )
}
