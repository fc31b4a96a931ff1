import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

const IV_BYTES = 12
const TAG_BYTES = 16

export type SealingKey = { id: string; bytes: Buffer }

declare const sealed: unique symbol

/** Text of a column that holds personal data. Only domain/personal makes and opens it. */
export type SealedText = { readonly [sealed]: true }

/** `unknown`: not configured; `unfit`: another key, text or context. For the operator. */
export class DecryptionError extends Error {
  override readonly name = 'DecryptionError'
  readonly keyId: string

  constructor(keyId: string, why: 'unknown' | 'unfit', cause?: unknown) {
    const message =
      why === 'unknown'
        ? `no encryption key with id ${keyId} is configured`
        : `encryption key ${keyId} does not open what is stored`
    super(message, { cause })
    this.keyId = keyId
  }
}

export type Sealer = {
  keyId: string
  /** `context` binds the sealed text to its place. */
  seal(plaintext: string, context: string): string
  open(sealed: string, context: string): string
}

/** AES-256-GCM under the first key; `<key id>.<base64 of iv, ciphertext, tag>` lets keys rotate. `makeIv`
 * returns 12 bytes, never the same for two that differ. */
export function createSealer(
  keys: readonly SealingKey[],
  makeIv: (plaintext: string, context: string) => Buffer = () => randomBytes(IV_BYTES),
): Sealer {
  const [current] = keys
  if (!current) throw new Error('a sealer needs at least one key')
  const byId = new Map(keys.map((key) => [key.id, key.bytes]))

  return {
    keyId: current.id,
    seal(plaintext, context) {
      const iv = makeIv(plaintext, context)
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

export type Resealed = {
  resealed: number
  failed: number
  failedKeyIds: Set<string>
}

export function reseal(sealer: Sealer, sealed: string, context: string): string | DecryptionError {
  try {
    return sealer.seal(sealer.open(sealed, context), context)
  } catch (error) {
    if (error instanceof DecryptionError) return error
    throw error
  }
}

export const noneResealed = (): Resealed => ({ resealed: 0, failed: 0, failedKeyIds: new Set() })
