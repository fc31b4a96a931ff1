import { Point } from '@noble/ed25519'
import { expect, test } from 'vitest'
import {
  formatPublicKey,
  generateKeyPair,
  parsePublicKey,
} from '../../../src/domain/auth/public-key.ts'

const HEADER = '302a300506032b6570032100'

function pemOf(rawHex: string, header = HEADER): string {
  const der = Buffer.from(header + rawHex, 'hex').toString('base64')
  return `-----BEGIN PUBLIC KEY-----\n${der}\n-----END PUBLIC KEY-----\n`
}

const P = 2n ** 255n - 19n
const littleEndian = (value: bigint) =>
  Buffer.from(value.toString(16).padStart(64, '0'), 'hex').reverse().toString('hex')

const ORDER_8 = 'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a'

test('a new key is read as its 32 bytes and printed as it was given', () => {
  const { publicKeyPem } = generateKeyPair()
  const raw = parsePublicKey(publicKeyPem)
  if (typeof raw === 'string') throw new Error(raw)
  expect(raw).toHaveLength(32)
  expect(formatPublicKey(raw)).toBe(publicKeyPem)
})

test.each([
  ['the identity', littleEndian(1n)],
  ['the point of order two', littleEndian(P - 1n)],
  ['a point of order four', littleEndian(0n)],
  ['another point of order four', `${littleEndian(0n).slice(0, 62)}80`],
  ['a point of order eight', ORDER_8],
])('%s is refused', (_name, raw) => {
  expect(parsePublicKey(pemOf(raw))).toMatch(/small order|canonical/)
})

test('a valid key with a part of small order is refused', () => {
  const mixed = Point.BASE.add(Point.fromHex(ORDER_8))
  expect(parsePublicKey(pemOf(mixed.toHex()))).toMatch(/prime-order/)
})

test.each([
  ['a y at the field prime', littleEndian(P)],
  ['a y above the field prime', littleEndian(P + 1n)],
  ['the identity with its sign bit set', `${littleEndian(1n).slice(0, 62)}80`],
  ['all bits set', 'ff'.repeat(32)],
  ['a y off the curve', littleEndian(2n)],
])('a public key is refused for %s', (_name, raw) => {
  expect(parsePublicKey(pemOf(raw))).toMatch(/canonical/)
})

const SOUND = Point.BASE.toHex()
const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
/** The same bytes again: the last character with its two unused bits set. */
const spare = (end: string) => `${BASE64[BASE64.indexOf(end[0] ?? '') + 3]}=\n`
test.each([
  ['nothing', ''],
  ['a private key', generateKeyPair().privateKeyPem],
  ['the 32 bytes alone', SOUND],
  ['a key that is too short', pemOf(SOUND.slice(2))],
  ['a key that is too long', pemOf(`${SOUND}00`)],
  ['an X25519 key', pemOf(SOUND, '302a300506032b656e032100')],
  ['two keys', pemOf(SOUND) + pemOf(SOUND)],
  ['a key without its base64 padding', pemOf(SOUND).replace('=', '')],
  ['a key with a base64 character too many', pemOf(SOUND).replace('=', '=A')],
  ['a key with padding in its middle', pemOf(SOUND).replace('MCow', 'MC=w')],
  ['a key with spare bits set in its base64', pemOf(SOUND).replace(/.=\n/, (end) => spare(end))],
])('%s is no public key', (_name, pem) => {
  expect(typeof parsePublicKey(pem)).toBe('string')
})
