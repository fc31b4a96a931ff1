import { z } from 'zod'
import type { GuardedAct } from '../../domain/operators/acts/guarded-act.ts'
import type { OperatorApp } from './operation.ts'
import type { OperatorContext } from './operator-context.ts'
import { outcomeSchema, performAct, reasonText } from './perform-act.ts'

/** The id and the summary of an operation. */
export type Named = { id: string; summary: string }

type Decision<Params extends z.ZodType, Request> = Named & {
  path: string
  params: Params
  /** The example in the API document. */
  reason: string
  guarded: GuardedAct<Request, unknown>
  askedOf: (params: z.output<Params>) => Request
}

/** Adds a route that decides one thing that waits for an operator. The body has a reason and nothing else. */
export function decisionRoute<Params extends z.ZodType, Request extends object>(
  app: OperatorApp,
  context: OperatorContext,
  { path, id, summary, params, reason, guarded, askedOf }: Decision<Params, Request>,
): void {
  app.post(path, {
    ...{ id, summary, tag: 'Operations' },
    params: params as z.ZodType,
    body: z.strictObject({ reason: reasonText }).meta({ examples: [{ reason }] }),
    response: { 200: outcomeSchema },
    errors: ['scope_missing'],
    async handler(request) {
      const asked = askedOf(request.params as z.output<Params>)
      return await performAct(context, request, guarded, { asked, reason: request.body.reason })
    },
  })
}
