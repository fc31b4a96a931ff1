import { createHmac, randomBytes } from 'node:crypto'
import { Refusal } from './errors.ts'
import { createSealer, DecryptionError, type SealedText, type Sealer } from './sealing.ts'

export type BorrowerRef = { tenantId: string; borrowerId: string }

/** The subject of a text. A sealed text of one kind cannot be put in the place of another kind. */
export type PersonalKind =
  | 'name'
  | 'email'
  | 'ip_address'
  | 'destination'
  | 'reference'
  | 'note'
  | 'answer'

/** Seals and opens the texts of one borrower. Equal texts of one kind are sealed alike, so that columns can
 * be compared and kept unique. */
export type TextKey = {
  isErased: boolean
  /** Refuses `borrower_erased`. */
  seal(text: string, kind: PersonalKind): SealedText
  /** Undefined where the key is destroyed. */
  open(stored: SealedText, kind: PersonalKind): string | undefined
  /** In the form of a sealed text, always as short, to be compared and never opened. Refuses `borrower_erased`. */
  digest(text: string): SealedText
}

/** The id of every borrower's key, with which each sealed text begins. The checks of the tables have it. */
const KEY_ID = 'person'

const KEY_BYTES = 32
const IV_BYTES = 12

/** Binds a sealed key to its borrower. */
export const borrowerKeyContext = ({ tenantId, borrowerId }: BorrowerRef) =>
  `borrower-key/${tenantId}/${borrowerId}`

/** Returns the text as the database stores it. */
export const sealedText = (stored: SealedText): string => stored as unknown as string

const isSealed = (text: string) => text.startsWith(`${KEY_ID}.`)

/** Text that the caller knows to be sealed, or to be about no borrower. */
export const asSealed = (text: string): SealedText => text as unknown as SealedText

/** A new key, sealed by the stack's. */
export function makeBorrowerKey(stack: Sealer, borrower: BorrowerRef): string {
  return stack.seal(randomBytes(KEY_BYTES).toString('base64'), borrowerKeyContext(borrower))
}

/** `sealedKey` null: it is destroyed; undefined: none was made yet. Throws `DecryptionError`. */
export function openBorrowerKey(
  stack: Sealer,
  borrower: BorrowerRef,
  sealedKey: string | null | undefined,
): TextKey {
  if (sealedKey === null) return ERASED
  if (sealedKey === undefined) return NONE_YET
  const bytes = Buffer.from(stack.open(sealedKey, borrowerKeyContext(borrower)), 'base64')
  const ivKey = digestWith(bytes, 'iv of personal text')
  const digestKey = digestWith(bytes, 'digest of personal text')
  // A length first, so that kind and text cannot run together.
  const makeIv = (text: string, kind: string) =>
    digestWith(ivKey, `${kind.length} ${kind} ${text}`).subarray(0, IV_BYTES)
  const sealer = createSealer([{ id: KEY_ID, bytes }], makeIv)
  return {
    isErased: false,
    digest: (text) => asSealed(`${KEY_ID}.${digestWith(digestKey, text).toString('base64')}`),
    seal: (text, kind) => asSealed(sealer.seal(text, kind)),
    open(stored, kind) {
      const text = sealedText(stored)
      // A row that the migration has yet to seal.
      return isSealed(text) ? sealer.open(text, kind) : text
    },
  }
}

const digestWith = (key: Buffer, text: string) => createHmac('sha256', key).update(text).digest()

/** A borrower whom the migration has yet to give a key: its texts are not sealed. */
const NONE_YET: TextKey = {
  isErased: false,
  seal() {
    throw new Error('the borrower has no key')
  },
  digest() {
    throw new Error('the borrower has no key')
  },
  open(stored) {
    const text = sealedText(stored)
    if (isSealed(text)) throw new Error('the borrower of a sealed text has no key')
    return text
  },
}

/** Seals as `seal` does, but returns a text unchanged if this key has already sealed it. */
export function sealOnce(key: TextKey, text: string, kind: PersonalKind): string {
  if (isSealed(text) && opens(key, text, kind)) return text
  return sealedText(key.seal(text, kind))
}

/** Digests as `digest` does, but returns a text unchanged if it already has the form of a digest: base64 of
 * 32 bytes. No text in lower case has that form. */
export function digestOnce(key: TextKey, text: string): string {
  const isDigest =
    /^person\.[A-Za-z0-9+/]{43}=$/.test(text) && /[A-Z]/.test(text.slice(KEY_ID.length))
  return isDigest ? text : sealedText(key.digest(text))
}

function opens(key: TextKey, text: string, kind: PersonalKind): boolean {
  try {
    return key.open(asSealed(text), kind) !== undefined
  } catch (error) {
    if (error instanceof DecryptionError) return false
    throw error
  }
}

export function borrowerErased(): Refusal {
  return new Refusal('borrower_erased', 'The personal data of this borrower is erased.')
}

const ERASED: TextKey = {
  isErased: true,
  seal() {
    throw borrowerErased()
  },
  digest() {
    throw borrowerErased()
  },
  open: (stored) => (isSealed(sealedText(stored)) ? undefined : sealedText(stored)),
}
