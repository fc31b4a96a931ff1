import type { z } from 'zod'
import type { GuardedAct } from '../../domain/operators/acts/guarded-act.ts'
import { type CamelCased, camelCased } from '../schemas/body-of.ts'
import type { Operation, OperatorApp } from './operation.ts'
import type { OperatorContext } from './operator-context.ts'
import { outcomeSchema, performAct, withReason } from './perform-act.ts'

type Members = Record<string, z.ZodType>
type Read<Given extends Members> = { [Name in keyof Given]: z.output<Given[Name]> }

/** The members of path and body. */
type Given<Params extends Members, Body extends Members> = CamelCased<Read<Params> & Read<Body>>

type ActRoute<Params extends Members, Body extends Members, Request> = Pick<
  Operation,
  'id' | 'summary' | 'description' | 'tag' | 'config' | 'errors'
> & {
  params: z.ZodObject<Params>
  /** Members of the body beside the reason. */
  body?: Body
  /** The body of the example in the document. */
  example: { reason: string; [member: string]: unknown }
  guarded: GuardedAct<Request, unknown>
}

/** Needed where the act has other members than path and body. */
type AskedOf<Asked, Request> = Asked extends Request
  ? { askedOf?: undefined }
  : { askedOf: (given: Asked) => Request }

/** Adds a route that does an act, or proposes it to a second operator. */
export function actRoute<
  Request extends object,
  Params extends Members,
  const Body extends Members = Record<never, never>,
>(
  app: OperatorApp,
  context: OperatorContext,
  path: string,
  definition: ActRoute<Params, Body, Request> & AskedOf<Given<Params, Body>, Request>,
): void {
  const { params, body = {}, example, guarded, askedOf, errors = [], ...about } = definition
  app.post(path, {
    ...(about as Pick<Operation, 'id' | 'summary' | 'tag'>),
    params: params as z.ZodObject,
    body: withReason(body, example),
    response: { 200: outcomeSchema },
    errors: ['scope_missing', ...errors],
    async handler(request) {
      const { reason, ...members } = request.body
      const given = camelCased({ ...request.params, ...members }) as Given<Params, Body>
      const asked = askedOf ? askedOf(given) : (given as Request)
      return await performAct(context, request, guarded, { asked, reason })
    },
  })
}
