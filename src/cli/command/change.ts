import type { Command } from 'commander'
import type { Report } from '../../command-line/text.ts'
import { type Db, inTransaction, openForChanges, type Tx } from '../../db/database.ts'
import { LENDER } from '../../db/sql/people-tables.ts'
import { DEFAULT_POLICY } from '../../domain/facilities/policy.ts'
import { createTermsAt } from '../../domain/margin/versions/terms-at.ts'
import {
  type OperatorAct,
  type OperatorActor,
  recordOperatorAction,
} from '../../domain/operators/actions.ts'
import type { GuardedAct, LendingTerms } from '../../domain/operators/acts/guarded-act.ts'
import {
  type DeskContext,
  doOrPropose,
  type Outcome,
  type Proposed,
} from '../../domain/operators/approvals/propose.ts'
import { findPerson, unknownPerson } from '../../domain/people/people.ts'
import { keepErasureIn } from '../../process/erased-file.ts'
import type { CliIo } from './cli-io.ts'
import { type CommonOptions, defineCommand, printReport } from './define-command.ts'
import { readEmail } from './options.ts'
import type { Answer } from './output.ts'
import { type Session, withSession } from './session.ts'

/** Options of every command that changes something. */
export type ChangeOptions = CommonOptions & { actor?: string; reason?: string }

/** `act` is undefined where nothing changed after all. */
export type Changed<T> = { result: T; act: OperatorAct | undefined }

/** The only way of a command to a transaction: what it changes is recorded with it. */
export type ChangeSession = Session & {
  change: <T>(run: (tx: Tx, desk: DeskContext) => Promise<Changed<T>>) => Promise<T>
  /** An act that may need a second operator, for the reason given. */
  changeOrPropose: <Request extends object, Result>(
    guarded: GuardedAct<Request, Result>,
    request: Request,
    reason: string | undefined,
  ) => Promise<Outcome<Result>>
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

/** Adds a command with `--json` and `--actor`. */
export function defineChange(
  parent: Command,
  usage: string,
  description: string,
  examples: readonly string[],
): Command {
  return defineCommand(parent, usage, description, examples).option(
    '--actor <email>',
    "the operator who acts, for the record; by default the system's user",
    readEmail,
  )
}

export function offerReason(command: Command): Command {
  return command.option('--reason <text>', 'why, for the record')
}

/** Runs a command that changes the database, and prints its report. */
export async function runChange(
  io: CliIo,
  options: ChangeOptions,
  command: (session: ChangeSession) => Promise<Report>,
): Promise<void> {
  printReport(io, options, await withChanges(io, options, command))
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
    const acting = { actor: await findActor(io, session, options.actor), now: session.now }
    const db = openForChanges(session.db)
    const record = (tx: Tx, act: OperatorAct) =>
      recordOperatorAction(tx, acting, { reason: options.reason, ...act })
    const { now, stack, isFourEyes, maxActiveKeys } = session
    const lending = lendingTermsOf(io)
    const { erasedFile } = io.loadConfig()
    const keepErasure = erasedFile === undefined ? undefined : keepErasureIn(erasedFile)
    const change: ChangeSession['change'] = (make) =>
      inTransaction(db, async (tx) => {
        const { result, act } = await make(tx, {
          tx,
          stack,
          now,
          acting,
          isFourEyes,
          maxActiveKeys,
          lending,
          keepErasure,
        })
        if (act) await record(tx, act)
        return result
      })
    return await command({
      ...session,
      change,
      reason: options.reason,
      async actOrPropose(guarded, request, done) {
        const outcome = await change((_tx, desk) =>
          doOrPropose(desk, guarded, request, options.reason),
        )
        return outcome.kind === 'done' ? await done(outcome.result) : toAnswer(outcome.proposed)
      },
      changeOrPropose: (guarded, request, reason) =>
        change((_tx, desk) => doOrPropose(desk, guarded, request, reason)),
      async changeInSteps(act, make) {
        await inTransaction(db, (tx) => record(tx, act))
        return await make(db)
      },
    })
  }
  return await withSession(io, run, options.connections)
}

function lendingTermsOf(io: CliIo): LendingTerms {
  const config = io.loadConfig()
  const own = { policy: DEFAULT_POLICY, marginPolicy: config.marginPolicy }
  const termsAt = createTermsAt(own, io.clock)
  return { prices: io.choosePrices(config), termsAt, hasRounds: config.stack === 'live' }
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

/** Of an act that needs no second operator. */
export function resultOf<Result>(outcome: Outcome<Result>): Result {
  if (outcome.kind === 'done') return outcome.result
  throw new Error('an act that needs no second operator was proposed')
}

/** Of an act that was done, its own report. */
export function reportOutcome<Result>(
  outcome: Outcome<Result>,
  report: (result: Result) => Report,
): Report {
  if (outcome.kind === 'done') return report(outcome.result)
  const { approvalId, action, expiresAt } = outcome.proposed
  return {
    data: { approval_id: approvalId, status: 'PENDING', action, expires_at: expiresAt },
    text: `Proposed as ${approvalId}: another operator confirms it with approvals confirm, until ${expiresAt.toISOString()}.`,
  }
}
