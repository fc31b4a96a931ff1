import { createMethods } from './methods.ts'
import { type Authenticate, createSender, type TransportOptions } from './request.ts'

/** The browser's cookie proves the sender. */
export const bySession: Authenticate = async ({ idempotencyKey }) =>
  idempotencyKey === undefined ? {} : { 'Idempotency-Key': idempotencyKey }

/** The operations of createClient for a signed-in person, at the console's addresses. */
export function createSessionClient(options: TransportOptions) {
  return createMethods(createSender(options, bySession))
}
