import { createPublicKey, generateKeyPairSync } from 'node:crypto'
import { Point } from '@noble/ed25519'

/** The DER header of an Ed25519 SubjectPublicKeyInfo (RFC 8410); the 32 key bytes follow. */
const SPKI_HEADER = Buffer.from('302a300506032b6570032100', 'hex')

/** 32 raw bytes, or a sentence. Only canonical points of the prime-order group pass: under another
 * point a signature could hold for messages that its owner never signed. */
export function parsePublicKey(pem: string): Buffer | string {
  const der = readSpki(pem)
  if (typeof der === 'string') return der
  const raw = der.subarray(SPKI_HEADER.length)
  try {
    const point = Point.fromBytes(raw, false)
    if (point.isSmallOrder()) return 'the key is a point of small order'
    if (!point.isTorsionFree()) return 'the key is not in the prime-order subgroup'
  } catch {
    return 'the key is not a canonical point on the curve'
  }
  return raw
}

function readSpki(pem: string): Buffer | string {
  if (/PRIVATE KEY/.test(pem)) {
    return 'this is a private key: keep it to yourself and register the public key'
  }
  // Not node:crypto's parser, which accepts other encodings of the same key.
  const match = /^-----BEGIN PUBLIC KEY-----([A-Za-z0-9+/=\s]+)-----END PUBLIC KEY-----\s*$/.exec(
    pem.trimStart(),
  )
  const text = (match?.[1] ?? '').replace(/\s/g, '')
  const der = Buffer.from(text, 'base64')
  // Node reads base64 without padding and skips unknown characters.
  const isCanonical = der.toString('base64') === text
  const hasLength = der.length === SPKI_HEADER.length + 32
  if (!isCanonical || !hasLength || !der.subarray(0, 12).equals(SPKI_HEADER)) {
    return 'expected an Ed25519 public key in SPKI PEM ("-----BEGIN PUBLIC KEY-----")'
  }
  return der
}

export function formatPublicKey(raw: Buffer): string {
  const key = createPublicKey({
    key: Buffer.concat([SPKI_HEADER, raw]),
    format: 'der',
    type: 'spki',
  })
  return key.export({ format: 'pem', type: 'spki' }).toString()
}

export function generateKeyPair(): { privateKeyPem: string; publicKeyPem: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  return {
    privateKeyPem: privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
    publicKeyPem: publicKey.export({ format: 'pem', type: 'spki' }).toString(),
  }
}
