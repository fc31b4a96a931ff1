import { createCall } from './call.ts'
import type { RequestOptions, SendRequest } from './request.ts'
import { lendingMethods } from './resources/lending.ts'
import { marginMethods } from './resources/margin.ts'
import { onboardingMethods } from './resources/onboarding.ts'
import { sandboxMethods } from './resources/sandbox.ts'
import { webhookMethods } from './resources/webhooks.ts'

export function createMethods(send: SendRequest) {
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
