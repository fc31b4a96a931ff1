import { z } from 'zod'
import { Refusal } from '../../core/errors.ts'
import { createTurns } from '../../core/turns.ts'
import { advanceClock, forgetClockTarget, setClockTarget } from '../../domain/work/advance-clock.ts'
import type { TypedApp } from '../app-type.ts'
import { timestamp } from '../fields.ts'
import { operation } from '../operation.ts'
import { requiredKeyOf } from '../plugins/admit.ts'
import { callerOf } from '../plugins/authenticate.ts'
import { readsWith } from '../route-config.ts'
import type { RouteContext } from '../route-context.ts'

const MAX_ADVANCE_SECONDS = 400 * 24 * 60 * 60

const advanceSchema = z
  .strictObject({
    advance_seconds: z
      .int()
      .min(0)
      .max(MAX_ADVANCE_SECONDS)
      .describe('Whole seconds, at most 400 days; there is no way back'),
  })
  .meta({ examples: [{ advance_seconds: 86_400 }] })

const clockSchema = z
  .strictObject({ now: timestamp })
  .meta({ id: 'SandboxClock', examples: [{ now: '2026-11-21T12:00:00.000Z' }] })

/** Read a sandbox tenant's clock and set it ahead; no other tenant's moves with it. */
export function sandboxClockRoutes(app: TypedApp, context: RouteContext): void {
  const { db, clock, clockFor, deadlineHandlers, mutate, replayFirst } = context
  const takeTurn = createTurns()

  app.get(
    '/sandbox/clock',
    {
      config: { ...readsWith('facility:read'), sandboxOnly: true },
      schema: operation({
        id: 'getSandboxClock',
        summary: "Read the clock of the tenant's sandbox",
        tag: 'Sandbox',
        response: { 200: clockSchema },
        errors: ['sandbox_only'],
      }),
    },
    async (request) => {
      const { tenantId } = callerOf(request)
      return { now: (await clockFor(db, tenantId)).toISOString() }
    },
  )

  app.post(
    '/sandbox/clock',
    {
      config: {
        limitClass: 'sandbox_controls',
        scope: 'facility:write',
        idempotencyKey: 'required',
        sandboxOnly: true,
      },
      schema: operation({
        id: 'advanceSandboxClock',
        summary: "Set the clock of the tenant's sandbox ahead",
        description:
          'What falls due on the way happens at its own instant and in order, before this answers. Signatures of requests, identifiers, retention and retries stay on real time.',
        tag: 'Sandbox',
        body: advanceSchema,
        response: { 200: clockSchema },
        errors: ['sandbox_only'],
        idempotencyKey: 'required',
      }),
    },
    (request, reply) => {
      const { tenantId } = callerOf(request)
      const { advance_seconds: seconds } = request.body
      const key = requiredKeyOf(request)
      const advance = async () => {
        // Before the look at the record: a retry that finds none must find the goal.
        const goal = await setClockTarget(db, clockFor, tenantId, { seconds, key })
        try {
          if ((await replayFirst(request, reply)).replayed) {
            await forgetClockTarget(db, goal)
            return
          }
        } catch (error) {
          // The key belongs to a request that has been answered.
          if (error instanceof Refusal) await forgetClockTarget(db, goal)
          throw error
        }
        // In transactions of its own: each step is seen by everybody before the next is taken.
        // Advances of one tenant beside each other would take the same steps, and the connections
        // of others.
        const now = await takeTurn(tenantId, () =>
          advanceClock(db, deadlineHandlers, goal, { clock, clockFor }),
        )
        await mutate(request, reply, async (tx) => {
          await forgetClockTarget(tx, goal)
          return { status: 200, body: { now: now.toISOString() } }
        })
      }
      // Whoever comes second under a key learns what became of the first before the clock moves.
      return takeTurn(`${tenantId}/${key}`, advance)
    },
  )
}
