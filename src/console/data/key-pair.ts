export type KeyPair = { publicKeyPem: string; privateKeyPem: string }

/** The DER of Ed25519 keys up to their 32 bytes (RFC 8410). */
const PKCS8_HEADER = '302e020100300506032b657004220420'
const SPKI_HEADER = '302a300506032b6570032100'

/** Made in this page; only the public half is ever sent. */
export async function makeKeyPair(): Promise<KeyPair> {
  const { privateKey, publicKey } = await makeByWebCrypto().catch(makeByNoble)
  return {
    privateKeyPem: toPem('PRIVATE KEY', privateKey),
    publicKeyPem: toPem('PUBLIC KEY', publicKey),
  }
}

async function makeByWebCrypto() {
  const pair = (await crypto.subtle.generateKey('Ed25519', true, [
    'sign',
    'verify',
  ])) as CryptoKeyPair
  return {
    privateKey: new Uint8Array(await crypto.subtle.exportKey('pkcs8', pair.privateKey)),
    publicKey: new Uint8Array(await crypto.subtle.exportKey('spki', pair.publicKey)),
  }
}

/** For browsers whose WebCrypto has no Ed25519. */
async function makeByNoble() {
  const { keygenAsync } = await import('@noble/ed25519')
  const { secretKey, publicKey } = await keygenAsync()
  return {
    privateKey: join(PKCS8_HEADER, secretKey),
    publicKey: join(SPKI_HEADER, publicKey),
  }
}

function join(header: string, key: Uint8Array): Uint8Array {
  return new Uint8Array([
    ...(header.match(/../g) ?? []).map((byte) => Number.parseInt(byte, 16)),
    ...key,
  ])
}

function toPem(label: string, der: Uint8Array): string {
  const text = btoa(String.fromCharCode(...der))
  return `-----BEGIN ${label}-----\n${text}\n-----END ${label}-----\n`
}
