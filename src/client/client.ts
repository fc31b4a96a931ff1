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
 * A client for one environment, with a method per operation. Methods sign, retry where safe, and
 * throw ProblemError for a refusal or UnreachableError without an answer. `request` calls
 * operations that this version does not know. Throws TypeError for an invalid `baseUrl`.
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
