import { z } from 'zod'
import { isKnownAsset } from '../../core/assets.ts'
import { fractionDigits, isBeyondBounds, parseDecimal } from '../../core/money.ts'
import { addMs, MINUTE_MS, parseTimestamp, SECOND_MS } from '../../core/time.ts'
import type { CallAnswer, PaymentAnswer } from '../../domain/facilities/ports.ts'

const LONGEST_PAUSE_SECONDS = 3_600
const USUAL_PAUSE_SECONDS = 30

/** Many vendors write null for a member they leave out. */
export function leftOut<Schema extends z.ZodType>(schema: Schema) {
  return schema.nullish().transform((value) => value ?? undefined)
}

export const retryAfterSeconds = leftOut(
  z.number().int().min(1).max(LONGEST_PAUSE_SECONDS),
).transform((seconds) => seconds ?? USUAL_PAUSE_SECONDS)

/** Stored and sent back to the vendor: one line, bounded. */
export function vendorText(max: number) {
  return z
    .string()
    .min(1)
    .max(max)
    .regex(/^\P{Cc}*$/u)
}

/** Read by people: made one line, bounded; undefined when blank. */
export function vendorRemark(max: number) {
  return z
    .string()
    .transform((text) => text.replace(/[\s\p{Cc}]+/gu, ' ').trim())
    .pipe(z.string().max(max))
    .transform((line) => line || undefined)
}

const CODE = /^[a-z][a-z0-9_]{0,63}$/

const refused = z.object({
  code: z.string().regex(CODE),
  retryable: z.boolean(),
})
const pending = z.object({ retry_after_seconds: retryAfterSeconds })
const status = z.object({ status: z.enum(['done', 'refused', 'pending', 'returned']) })

/** `realNow` is the time of the call; `done` reads a finished answer. */
export function callAnswer<Result extends object>(
  done: z.ZodType<Result>,
  realNow: Date,
): z.ZodType<CallAnswer<Result>> {
  return z.unknown().transform((given, context): CallAnswer<Result> => {
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
      case 'returned':
        context.addIssue('must be done, refused or pending: nothing of it can come back')
        return z.NEVER
      default: {
        const unreachable: never = answer.status
        return unreachable
      }
    }
  })
}

export const nothingMore = z.object({})

/** As `callAnswer`, of money that may come back. */
export function paymentAnswer<Result extends object>(
  done: z.ZodType<Result>,
  realNow: Date,
): z.ZodType<PaymentAnswer<Result>> {
  const rest = callAnswer(done, realNow)
  return z.unknown().transform((given, context): PaymentAnswer<Result> => {
    if (status.safeParse(given).data?.status !== 'returned') return rest.parse(given)
    const { amount: back, code, returned_at: returnedAt } = returned.parse(given)
    if (isAhead(returnedAt, realNow)) context.addIssue('must not have come back in the future')
    return { status: 'returned', amount: back, code, returnedAt }
  })
}

const assetCode = z.string().regex(/^[A-Z0-9]{1,16}$/)

const fold = (code: string) => code.toUpperCase().replace(/[^A-Z0-9]/g, '')

/** Most assets of a custodian are not collateral. A code that is ours but for spelling is refused,
 * because it would count as nothing. */
export const heldAsset = z
  .string()
  .regex(/^[!-~]{1,64}$/)
  .refine((code) => isKnownAsset(code) || !isKnownAsset(fold(code)), {
    error: 'must be spelled exactly like our code',
  })

/** Undefined in another form, and beyond what can be meant. */
export function readUnits(asset: string, decimal: string): bigint | undefined {
  const units = parseDecimal(decimal, fractionDigits(asset))
  return units === undefined || isBeyondBounds({ asset, units }) ? undefined : units
}

export const amount = z
  .object({ amount: z.string(), asset: assetCode })
  .transform(({ amount: decimal, asset }, context) => {
    const units = readUnits(asset, decimal)
    if (units !== undefined && units > 0n) return { asset, units }
    context.addIssue('must be above 0 and within the bounds and digits of the asset')
    return z.NEVER
  })

export const dollars = z.string().transform((decimal, context) => {
  const cents = readUnits('USD', decimal)
  if (cents !== undefined) return cents
  context.addIssue('must be dollars within bounds, with at most two decimals')
  return z.NEVER
})

/** A vendor's clock may be ahead by this. */
const CLOCK_SKEW_MS = MINUTE_MS

export function isAhead(at: Date, realNow: Date): boolean {
  return at > addMs(realNow, CLOCK_SKEW_MS)
}

export const instant = z.string().transform((text, context) => {
  const at = parseTimestamp(text)
  if (at) return at
  context.addIssue('must be ISO 8601 in UTC')
  return z.NEVER
})

const returned = z.object({
  amount,
  code: z.string().regex(CODE),
  returned_at: instant,
})
