import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import type { SealingKey } from './sealing.ts'

const TAG_BYTES = 12

/** Page positions that a client can hold and hand back but neither read as ids nor alter. */
export type CursorCodec = {
  /** `position` as an opaque text, valid for this `context` (a list of one tenant) alone. */
  encode(position: string, context: string): string
  /** The position, or undefined for a text that is altered, foreign, or no cursor at all. */
  decode(cursor: string, context: string): string | undefined
}

/**
 * Cursors under an HMAC-SHA256 key derived from the encryption keys: made with the first, accepted
 * with any, so a rotation does not break a client that is paging.
 */
export function createCursorCodec(keys: readonly SealingKey[]): CursorCodec {
  const macKeys = keys.map((key) => Buffer.from(hkdfSync('sha256', key.bytes, '', 'cursor', 32)))
  const [current] = macKeys
  if (!current) throw new Error('a cursor codec needs at least one key')

  const tag = (key: Buffer, position: string, context: string) =>
    createHmac('sha256', key).update(`${context}\n${position}`).digest().subarray(0, TAG_BYTES)

  return {
    encode(position, context) {
      const bytes = Buffer.concat([tag(current, position, context), Buffer.from(position)])
      return bytes.toString('base64url')
    },
    decode(cursor, context) {
      const bytes = Buffer.from(cursor, 'base64url')
      // One spelling only: base64 has spare bits and Node skips characters it does not know.
      if (bytes.length <= TAG_BYTES || bytes.toString('base64url') !== cursor) return undefined
      const position = bytes.subarray(TAG_BYTES).toString('utf8')
      const given = bytes.subarray(0, TAG_BYTES)
      const genuine = macKeys.some((key) => timingSafeEqual(tag(key, position, context), given))
      return genuine ? position : undefined
    },
  }
}
