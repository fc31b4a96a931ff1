import { z } from 'zod'
import { Refusal } from '../../../core/errors.ts'
import { formatDecimal } from '../../../core/money.ts'
import { getFacility } from '../../facilities/facilities.ts'
import {
  type Amendment,
  amendFacilities,
  type Compared,
  MOST_AMENDED,
  withdrawAmendment,
} from '../../margin/amendments/amend.ts'
import { type ActContext, type GuardedAct, tenantContextOf } from './guarded-act.ts'

/** As a proposal stores it: each facility with the comparison that the proposer saw. */
export type NewAmendment = {
  version?: number | undefined
  ratePpm?: number | undefined
  from?: string | undefined
  facilities: Compared[]
}

const ofFacility = z.strictObject({ tenantId: z.string(), facilityId: z.string() })

const newAmendment: z.ZodType<NewAmendment> = z.strictObject({
  version: z.int().min(0).optional(),
  ratePpm: z.int().min(0).max(1_000_000).optional(),
  from: z.iso.datetime().optional(),
  facilities: z
    .array(ofFacility.extend({ isStricter: z.boolean() }))
    .min(1)
    .max(MOST_AMENDED),
})

export type Amended = { bound: string[]; noticed: string[]; leftOut: string[] }

/** Terms of loans that exist. Each facility whose comparison has changed since the proposal is left out,
 * by name in the record. */
export const AMEND_FACILITIES: GuardedAct<NewAmendment, Amended> = {
  action: 'facilities.amend',
  schema: newAmendment,
  needsSecond: async () => true,
  async run(context, request, given) {
    const reason = requireReason(given)
    const { facilities, ...terms } = request
    const [first] = facilities
    const before = facilities.length === 1 && first ? await boundOf(context, first) : undefined
    const amended = await amendFacilities(
      {
        ...{ tx: context.tx, now: context.now, askedBy: context.signatures.proposedBy },
        tenantOf: (id) => tenantContextOf(context, id),
      },
      toAmendment(terms),
      facilities,
    )
    const noticed = amended.noticed.map(({ id }) => id)
    const namesOf = (isStricter: boolean) =>
      facilities.filter((one) => one.isStricter === isStricter).map((one) => one.facilityId)
    const act = {
      action: 'facilities.amend' as const,
      ...subjectOf(request),
      reason,
      ...(before && { before }),
      after: {
        ...showTerms(terms),
        with_notice: namesOf(true),
        without_notice: namesOf(false),
      },
      outcome: {
        effective_at: Object.fromEntries(amended.noticed.map(({ id, at }) => [id, at])),
        left_out: amended.leftOut,
      },
    }
    return { result: { ...amended, noticed }, act }
  },
}

export type WithdrawnAmendment = { tenantId: string; facilityId: string }

export const WITHDRAW_AMENDMENT: GuardedAct<WithdrawnAmendment, void> = {
  action: 'facilities.withdraw_amendment',
  schema: ofFacility,
  needsSecond: async () => true,
  async run(context, { tenantId, facilityId }, given) {
    const reason = requireReason(given)
    const { nextTerms } = await getFacility(context.tx, tenantId, facilityId)
    await withdrawAmendment(await tenantContextOf(context, tenantId), facilityId)
    const act = {
      action: 'facilities.withdraw_amendment' as const,
      ...{ subject: { kind: 'facility', id: facilityId }, tenantId, reason },
      before: {
        effective_at: nextTerms?.at.toISOString() ?? null,
        version: nextTerms?.version ?? null,
        rate: nextTerms?.ratePpm === undefined ? null : formatDecimal(nextTerms.ratePpm, 6),
      },
      after: { withdrawn: true },
    }
    return { result: undefined, act }
  },
}

/** A stored proposal, as it compares its facilities. */
export function readStoredAmendment(request: unknown): {
  amendment: Amendment
  proposed: Compared[]
} {
  const { facilities, ...terms } = newAmendment.parse(request)
  return { amendment: toAmendment(terms), proposed: facilities }
}

export function toStoredAmendment(
  { version, ratePpm, from }: Amendment,
  facilities: readonly Compared[],
): NewAmendment {
  return {
    ...(version !== undefined && { version }),
    ...(ratePpm !== undefined && { ratePpm: Number(ratePpm) }),
    ...(from && { from: from.toISOString() }),
    facilities: facilities.map(({ tenantId, facilityId, isStricter }) => ({
      ...{ tenantId, facilityId, isStricter },
    })),
  }
}

function toAmendment({ version, ratePpm, from }: Omit<NewAmendment, 'facilities'>): Amendment {
  return {
    version,
    ratePpm: ratePpm === undefined ? undefined : BigInt(ratePpm),
    from: from === undefined ? undefined : new Date(from),
  }
}

function subjectOf({ version, ratePpm, facilities }: NewAmendment) {
  const [first, ...others] = facilities
  const tenants = new Set(facilities.map(({ tenantId }) => tenantId))
  const tenantId = tenants.size === 1 ? first?.tenantId : undefined
  if (first && others.length === 0) {
    return { subject: { kind: 'facility', id: first.facilityId }, tenantId }
  }
  const id = version === undefined ? `rate ${showRate(ratePpm)}` : String(version)
  return { subject: { kind: 'margin_policy_version', id }, tenantId }
}

async function boundOf({ tx }: ActContext, { tenantId, facilityId }: Compared) {
  const { termsVersion, debt } = await getFacility(tx, tenantId, facilityId)
  return { version: termsVersion ?? null, rate: formatDecimal(debt.ratePpm, 6) }
}

const showRate = (ppm: number | undefined) =>
  ppm === undefined ? null : formatDecimal(BigInt(ppm), 6)

const showTerms = ({ version, ratePpm, from }: Omit<NewAmendment, 'facilities'>) => ({
  ...{ version: version ?? null, rate: showRate(ratePpm), from: from ?? null },
})

function requireReason(reason: string | undefined): string {
  if (reason !== undefined && reason.trim() !== '') return reason
  throw new Refusal('validation_failed', 'Facilities are amended for a reason: add it.')
}
