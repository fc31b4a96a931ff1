import { z } from 'zod'

/** Names that one request asks for. */
export const MOST_NAMES = 50

const idText = z.string().regex(/^([a-z]{3}_[0-9a-z]{26}\/)?[a-z]{3}_[0-9a-z]{26}$/)

/** Ids, separated by commas; of an operator `ten_…` or `ten_…/fac_…`. */
export const namedIds = z
  .string()
  .max(4_000)
  .transform((text) => text.split(','))
  .pipe(z.array(idText).max(MOST_NAMES))
  .optional()

export const namesSchema = z.strictObject({
  items: z.array(z.strictObject({ id: z.string(), name: z.string() })),
})
