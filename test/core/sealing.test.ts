import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { createSealer, DecryptionError } from '../../src/core/sealing.ts'

const OLD = { id: 'k1', bytes: randomBytes(32) }
const NEW = { id: 'k2', bytes: randomBytes(32) }

test('an encrypted text can be decrypted in its own place alone', () => {
  const sealer = createSealer([OLD])
  const sealed = sealer.seal('whsec_ä', 'secrets/ten_1')
  expect(sealed).not.toContain('whsec')
  expect(sealer.open(sealed, 'secrets/ten_1')).toBe('whsec_ä')
  expect(() => sealer.open(sealed, 'secrets/ten_2')).toThrow()
})

test('the same text is encrypted differently each time', () => {
  const sealer = createSealer([OLD])
  expect(sealer.seal('same', 'here')).not.toBe(sealer.seal('same', 'here'))
})

test('after a rotation the previous key still decrypts, and the new one encrypts', () => {
  const sealed = createSealer([OLD]).seal('text', 'here')
  const rotated = createSealer([NEW, OLD])
  expect(rotated.open(sealed, 'here')).toBe('text')
  expect(rotated.seal('text', 'here')).toMatch(/^k2\./)
})

test('without its key a text cannot be decrypted, and the error names the key', () => {
  const sealed = createSealer([OLD]).seal('text', 'here')
  const openWith = (key: typeof NEW) => () => createSealer([key]).open(sealed, 'here')
  expect(openWith(NEW)).toThrow(new DecryptionError('k1', 'unknown'))
  expect(openWith({ ...NEW, id: 'k1' })).toThrow(new DecryptionError('k1', 'unfit'))
  expect(openWith(NEW)).toThrow('no encryption key with id k1 is configured')
  expect(openWith({ ...NEW, id: 'k1' })).toThrow('encryption key k1 does not open what is stored')
})

test('an encrypted text with a byte changed or missing is refused', () => {
  const sealer = createSealer([OLD])
  const sealed = sealer.seal('text', 'here')
  const bytes = Buffer.from(sealed.slice(3), 'base64')
  for (const at of bytes.keys()) {
    const altered = Buffer.from(bytes)
    altered.writeUInt8(altered.readUInt8(at) ^ 1, at)
    expect(() => sealer.open(`k1.${altered.toString('base64')}`, 'here'), `byte ${at}`).toThrow()
    const shorter = bytes.subarray(0, at).toString('base64')
    expect(() => sealer.open(`k1.${shorter}`, 'here'), `${at} bytes`).toThrow()
  }
})
