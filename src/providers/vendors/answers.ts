import { z } from 'zod'
import { fractionDigits, parseDecimal } from '../../core/money.ts'
import { addMs, parseTimestamp, SECOND_MS } from '../../core/time.ts'
import { HAIRCUTS_PPM } from '../../domain/collateral/valuation.ts'
import type { CallAnswer } from '../../domain/facilities/ports.ts'

const LONGEST_PAUSE_SECONDS = 3_600
const USUAL_PAUSE_SECONDS = 30

/** A member that vendors may leave out: many write null for what they have nothing to say of. */
export function leftOut<Schema extends z.ZodType>(schema: Schema) {
  return schema.nullish().transform((value) => value ?? undefined)
}

/** When to ask again, in seconds from now; vendors may leave it out. */
export const retryAfterSeconds = leftOut(
  z.number().int().min(1).max(LONGEST_PAUSE_SECONDS),
).transform((seconds) => seconds ?? USUAL_PAUSE_SECONDS)

/** Text of a vendor that is kept, and given back to it: one line, bounded. */
export function vendorText(max: number) {
  return z
    .string()
    .min(1)
    .max(max)
    .regex(/^\P{Cc}*$/u)
}

/** Text of a vendor that people read: made one line, bounded; undefined where it says nothing. */
export function vendorRemark(max: number) {
  return z
    .string()
    .transform((text) => text.replace(/[\s\p{Cc}]+/gu, ' ').trim())
    .pipe(z.string().max(max))
    .transform((line) => line || undefined)
}

const refused = z.object({
  code: z.string().regex(/^[a-z][a-z0-9_]{0,63}$/),
  retryable: z.boolean(),
})
const pending = z.object({ retry_after_seconds: retryAfterSeconds })
const status = z.object({ status: z.enum(['done', 'refused', 'pending']) })

/** Reads a vendor's answer to a call made at `realNow`; `done` reads what a finished one brings. */
export function callAnswer<Result extends object>(
  done: z.ZodType<Result>,
  realNow: Date,
): z.ZodType<CallAnswer<Result>> {
  return z.unknown().transform((given): CallAnswer<Result> => {
    const answer = status.parse(given)
    switch (answer.status) {
      case 'done':
        return { status: 'done', ...done.parse(given) }
      case 'refused':
        return { status: 'refused', ...refused.parse(given) }
      case 'pending': {
        const { retry_after_seconds: seconds } = pending.parse(given)
        return { status: 'pending', askAgainAt: addMs(realNow, seconds * SECOND_MS) }
      }
      default: {
        const unreachable: never = answer.status
        return unreachable
      }
    }
  })
}

/** Nothing but that it was done. */
export const nothingMore = z.object({})

const assetCode = z.string().regex(/^[A-Z0-9]{1,16}$/)

const fold = (code: string) => code.toUpperCase().replace(/[^A-Z0-9]/g, '')

/**
 * An asset that an account holds, whatever its code: most of what a custodian keeps is no collateral.
 * What could be meant for some of it must not count as nothing because it is written otherwise.
 */
export const heldAsset = z
  .string()
  .regex(/^[!-~]{1,64}$/)
  .refine((code) => HAIRCUTS_PPM.has(code) || !HAIRCUTS_PPM.has(fold(code)), {
    error: 'must be written as our codes are',
  })

/** A decimal string in the smallest unit of an asset; undefined where it is none. */
export function readUnits(asset: string, decimal: string): bigint | undefined {
  return parseDecimal(decimal, fractionDigits(asset))
}

/** An amount object above nothing. */
export const amount = z
  .object({ amount: z.string(), asset: assetCode })
  .transform(({ amount: decimal, asset }, context) => {
    const units = readUnits(asset, decimal)
    if (units !== undefined && units > 0n) return { asset, units }
    context.addIssue('must be above 0, with at most the digits of the asset')
    return z.NEVER
  })

/** Dollars as a decimal string, in cents. */
export const dollars = z.string().transform((decimal, context) => {
  const cents = readUnits('USD', decimal)
  if (cents !== undefined) return cents
  context.addIssue('must be dollars with at most two decimals')
  return z.NEVER
})

/** An instant in UTC. */
export const instant = z.string().transform((text, context) => {
  const at = parseTimestamp(text)
  if (at) return at
  context.addIssue('must be ISO 8601 in UTC')
  return z.NEVER
})
