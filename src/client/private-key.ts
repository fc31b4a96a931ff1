import { signAsync } from '@noble/ed25519'

/** A PKCS#8 PEM, the 32 secret bytes, or a WebCrypto key (which may be non-extractable). */
export type PrivateKey = string | Uint8Array | CryptoKey

/** Returns the 64-byte Ed25519 signature (RFC 8032). */
export type Signer = (message: Uint8Array<ArrayBuffer>) => Promise<Uint8Array>

/** The DER of an Ed25519 PKCS#8 key up to its 32 secret bytes (RFC 8410). */
const pkcs8Header = Uint8Array.from([
  0x30, 0x2e, 0x02, 0x01, 0x00, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x04, 0x22, 0x04, 0x20,
])

/** Uses `@noble/ed25519` where WebCrypto lacks Ed25519. Throws TypeError for other keys. */
export async function createSigner(key: PrivateKey): Promise<Signer> {
  if (typeof key !== 'string' && !(key instanceof Uint8Array)) return signWithWebCrypto(key)
  const secret = typeof key === 'string' ? readPem(key) : key
  if (secret.length !== 32) throw new TypeError('An Ed25519 private key has 32 secret bytes.')
  const imported = await importSecret(secret)
  return imported ? signWithWebCrypto(imported) : (message) => signAsync(message, secret)
}

function signWithWebCrypto(key: CryptoKey): Signer {
  return async (message) => new Uint8Array(await crypto.subtle.sign('Ed25519', key, message))
}

/** Undefined where this runtime's WebCrypto lacks Ed25519. */
async function importSecret(secret: Uint8Array): Promise<CryptoKey | undefined> {
  const pkcs8 = new Uint8Array([...pkcs8Header, ...secret])
  try {
    return await crypto.subtle.importKey('pkcs8', pkcs8, 'Ed25519', false, ['sign'])
  } catch (error) {
    if (error instanceof DOMException && error.name === 'NotSupportedError') return undefined
    throw error
  }
}

function readPem(pem: string): Uint8Array {
  const body = /-----BEGIN PRIVATE KEY-----([A-Za-z0-9+/\s]+={0,2}\s*)-----END/.exec(pem)?.[1] ?? ''
  const text = body.replace(/\s/g, '')
  const der = Uint8Array.from(text.length % 4 === 0 ? atob(text) : '', (c) => c.charCodeAt(0))
  const isEd25519 = der.length === 48 && pkcs8Header.every((byte, at) => der[at] === byte)
  if (!isEd25519) throw new TypeError('The private key is not an Ed25519 key in PKCS#8 PEM form.')
  return der.subarray(pkcs8Header.length)
}
