import { z } from 'zod'
import { createKeyedMutex } from '../../core/limits/keyed-mutex.ts'
import { addMs } from '../../core/time.ts'
import { inTransaction } from '../../db/database.ts'
import { noteHeartbeat } from '../../domain/margin/outages/outages.ts'
import {
  ADVANCE_BUDGET_MS,
  advanceClock,
  advancing,
  beginAdvance,
  type ClockAdvance,
  endAdvance,
  findTarget,
  leaveAdvance,
} from '../../domain/work/advance-clock.ts'
import { callerOf } from '../authentication/authenticate.ts'
import { requiredKeyOf } from '../limits/admit.ts'
import { readsWith } from '../route-config.ts'
import type { RouteContext } from '../route-context.ts'
import { timestamp } from '../schemas/fields.ts'
import type { TenantApp } from '../schemas/operation.ts'

const MAX_ADVANCE_SECONDS = 400 * 24 * 60 * 60

const advanceSchema = z
  .strictObject({
    advance_seconds: z
      .int()
      .min(0)
      .max(MAX_ADVANCE_SECONDS)
      .describe('Whole seconds, at most 400 days. The clock cannot be set back'),
  })
  .meta({ examples: [{ advance_seconds: 86_400 }] })

const clockSchema = z
  .strictObject({
    now: timestamp,
    goal: timestamp.optional().describe('The time the clock is advancing to; absent once reached'),
  })
  .meta({ id: 'SandboxClock', examples: [{ now: '2026-11-21T12:00:00.000Z' }] })

export function sandboxClockRoutes(app: TenantApp, context: RouteContext): void {
  const { db, clock, clockFor, mutate, replayFirst } = context
  const runExclusive = createKeyedMutex()

  app.get('/sandbox/clock', {
    id: 'getSandboxClock',
    summary: "Read the clock of the tenant's sandbox",
    tag: 'Sandbox',
    config: { ...readsWith('facility:read'), sandboxOnly: true },
    response: { 200: clockSchema },
    errors: ['sandbox_only'],
    async handler(request) {
      const { tenantId } = callerOf(request)
      const goal = await findTarget(db, tenantId)
      const now = await clockFor(db, tenantId)
      return { now: now.toISOString(), ...(goal && { goal: goal.toISOString() }) }
    },
  })

  app.post('/sandbox/clock', {
    id: 'advanceSandboxClock',
    summary: "Advance the clock of the tenant's sandbox",
    description:
      'Everything that falls due on the way happens at its own time and in order before the answer 200. An advance that takes longer than 20 s is answered 202 and continues; `GET` shows `goal` until it is reached. Request signatures, identifiers, retention and retries stay on real time.',
    tag: 'Sandbox',
    config: {
      limitClass: 'sandbox_controls',
      scope: 'facility:write',
      idempotencyKey: 'required',
      sandboxOnly: true,
    },
    body: advanceSchema,
    response: { 200: clockSchema, 202: clockSchema },
    errors: ['sandbox_only', 'clock_advancing'],
    handler(request, reply) {
      const { tenantId } = callerOf(request)
      const { advance_seconds: seconds } = request.body
      const key = requiredKeyOf(request)
      const stopAt = addMs(clock(), ADVANCE_BUDGET_MS)
      const patience = () => ({ ms: stopAt.getTime() - clock().getTime(), refuse: advancing })
      /** Checks the record again: it may hold an answer by now. */
      const isAnswered = async (to: ClockAdvance & { isNew: boolean }) => {
        let isNone = false
        try {
          isNone = !(await replayFirst(request, reply)).replayed
          return !isNone
        } finally {
          if (!isNone && to.isNew) await inTransaction(db, (tx) => endAdvance(tx, to))
        }
      }
      // In its own transactions: each step is visible before the next one.
      const advance = async (to: ClockAdvance & { isNew: boolean }) => {
        if (await isAnswered(to)) return
        // Due work is done here, as a worker does it. An outage before ends by the clock of before.
        await noteHeartbeat(db, clock)
        const { now, hasArrived } = await advanceClock(context, to, stopAt)
        const body = { now: now.toISOString() }
        await mutate(request, reply, async ({ tx, now, realNow }) => {
          if (hasArrived) {
            await endAdvance(tx, to)
            return { status: 200, body }
          }
          await leaveAdvance(tx, to, { now, realNow })
          return { status: 202, body: { ...body, goal: to.target.toISOString() } }
        })
      }
      const advanceOnce = async () => {
        if ((await replayFirst(request, reply)).replayed) return
        // One advance of a tenant at a time, in order of arrival.
        const begin = async () => advance(await beginAdvance(context, tenantId, { seconds, key }))
        await runExclusive(tenantId, begin, patience())
      }
      // A second request under a key waits for the answer of the first.
      return runExclusive(`${tenantId}/${key}`, advanceOnce, patience())
    },
  })
}
