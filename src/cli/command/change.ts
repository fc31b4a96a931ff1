import { type Db, inTransaction, openForChanges, type Tx } from '../../db/database.ts'
import { LENDER } from '../../db/sql/people-tables.ts'
import {
  type OperatorAct,
  type OperatorActor,
  recordOperatorAction,
} from '../../domain/operators/actions.ts'
import type { GuardedAct } from '../../domain/operators/acts/guarded-act.ts'
import {
  type DeskContext,
  doOrPropose,
  type Proposed,
} from '../../domain/operators/approvals/propose.ts'
import { findPerson, unknownPerson } from '../../domain/people/people.ts'
import { keepErasureIn } from '../../process/erased-file.ts'
import type { CliIo } from './cli-io.ts'
import type { Answer } from './output.ts'
import { type Session, withSession } from './session.ts'

/** `act` is undefined where nothing changed after all. */
type Changed<T> = { result: T; act: OperatorAct | undefined }

/** The only way of a command to a transaction: what it changes is recorded with it. */
export type ChangeSession = Session & {
  makeChange: <T>(run: (tx: Tx, desk: DeskContext) => Promise<Changed<T>>) => Promise<T>
  /** Why, as the operator gave it. */
  reason: string | undefined
  /** Does the act, or proposes it to a second operator, and answers which. */
  actOrPropose: <Request extends object, Result>(
    guarded: GuardedAct<Request, Result>,
    request: Request,
    done: (result: Result) => Answer | Promise<Answer>,
  ) => Promise<Answer>
  /** For a change in many transactions; the act is recorded before the first. */
  changeInSteps: <T>(act: OperatorAct, run: (db: Db) => Promise<T>) => Promise<T>
}

export async function withChanges<T>(
  io: CliIo,
  options: {
    actor?: string | undefined
    reason?: string | undefined
    connections?: number | undefined
  },
  command: (session: ChangeSession) => Promise<T>,
): Promise<T> {
  const run = async (session: Session) => {
    const { now, stack, isFourEyes, maxActiveKeys, prices, termsAt, isShared, config } = session
    const { actor, reason } = options
    const acting = { actor: await findActor(io, session, actor), now }
    const lending = { prices, termsAt, hasRounds: isShared }
    const { erasedFile } = config
    const keepErasure = erasedFile === undefined ? undefined : keepErasureIn(erasedFile)
    const desk = { stack, now, acting, isFourEyes, maxActiveKeys, lending, keepErasure }
    const db = openForChanges(session.db)
    const record = (tx: Tx, act: OperatorAct) =>
      recordOperatorAction(tx, acting, { reason, ...act })
    const makeChange: ChangeSession['makeChange'] = (make) =>
      inTransaction(db, async (tx) => {
        const { result, act } = await make(tx, { tx, ...desk })
        if (act) await record(tx, act)
        return result
      })
    return await command({
      ...session,
      ...{ makeChange, reason },
      async actOrPropose(guarded, request, done) {
        const outcome = await makeChange((_tx, context) =>
          doOrPropose(context, guarded, request, reason),
        )
        return outcome.kind === 'done' ? await done(outcome.result) : toAnswer(outcome.proposed)
      },
      async changeInSteps(act, make) {
        await inTransaction(db, (tx) => record(tx, act))
        return await make(db)
      },
    })
  }
  return await withSession(io, run, options.connections)
}

async function findActor(
  io: CliIo,
  { db }: Session,
  email: string | undefined,
): Promise<OperatorActor> {
  if (email === undefined) return { kind: 'system', user: io.systemUser() }
  const operator = await findPerson(db, LENDER, email)
  if (!operator) throw unknownPerson(email)
  return { kind: 'operator', ...operator }
}

function toAnswer({ approvalId, action, expiresAt }: Proposed): Answer {
  return {
    data: { approval_id: approvalId, status: 'PENDING', action, expires_at: expiresAt },
    shown: `Proposed as ${approvalId}: another operator confirms it with approvals confirm, until ${expiresAt.toISOString()}.`,
  }
}
