import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import type { SealingKey } from './sealing.ts'

const TAG_BYTES = 12

export type CursorCodec = {
  /** `context` names one list of one tenant; the cursor is valid only there. */
  encode(position: string, context: string): string
  decode(cursor: string, context: string): string | undefined
}

/** Made with the first key, accepted with any: a rotation does not break a client that pages. */
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
      // One spelling only: base64 has spare bits, and Node skips characters it does not know.
      if (bytes.length <= TAG_BYTES || bytes.toString('base64url') !== cursor) return undefined
      const position = bytes.subarray(TAG_BYTES).toString('utf8')
      const given = bytes.subarray(0, TAG_BYTES)
      const genuine = macKeys.some((key) => timingSafeEqual(tag(key, position, context), given))
      return genuine ? position : undefined
    },
  }
}
