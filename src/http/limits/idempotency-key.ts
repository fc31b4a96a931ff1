import { Refusal } from '../../core/errors.ts'

export const UUID_PATTERN = '^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$'
const UUID = new RegExp(UUID_PATTERN)

/** Undefined without the header. Refuses `idempotency_key_invalid`. */
export function parseIdempotencyKey(given: string | string[] | undefined): string | undefined {
  if (given === undefined) return undefined
  // An empty header is not an absent one, though both sign as an empty line.
  if (typeof given === 'string' && UUID.test(given)) return given.toLowerCase()
  throw new Refusal('idempotency_key_invalid', 'The Idempotency-Key must be a UUID.')
}
