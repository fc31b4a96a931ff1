import { hash } from 'node:crypto'
import sodium from 'sodium-native'

export const EMPTY_BODY_HASH = hash('sha256', '', 'hex')

export type SignedRequest = {
  keyId: string
  timestamp: string
  method: string
  target: string
  idempotencyKey: string
  /** Lower-case hex SHA-256 of the raw body. */
  bodyHash: string
}

/** Seven lines, no trailing newline. */
export function stringToSign(request: SignedRequest): string {
  return `SVC-ED25519-V1\n${request.keyId}\n${request.timestamp}\n${request.method}\n${request.target}\n${request.idempotencyKey}\n${request.bodyHash}`
}

const SIGNATURE = /^[A-Za-z0-9+/]{85}[AQgw]==$/

export function parseSignature(text: string): Buffer | undefined {
  return SIGNATURE.test(text) ? Buffer.from(text, 'base64') : undefined
}

/** Strict Ed25519: RFC 8032, S < L, no small-order points. */
export function verifySignature(text: string, signature: Buffer, publicKey: Buffer): boolean {
  return sodium.crypto_sign_verify_detached(signature, Buffer.from(text), publicKey)
}

const VECTORS = [
  [
    'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a',
    '',
    'e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b',
  ],
  [
    '3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c',
    '72',
    '92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00',
  ],
  [
    'fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025',
    'af82',
    '6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a',
  ],
] as const

/** Runs the RFC 8032 vectors, also with a bit flipped. Throws: a broken build must not start. */
export function assertVerifierWorks(): void {
  for (const [publicKey, message, signature] of VECTORS) {
    const key = Buffer.from(publicKey, 'hex')
    const text = Buffer.from(message, 'hex')
    const genuine = Buffer.from(signature, 'hex')
    const forged = Buffer.from(genuine)
    forged.writeUInt8(forged.readUInt8(0) ^ 1, 0)
    const isSound =
      sodium.crypto_sign_verify_detached(genuine, text, key) &&
      !sodium.crypto_sign_verify_detached(forged, text, key)
    if (!isSound) throw new Error('the Ed25519 verifier fails the vectors of RFC 8032')
  }
}
