import { randomBytes } from 'node:crypto'
import { getPublicKeyAsync, Point, signAsync, verifyAsync } from '@noble/ed25519'
import { expect, test } from 'vitest'
import {
  assertVerifierWorks,
  parseSignature,
  verifySignature,
} from '../../../src/domain/auth/verify-signature.ts'

test('the verifier passes its own check against published vectors', () => {
  expect(assertVerifierWorks).not.toThrow()
})

test('a second implementation agrees on random messages, whole and with any one bit flipped', async () => {
  for (let round = 0; round < 60; round += 1) {
    const secret = randomBytes(32)
    const publicKey = Buffer.from(await getPublicKeyAsync(secret))
    const text = randomBytes(round * 7).toString('latin1')
    const signature = Buffer.from(await signAsync(Buffer.from(text), secret))
    expect(verifySignature(text, signature, publicKey)).toBe(true)

    const forged = Buffer.from(signature)
    const bit = round * 8 + (round % 8)
    const at = (bit >> 3) % 64
    forged.writeUInt8(forged.readUInt8(at) ^ (1 << (bit & 7)), at)
    const opinion = await verifyAsync(forged, Buffer.from(text), publicKey, { zip215: false })
    expect(verifySignature(text, forged, publicKey)).toBe(false)
    expect(opinion).toBe(false)
  }
})

test('no signature verifies under a point of small order', () => {
  for (const point of smallOrderPoints()) {
    const publicKey = Buffer.from(point.toBytes())
    const identityAndZero = Buffer.concat([Buffer.from(Point.ZERO.toBytes()), Buffer.alloc(32)])
    expect(verifySignature('anything', identityAndZero, publicKey)).toBe(false)
    expect(verifySignature('anything', Buffer.alloc(64), publicKey)).toBe(false)
  }
})

test('each signature has one valid spelling in base64', () => {
  const bytes = randomBytes(64)
  const text = bytes.toString('base64')
  expect(parseSignature(text)).toEqual(bytes)
  for (const other of [
    text.slice(0, -2),
    `${text} `,
    ` ${text}`,
    `${text}\n`,
    bytes.toString('hex'),
  ]) {
    expect(parseSignature(other)).toBeUndefined()
  }
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
  const spellings = [...alphabet].filter((last) => {
    const spelt = `${text.slice(0, 85)}${last}==`
    return Buffer.from(spelt, 'base64').equals(bytes) && parseSignature(spelt)
  })
  expect(spellings).toHaveLength(1)
})

/** The eight multiples of a point of order eight. */
function smallOrderPoints(): Point[] {
  const generator = Point.fromHex(
    'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
  )
  return Array.from({ length: 7 }, (_, at) => generator.multiply(BigInt(at + 1), false)).concat(
    Point.ZERO,
  )
}
