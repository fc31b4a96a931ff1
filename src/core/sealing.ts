import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

const IV_BYTES = 12
const TAG_BYTES = 16

export type SealingKey = { id: string; bytes: Buffer }

/**
 * A text that no configured key opens: its key is `unknown` to this process, or the one of its id is
 * another than it was sealed with, or for another place (`unfit`). The message is for the operator.
 */
export class DecryptionError extends Error {
  override readonly name = 'DecryptionError'
  /** The key that it was sealed with. */
  readonly keyId: string

  constructor(keyId: string, why: 'unknown' | 'unfit', cause?: unknown) {
    const told =
      why === 'unknown'
        ? `no encryption key with id ${keyId} is configured`
        : `encryption key ${keyId} does not open what is stored`
    super(told, { cause })
    this.keyId = keyId
  }
}

/** Encrypts secrets at rest, so that a copy of the database alone tells nothing. */
export type Sealer = {
  /** The id of the current key, with which every sealed text begins that it has sealed. */
  keyId: string
  /** Seals with the current key. `context` binds the result to its place: see `open`. */
  seal(plaintext: string, context: string): string
  /**
   * Opens what `seal` made with any key still configured. Throws DecryptionError when the key is gone, the
   * text was altered, or it was sealed for another context.
   */
  open(sealed: string, context: string): string
}

/**
 * AES-256-GCM under the first of `keys`; the others only open. The sealed text is
 * `<key id>.<base64 of iv, ciphertext and tag>`, so keys can be rotated one by one.
 */
export function createSealer(keys: readonly SealingKey[]): Sealer {
  const [current] = keys
  if (!current) throw new Error('a sealer needs at least one key')
  const byId = new Map(keys.map((key) => [key.id, key.bytes]))

  return {
    keyId: current.id,
    seal(plaintext, context) {
      const iv = randomBytes(IV_BYTES)
      const cipher = createCipheriv('aes-256-gcm', current.bytes, iv)
      cipher.setAAD(Buffer.from(context))
      const body = Buffer.concat([iv, cipher.update(plaintext, 'utf8'), cipher.final()])
      return `${current.id}.${Buffer.concat([body, cipher.getAuthTag()]).toString('base64')}`
    },
    open(sealed, context) {
      const keyId = keyIdOf(sealed)
      const key = byId.get(keyId)
      if (!key) throw new DecryptionError(keyId, 'unknown')
      try {
        return decrypt(sealed.slice(keyId.length + 1), key, context)
      } catch (error) {
        throw new DecryptionError(keyId, 'unfit', error)
      }
    },
  }
}

const keyIdOf = (sealed: string) => sealed.slice(0, Math.max(0, sealed.indexOf('.')))

function decrypt(text: string, key: Buffer, context: string): string {
  const bytes = Buffer.from(text, 'base64')
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, IV_BYTES), {
    authTagLength: TAG_BYTES,
  })
  decipher.setAAD(Buffer.from(context))
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES))
  const body = decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES))
  return Buffer.concat([body, decipher.final()]).toString('utf8')
}

/** What came of sealing a store's texts again: how many were, and how many no configured key opens. */
export type Resealed = {
  resealed: number
  shut: number
  /** The keys that those were sealed with. */
  shutKeyIds: Set<string>
}

/** Seals a text again under the current key; gives the error where no configured key opens it. */
export function reseal(sealer: Sealer, sealed: string, context: string): string | DecryptionError {
  try {
    return sealer.seal(sealer.open(sealed, context), context)
  } catch (error) {
    if (error instanceof DecryptionError) return error
    throw error
  }
}

/** Adds what came of one batch of `rows`, of which the texts of these keys stayed shut. */
export function addBatch(outcome: Resealed, rows: number, shutKeyIds: readonly string[]): void {
  outcome.resealed += rows - shutKeyIds.length
  outcome.shut += shutKeyIds.length
  for (const keyId of shutKeyIds) outcome.shutKeyIds.add(keyId)
}
