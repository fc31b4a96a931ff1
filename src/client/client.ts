import { createCall } from './call.ts'
import type { PrivateKey } from './private-key.ts'
import { type ConnectionOptions, createSender, type RequestOptions } from './request.ts'
import { lendingMethods } from './resources/lending.ts'
import { marginMethods } from './resources/margin.ts'
import { onboardingMethods } from './resources/onboarding.ts'
import { sandboxMethods } from './resources/sandbox.ts'
import { webhookMethods } from './resources/webhooks.ts'

export type ClientOptions = Omit<ConnectionOptions, 'privateKey'> &
  ({ privateKeyPem: string } | { privateKey: PrivateKey })

export type Client = ReturnType<typeof createClient>

/**
 * A client of the tenant interface for one environment: a method for each operation of the OpenAPI
 * document, under its name. Every method signs its request, repeats it when that is safe and
 * useful, and throws ProblemError when the service refuses it or UnreachableError when no answer
 * came. Throws TypeError at once for a `baseUrl` that is no address. `request` reaches what a newer
 * service has and this client does not.
 */
export function createClient(options: ClientOptions) {
  const privateKey = 'privateKeyPem' in options ? options.privateKeyPem : options.privateKey
  const send = createSender({ ...options, privateKey })
  const call = createCall(send)
  return {
    request: <T = unknown>(method: string, path: string, request?: RequestOptions) =>
      send(method, path, request) as Promise<T>,
    ...onboardingMethods(call),
    ...lendingMethods(call),
    ...marginMethods(call),
    ...webhookMethods(call),
    ...sandboxMethods(call),
  }
}
