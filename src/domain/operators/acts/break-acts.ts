import { z } from 'zod'
import { type Acting, type Break, resolveBreak, takeBreak } from '../../reconciliation/breaks.ts'
import { nameActor } from '../actions.ts'
import type { GuardedAct } from './guarded-act.ts'

export type OfBreak = { tenantId: string; breakId: string }

/** Neither moves money nor books anything, so one operator is enough. */
export const TAKE_BREAK = decideBreak('breaks.take', takeBreak)
export const RESOLVE_BREAK = decideBreak('breaks.resolve', resolveBreak)

function decideBreak(
  action: 'breaks.take' | 'breaks.resolve',
  decide: (acting: Acting, breakId: string, reason: string) => Promise<Break>,
): GuardedAct<OfBreak, Break> {
  return {
    action,
    schema: z.strictObject({ tenantId: z.string(), breakId: z.string() }),
    needsSecond: async () => false,
    async run({ tx, now: realNow, acting }, { tenantId, breakId }, reason = '') {
      const actor = nameActor(acting.actor)
      const found = await decide({ tx, tenantId, realNow, actor }, breakId, reason)
      const subject = { kind: 'break', id: breakId }
      const before = { kind: found.kind, item: found.itemId, owner: found.owner }
      return { result: found, act: { action, subject, tenantId, reason, before } }
    },
  }
}
