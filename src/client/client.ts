import { createMethods } from './methods.ts'
import { createSigner, type PrivateKey } from './private-key.ts'
import { type Authenticate, createSender, type TransportOptions } from './request.ts'
import { signRequest } from './sign-request.ts'

export type ConnectionOptions = TransportOptions & { keyId: string; privateKey: PrivateKey }

export type ClientOptions = Omit<ConnectionOptions, 'privateKey'> &
  ({ privateKeyPem: string } | { privateKey: PrivateKey })

export type Client = ReturnType<typeof createClient>

/**
 * A client for one environment, with a method per operation. Methods sign, retry where safe, and
 * throw ProblemError for a refusal or UnreachableError without an answer. `request` calls
 * operations that this version does not know. Throws TypeError for an invalid `baseUrl`.
 */
export function createClient(options: ClientOptions) {
  const privateKey = 'privateKeyPem' in options ? options.privateKeyPem : options.privateKey
  return createMethods(createSender(options, signWith(options.keyId, privateKey)))
}

function signWith(keyId: string, privateKey: PrivateKey): Authenticate {
  let signer: ReturnType<typeof createSigner> | undefined
  return async (request) => {
    signer ??= createSigner(privateKey)
    return signRequest({ ...request, keyId }, await signer)
  }
}
