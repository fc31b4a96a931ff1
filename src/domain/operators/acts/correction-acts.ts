import { z } from 'zod'
import { Refusal } from '../../../core/errors.ts'
import { formatDecimal, formatUsd } from '../../../core/money.ts'
import { runInSavepoint } from '../../../db/database.ts'
import { countEntries } from '../../facilities/corrections/correction-queries.ts'
import { CORRECTION_KINDS, type Correction } from '../../facilities/corrections/corrections.ts'
import { type Facility, getFacility } from '../../facilities/facilities.ts'
import { membersOf, type Proof } from '../../margin/correct-facility.ts'
import { type CorrectionPreview, correctAndCompare } from '../../margin/preview-correction.ts'
import { type ActContext, type GuardedAct, lendingContextOf } from './guarded-act.ts'

/** Cents are digits, because JSON has no exact integers; instants are RFC 3339. */
export type StoredCorrection = {
  kind: Correction['kind']
  cents?: string | undefined
  ratePpm?: number | undefined
  from?: string | undefined
  until?: string | undefined
  correctionId?: string | undefined
}

export type Correcting = { tenantId: string; facilityId: string; correction: StoredCorrection }

const storedCorrection: z.ZodType<StoredCorrection> = z.strictObject({
  kind: z.enum(CORRECTION_KINDS),
  cents: z.string().optional(),
  ratePpm: z.int().optional(),
  from: z.iso.datetime().optional(),
  until: z.iso.datetime().optional(),
  correctionId: z.string().optional(),
})

export type CorrectionResult = { correctionId: string; preview: CorrectionPreview }

/** A proposal ends when money, rate, terms, state or a hold of the facility change: all are in `before`.
 * What it does then is its outcome, because interest runs on. */
export const CORRECT_FACILITY: GuardedAct<Correcting, CorrectionResult> = {
  action: 'facilities.correct',
  schema: z.strictObject({
    ...{ tenantId: z.string(), facilityId: z.string() },
    correction: storedCorrection,
  }),
  needsSecond: async () => true,
  async run(context, { tenantId, facilityId, correction: stored }, given) {
    const reason = requireReason(given)
    const { tx, isTrial = false } = context
    const lending = await lendingContextOf(context, tenantId)
    const facility = await getFacility(tx, tenantId, facilityId)
    const entries = await countEntries(tx, tenantId, facilityId)
    const correction = toCorrection(stored)
    const proof: Proof = isTrial ? 'answer if there' : 'answer'
    const { corrected, preview } = await correctAndCompare(lending, facilityId, correction, proof)
    const { correctionId } = corrected
    const act = {
      action: 'facilities.correct' as const,
      ...{ subject: { kind: 'facility', id: facilityId }, tenantId, reason },
      before: { ...describe(facility), entries },
      after: {
        correction: correction.kind,
        ...membersOf(correction),
        ...('correctionId' in correction && { correction_id: correction.correctionId }),
      },
      outcome: { ...(isTrial ? {} : { correction_id: correctionId }), preview },
    }
    return { result: { correctionId, preview }, act }
  },
}

/** Returns what it would change, and undoes it. Refuses as the act does. */
export async function tryCorrection(
  context: Omit<ActContext, 'signatures'>,
  { tenantId, facilityId, correction }: Omit<Correcting, 'correction'> & { correction: Correction },
): Promise<CorrectionPreview> {
  const lending = await lendingContextOf(context, tenantId)
  let seen: CorrectionPreview | undefined
  await runInSavepoint(context.tx, async () => {
    const tried = await correctAndCompare(lending, facilityId, correction, 'answer if there')
    seen = tried.preview
    return false
  })
  if (!seen) throw new Error('a correction was not tried')
  return seen
}

export function storeCorrection(correction: Correction): StoredCorrection {
  const { kind } = correction
  return {
    kind,
    ...('cents' in correction && { cents: String(correction.cents) }),
    ...('ratePpm' in correction && { ratePpm: Number(correction.ratePpm) }),
    ...('from' in correction && { from: correction.from.toISOString() }),
    ...('until' in correction && { until: correction.until.toISOString() }),
    ...('correctionId' in correction && { correctionId: correction.correctionId }),
  }
}

export function toCorrection(stored: StoredCorrection): Correction {
  const { kind } = stored
  switch (kind) {
    case 'waive_interest':
    case 'credit':
      return { kind, cents: BigInt(wanted(stored, 'cents')) }
    case 'rate':
      return {
        kind,
        ratePpm: BigInt(wanted(stored, 'ratePpm')),
        from: new Date(wanted(stored, 'from')),
      }
    case 'forbearance':
      return { kind, until: new Date(wanted(stored, 'until')) }
    case 'undo':
      return { kind, correctionId: wanted(stored, 'correctionId') }
    case 'write_off':
    case 'close':
      return { kind }
    default: {
      const unreachable: never = kind
      return unreachable
    }
  }
}

const NAMES = {
  kind: 'kind',
  cents: 'amount',
  ratePpm: 'rate',
  from: 'from',
  until: 'until',
  correctionId: 'correction',
} as const satisfies Record<keyof StoredCorrection, string>

function wanted<Name extends keyof StoredCorrection>(
  stored: StoredCorrection,
  name: Name,
): NonNullable<StoredCorrection[Name]> {
  const value = stored[name]
  if (value === undefined) {
    throw new Refusal('validation_failed', `${NAMES[name]} is required for ${stored.kind}.`)
  }
  return value
}

/** All of it stays as it is while interest runs. */
function describe(facility: Facility) {
  const { state, debt, reservedCents, refundDueCents, chargedOff, heldSince } = facility
  return {
    state,
    principal_usd: formatUsd(debt.principalCents),
    reserved_usd: formatUsd(reservedCents),
    refund_due_usd: formatUsd(refundDueCents),
    rate: formatDecimal(debt.ratePpm, 6),
    terms_version: facility.termsVersion ?? null,
    held_since: heldSince?.toISOString() ?? null,
    times_held: facility.timesHeld,
    forbearance_until: facility.forbearanceUntil?.toISOString() ?? null,
    ...(chargedOff && {
      deficit_usd: formatUsd(
        chargedOff.principalCents + chargedOff.interestCents - chargedOff.recoveredCents,
      ),
    }),
  }
}

function requireReason(reason: string | undefined): string {
  if (reason !== undefined && reason.trim() !== '') return reason
  throw new Refusal('validation_failed', 'A facility is corrected for a reason: add it.')
}
