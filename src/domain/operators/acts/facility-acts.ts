import { z } from 'zod'
import { Refusal } from '../../../core/errors.ts'
import { getHolds, HOLD_KINDS, type HoldKind } from '../../facilities/holds/holds.ts'
import { holdFacility, releaseFacility } from '../../margin/hold-facility.ts'
import { type GuardedAct, tenantContextOf } from './guarded-act.ts'

type OfFacility = { tenantId: string; facilityId: string }

const ofFacility = z.strictObject({ tenantId: z.string(), facilityId: z.string() })

const subjectOf = ({ tenantId, facilityId }: OfFacility) => ({
  ...{ subject: { kind: 'facility', id: facilityId }, tenantId },
})

export type Holding = OfFacility & { kind: HoldKind }

/** Stops at once, so one operator is enough; two let it go on. */
export const HOLD_FACILITY: GuardedAct<Holding, { holdId: string }> = {
  action: 'facilities.hold',
  schema: ofFacility.extend({ kind: z.enum(HOLD_KINDS) }),
  needsSecond: async () => false,
  async run(context, { kind, ...of }, given) {
    const reason = requireReason(given)
    const tenant = await tenantContextOf(context, of.tenantId)
    const { holdId, heldSince } = await holdFacility(tenant, of.facilityId, { kind, reason })
    const before = heldSince ? { held_since: heldSince.toISOString() } : { held_since: null }
    const after = { hold: holdId, kind }
    const act = { action: 'facilities.hold' as const, ...subjectOf(of), reason, before, after }
    return { result: { holdId }, act }
  },
}

export type Releasing = OfFacility & { holdId: string }

export const RELEASE_FACILITY: GuardedAct<Releasing, { isLast: boolean }> = {
  action: 'facilities.release',
  schema: ofFacility.extend({ holdId: z.string() }),
  needsSecond: async () => true,
  async run(context, { holdId, ...of }, given) {
    const reason = requireReason(given)
    const { tx } = context
    const tenant = await tenantContextOf(context, of.tenantId)
    const holds = await getHolds(tx, of.tenantId, of.facilityId)
    const hold = holds.find(({ id, liftedAt }) => id === holdId && !liftedAt)
    const { isLast } = await releaseFacility(tenant, of.facilityId, holdId)
    const act = {
      action: 'facilities.release' as const,
      ...subjectOf(of),
      reason,
      before: { hold: holdId, kind: hold?.kind ?? null, since: hold?.since.toISOString() ?? null },
      after: { on_hold: !isLast },
    }
    return { result: { isLast }, act }
  },
}

function requireReason(reason: string | undefined): string {
  if (reason !== undefined && reason.trim() !== '') return reason
  throw new Refusal('validation_failed', 'A hold is placed and lifted for a reason: add it.')
}
