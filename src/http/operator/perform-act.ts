import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { refusedAs } from '../../core/field-errors.ts'
import type { Tx } from '../../db/database.ts'
import { type ActingOperator, recordOperatorAction } from '../../domain/operators/actions.ts'
import type { GuardedAct } from '../../domain/operators/acts/guarded-act.ts'
import {
  type DeskContext,
  doOrPropose,
  type Outcome,
} from '../../domain/operators/approvals/propose.ts'
import { keepErasureIn } from '../../process/erased-file.ts'
import { idText, text, timestamp } from '../schemas/fields.ts'
import { changeOnce } from './change-once.ts'
import type { OperatorContext } from './operator-context.ts'

export const reasonText = text(500)
  .refine(
    (reason) => reason.trim() !== '',
    refusedAs({ code: 'too_short', expected: 'Expected a reason, not only blanks.' }),
  )
  .describe('Why, for the record')

/** A body with these members and the reason. */
export function withReason<const Members extends z.ZodRawShape>(
  members: Members,
  example: { reason: string; [member: string]: unknown },
) {
  return z.strictObject({ ...members, reason: reasonText }).meta({ examples: [example] })
}

export const outcomeSchema = z
  .strictObject({
    outcome: z.enum(['done', 'proposed']).describe('proposed: another operator confirms it'),
    approval_id: idText('apr').nullable(),
    expires_at: timestamp.nullable().describe('Of the proposal'),
  })
  .meta({
    id: 'Outcome',
    examples: [{ outcome: 'done', approval_id: null, expires_at: null }],
  })

type Asking<Request> = { asked: Request; reason: string }

/** Does an act in its own transaction, or proposes it, and records who did. */
export async function performAct<Request extends object>(
  context: OperatorContext,
  request: FastifyRequest,
  guarded: GuardedAct<Request, unknown>,
  asking: Asking<Request>,
): Promise<z.input<typeof outcomeSchema>> {
  return await perform(context, request, guarded, { ...asking, toBody: toOutcomeBody })
}

/** For an act that needs no second operator. */
export async function performAlone<Request extends object, Result, Body>(
  context: OperatorContext,
  request: FastifyRequest,
  guarded: GuardedAct<Request, Result>,
  { toBody, ...asking }: Asking<Request> & Answering<Result, Body>,
): Promise<Body> {
  return await perform(context, request, guarded, {
    ...asking,
    toBody(outcome) {
      if (outcome.kind === 'done') return toBody(outcome.result)
      throw new Error('an act that needs no second operator was proposed')
    },
  })
}

type Answering<Result, Body> = {
  toBody: (result: Result) => Body
  /** Whether the answer has a secret, which is not shown again under the same key. */
  holdsSecret?: (body: Body) => boolean
}

/** As `performAct`, with a body of its own. */
export async function perform<Request extends object, Result, Body>(
  context: OperatorContext,
  request: FastifyRequest,
  guarded: GuardedAct<Request, Result>,
  { asked, reason, toBody, holdsSecret }: Asking<Request> & Answering<Outcome<Result>, Body>,
): Promise<Body> {
  const run = async (tx: Tx, acting: ActingOperator) => {
    const desk = deskContextOf(context, tx, acting)
    const { result, act } = await doOrPropose(desk, guarded, asked, reason)
    if (act) await recordOperatorAction(tx, acting, act)
    return toBody(result)
  }
  return await changeOnce(context, request, run, holdsSecret)
}

export function deskContextOf(
  { config, prices, termsAt, hasRounds }: OperatorContext,
  tx: Tx,
  acting: ActingOperator,
): DeskContext {
  const { stack, isFourEyes, maxActiveKeys, erasedFile } = config
  const lending = { prices, termsAt, hasRounds }
  const keepErasure = erasedFile === undefined ? undefined : keepErasureIn(erasedFile)
  return { tx, stack, now: acting.now, acting, isFourEyes, maxActiveKeys, lending, keepErasure }
}

/** With a link, which is shown once: to who made it alone, else to who confirms it. */
export const linkedOutcome = {
  ...outcomeSchema.shape,
  invitation_url: z
    .string()
    .nullable()
    .describe('Opens once, within 24 hours; shown only now. Null: shown to who confirms it'),
}

export const hasLink = ({ invitation_url: url }: { invitation_url: string | null }) => url !== null

export function toOutcomeBody(outcome: Outcome<unknown>): z.input<typeof outcomeSchema> {
  if (outcome.kind === 'done') return { outcome: 'done', approval_id: null, expires_at: null }
  const { approvalId, expiresAt } = outcome.proposed
  return { outcome: 'proposed', approval_id: approvalId, expires_at: expiresAt.toISOString() }
}
