import { DecryptionError, type Sealer } from '../../core/sealing.ts'
import { addMs, DAY_MS } from '../../core/time.ts'
import type { Audience, PersonKey } from '../../db/sql/people-tables.ts'

export const CONFIRM_ADDRESS = 'confirm_address'

const VALID_MS = DAY_MS

/** Whose address it is, as it was when it was asked. */
export type ConfirmedAddress = { key: PersonKey; address: string }

/** Sealed and not stored: a mail that is sent twice has two tokens, of which each confirms. Safe in the
 * fragment of a link. Valid for 24 hours. */
export function newConfirmationToken(
  sealer: Sealer,
  { key, address, now }: ConfirmedAddress & { now: Date },
): string {
  const text = JSON.stringify({ key, address, until: addMs(now, VALID_MS).getTime() })
  return sealer
    .seal(text, contextOf(key.audience))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
}

/** Undefined for a token that was not mailed, is of another audience, or is older than 24 hours. */
export function readConfirmationToken(
  sealer: Sealer,
  audience: Audience,
  token: string,
  now: Date,
): ConfirmedAddress | undefined {
  try {
    // Base64 is read in either alphabet.
    const { key, address, until } = JSON.parse(sealer.open(token, contextOf(audience)))
    return now.getTime() < until ? { key, address } : undefined
  } catch (error) {
    if (error instanceof DecryptionError) return undefined
    throw error
  }
}

const contextOf = (audience: Audience) => `${CONFIRM_ADDRESS}/${audience}`
