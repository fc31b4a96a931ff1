import { z } from 'zod'

/** Any text after the prefix: a simulated resource need not exist. */
export const id = (prefix: string) =>
  z
    .string()
    .regex(
      new RegExp(`^${prefix}_[0-9A-Za-z_-]{1,64}$`),
      `Invalid format. Expected an id: ${prefix}_ and up to 64 characters.`,
    )
    .meta({ title: `${prefix}_…` })
export const decimal = z
  .string()
  .regex(
    /^(0|[1-9]\d{0,17})(\.\d{1,18})?$/,
    'Invalid format. Expected a decimal string without sign, exponent or leading zeros.',
  )
  .meta({ title: 'decimal' })
export const usd = z
  .string()
  .regex(/^(0|[1-9]\d{0,17})\.\d{2}$/, 'Invalid format. Expected US dollars with two decimals.')
  .meta({ title: 'dollars' })
export const timestamp = z.iso.datetime().meta({ title: 'timestamp' })
export const count = z.int().min(1)
export const amount = z
  .strictObject({ amount: decimal, asset: z.string().min(1).max(32) })
  .meta({ title: 'amount' })
export const position = z.strictObject({ asset: z.string().min(1).max(32), quantity: decimal })
export const allocation = z
  .strictObject({ interest: amount, principal: amount, refund_due: amount })
  .meta({ title: 'allocation' })
