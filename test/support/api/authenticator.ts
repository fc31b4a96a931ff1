import { generateKeyPairSync, hash, type KeyObject, randomBytes, sign } from 'node:crypto'

/** What a page would pass to `navigator.credentials`. */
type CreationOptions = { challenge: string; user: { id: string }; rp: { id?: string } }
type RequestOptions = { challenge: string; rpId?: string }

/** How an answer is made wrong. */
export type Fault = {
  origin?: string
  rpId?: string
  /** The user was present and not verified. */
  isUnverified?: true
  /** As a copy of the passkey would answer. */
  counter?: number
  challenge?: string
  userHandle?: string
}

/** A passkey in software: P-256, attestation "none", counting its uses. */
export function createAuthenticator(origin: string, { idBytes = 32 } = {}) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const id = randomBytes(idBytes)
  // No browser names an empty or a longer one.
  const idText = id.subarray(0, 1_023).toString('base64url') || 'AA'
  let counter = 0
  let handle = ''
  let rpId = ''

  const clientData = (type: string, challenge: string, fault: Fault) =>
    Buffer.from(
      JSON.stringify({
        ...{ type, challenge: fault.challenge ?? challenge },
        ...{ origin: fault.origin ?? origin, crossOrigin: false },
      }),
    )
  const authenticatorData = (fault: Fault, isNew: boolean) => {
    const flags = 0x01 | (fault.isUnverified ? 0 : 0x04) | (isNew ? 0x40 : 0)
    const count = Buffer.alloc(4)
    count.writeUInt32BE(fault.counter ?? counter)
    const hashed = hash('sha256', fault.rpId ?? rpId, 'buffer')
    return Buffer.concat([hashed, Buffer.from([flags]), count])
  }
  const credential = (response: Record<string, unknown>) => ({
    ...{ id: idText, rawId: idText, type: 'public-key' },
    ...{ clientExtensionResults: {}, authenticatorAttachment: 'platform', response },
  })

  return {
    create(options: CreationOptions, fault: Fault = {}) {
      handle = options.user.id
      rpId = options.rp.id ?? ''
      const client = clientData('webauthn.create', options.challenge, fault)
      const length = Buffer.alloc(2)
      length.writeUInt16BE(id.length)
      const attested = Buffer.concat([Buffer.alloc(16), length, id, coseKeyOf(publicKey)])
      const data = Buffer.concat([authenticatorData(fault, true), attested])
      return credential({
        clientDataJSON: client.toString('base64url'),
        attestationObject: attestationOf(data).toString('base64url'),
        transports: ['internal'],
      })
    },
    get(options: RequestOptions, fault: Fault = {}) {
      counter += 1
      const client = clientData('webauthn.get', options.challenge, fault)
      const data = authenticatorData(fault, false)
      const signed = Buffer.concat([data, hash('sha256', client, 'buffer')])
      return credential({
        clientDataJSON: client.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: sign('sha256', signed, privateKey).toString('base64url'),
        userHandle: fault.userHandle ?? handle,
      })
    },
  }
}

/** CBOR by hand: {1: 2, 3: -7, -1: 1, -2: x, -3: y}. */
function coseKeyOf(publicKey: KeyObject): Buffer {
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const coordinate = (text: string) =>
    Buffer.concat([Buffer.from([0x58, 32]), Buffer.from(text, 'base64url')])
  return Buffer.concat([
    Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21]),
    coordinate(x),
    Buffer.from([0x22]),
    coordinate(y),
  ])
}

/** {"fmt": "none", "attStmt": {}, "authData": data} */
function attestationOf(data: Buffer): Buffer {
  const length = Buffer.alloc(2)
  length.writeUInt16BE(data.length)
  return Buffer.concat([
    Buffer.from([0xa3, 0x63]),
    Buffer.from('fmt'),
    Buffer.from([0x64]),
    Buffer.from('none'),
    Buffer.from([0x67]),
    Buffer.from('attStmt'),
    Buffer.from([0xa0, 0x68]),
    Buffer.from('authData'),
    Buffer.from([0x59]),
    length,
    data,
  ])
}
