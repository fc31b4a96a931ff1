import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { refusedAs } from '../../core/field-errors.ts'
import { recordOperatorAction } from '../../domain/operators/actions.ts'
import type { GuardedAct } from '../../domain/operators/acts/guarded-act.ts'
import { doOrPropose } from '../../domain/operators/approvals/propose.ts'
import { idText, text, timestamp } from '../schemas/fields.ts'
import { changeOnce } from './change-once.ts'
import type { OperatorContext } from './operator-context.ts'

export const reasonText = text(500)
  .refine(
    (reason) => reason.trim() !== '',
    refusedAs({ code: 'too_short', expected: 'Expected a reason, not only blanks.' }),
  )
  .describe('Why, for the record')

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

/** Does an act in its own transaction, or proposes it, and records who did. */
export async function performAct<Request extends object>(
  context: OperatorContext,
  request: FastifyRequest,
  guarded: GuardedAct<Request, unknown>,
  { asked, reason }: { asked: Request; reason: string },
): Promise<z.input<typeof outcomeSchema>> {
  const { stack, isFourEyes } = context.config
  return await changeOnce(context, request, async (tx, acting) => {
    const desk = { tx, stack, now: acting.now, acting, isFourEyes }
    const { result, act } = await doOrPropose(desk, guarded, asked, reason)
    if (act) await recordOperatorAction(tx, acting, act)
    if (result.kind === 'done') return { outcome: 'done', approval_id: null, expires_at: null }
    const { approvalId, expiresAt } = result.proposed
    return {
      outcome: 'proposed',
      approval_id: approvalId,
      expires_at: expiresAt.toISOString(),
    }
  })
}
