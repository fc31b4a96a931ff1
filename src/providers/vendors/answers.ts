import { z } from 'zod'
import { fractionDigits, parseDecimal } from '../../core/money.ts'
import { addMs, parseTimestamp, SECOND_MS } from '../../core/time.ts'
import type { CallAnswer } from '../../domain/facilities/ports.ts'

const LONGEST_PAUSE_SECONDS = 3_600
const USUAL_PAUSE_SECONDS = 30

/** When to ask again, in seconds from now; vendors may leave it out. */
export const retryAfterSeconds = z
  .number()
  .int()
  .min(1)
  .max(LONGEST_PAUSE_SECONDS)
  .default(USUAL_PAUSE_SECONDS)

/** Text of a vendor that is kept: one line, bounded. */
export function vendorText(max: number) {
  return z
    .string()
    .min(1)
    .max(max)
    .regex(/^\P{Cc}*$/u)
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
    const said = status.parse(given)
    switch (said.status) {
      case 'done':
        return { status: 'done', ...done.parse(given) }
      case 'refused':
        return { status: 'refused', ...refused.parse(given) }
      case 'pending': {
        const { retry_after_seconds: seconds } = pending.parse(given)
        return { status: 'pending', askAgainAt: addMs(realNow, seconds * SECOND_MS) }
      }
      default: {
        const unreachable: never = said.status
        return unreachable
      }
    }
  })
}

/** Nothing but that it was done. */
export const nothingMore = z.object({})

export const assetCode = z.string().regex(/^[A-Z0-9]{1,16}$/)

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
