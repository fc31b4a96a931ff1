import { z } from 'zod'
import { Refusal } from '../../core/errors.ts'
import type { FieldError } from '../../core/field-errors.ts'
import { ONE_PPM } from '../../core/ratio.ts'
import {
  CORRECTION_KINDS,
  type Correction,
} from '../../domain/facilities/corrections/corrections.ts'
import { decimalInput, usdInput } from './amounts.ts'
import { idInputLike, timestampInputLike } from './fields.ts'

/** What of the members a kind needs; it takes no other. */
const MEMBERS = {
  waive_interest: ['amount'],
  credit: ['amount'],
  rate: ['rate', 'from'],
  write_off: [],
  forbearance: ['until'],
  undo: ['correction_id'],
  close: [],
} as const satisfies Record<Correction['kind'], readonly string[]>

const RATE_DIGITS = 6

export const correctionMembers = {
  kind: z
    .enum(CORRECTION_KINDS)
    .describe(
      'waive_interest and credit (of principal) take an amount, rate a rate and from, forbearance until, undo a correction_id',
    ),
  amount: usdInput.optional().describe('At most what is owed now'),
  rate: decimalInput(RATE_DIGITS, '0.08')
    .optional()
    .describe('Annual, nowhere above the one in force'),
  from: timestampInputLike('2026-11-01T00:00:00Z')
    .optional()
    .describe('From when the rate holds; not ahead'),
  until: timestampInputLike('2027-02-01T00:00:00Z').optional().describe('At most 12 months ahead'),
  correction_id: idInputLike('cor', 'cor_01k9x4m2q8e0tb7f2v5j6h8n3c')
    .optional()
    .describe('The correction that is undone'),
}

const object = z.strictObject(correctionMembers)

/** Refuses `validation_failed` for a member that its kind needs or does not take. */
export function readCorrection(given: z.output<typeof object>): Correction {
  const { kind, amount, rate, from, until, correction_id: correctionId } = given
  const known: readonly string[] = MEMBERS[kind]
  const errors: FieldError[] = Object.keys(correctionMembers)
    .filter((name) => name !== 'kind')
    .flatMap((name): FieldError[] => {
      const isGiven = given[name as keyof typeof given] !== undefined
      const pointer = `/${name}`
      if (known.includes(name) === isGiven) return []
      return isGiven
        ? [{ pointer, code: 'not_allowed', detail: `Leave it out for ${kind}.` }]
        : [{ pointer, code: 'required', detail: `Required for ${kind}.` }]
    })
  if (rate !== undefined && rate > ONE_PPM) {
    errors.push({ pointer: '/rate', code: 'out_of_range', detail: 'Expected at most 1.' })
  }
  if (errors.length > 0) {
    throw new Refusal('validation_failed', 'The correction is not valid; see errors.', { errors })
  }
  return {
    kind,
    ...(amount && { cents: amount.units }),
    ...(rate !== undefined && { ratePpm: rate }),
    ...(from && { from }),
    ...(until && { until }),
    ...(correctionId !== undefined && { correctionId }),
  } as Correction
}
