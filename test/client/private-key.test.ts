import { generateKeyPairSync, webcrypto } from 'node:crypto'
import { verifyAsync } from '@noble/ed25519'
import { afterEach, expect, test, vi } from 'vitest'
import { createSigner } from '../../src/client/private-key.ts'

const { privateKey, publicKey } = generateKeyPairSync('ed25519')
const pem = privateKey.export({ format: 'pem', type: 'pkcs8' }).toString()
const pkcs8 = privateKey.export({ format: 'der', type: 'pkcs8' })
const publicBytes = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32)
const message = new TextEncoder().encode('what is signed')

afterEach(() => vi.restoreAllMocks())

test('a PEM, its 32 bytes and a WebCrypto key make the same signature', async () => {
  const imported = await webcrypto.subtle.importKey('pkcs8', pkcs8, 'Ed25519', false, ['sign'])
  const keys = [pem, pem.replaceAll('\n', '\r\n'), pkcs8.subarray(-32), imported]
  const signatures = await Promise.all(keys.map(async (key) => (await createSigner(key))(message)))
  const [first] = signatures
  expect(first && (await verifyAsync(first, message, publicBytes, { zip215: false }))).toBe(true)
  for (const signature of signatures) expect(signature).toEqual(first)
})

test('a runtime that has a WebCrypto without Ed25519 can still sign', async () => {
  const expected = await (await createSigner(pem))(message)
  using _spy = vi
    .spyOn(crypto.subtle, 'importKey')
    .mockRejectedValue(new DOMException('Unrecognized algorithm name', 'NotSupportedError'))
  expect(await (await createSigner(pem))(message)).toEqual(expected)
})

test('anything but an Ed25519 private key is refused', async () => {
  const x25519 = generateKeyPairSync('x25519').privateKey.export({ format: 'pem', type: 'pkcs8' })
  const publicPem = publicKey.export({ format: 'pem', type: 'spki' })
  const broken = pem.replace('MC4', 'MC')
  for (const wrong of [
    '',
    'secret',
    broken,
    x25519.toString(),
    publicPem.toString(),
    new Uint8Array(31),
  ]) {
    await expect(createSigner(wrong)).rejects.toThrow(TypeError)
  }
})
