import { errors } from 'undici'
import type { DeliveryError } from '../../domain/webhooks/webhook-sender.ts'

/** Ends an attempt, or a connection on its way, in the terms of the port. */
export class DeliveryFailure extends Error {
  readonly reason: DeliveryError

  constructor(reason: DeliveryError, cause?: unknown) {
    super(reason, { cause })
    this.reason = reason
  }
}

/** Why no connection was made. Over TLS, what is not TCP's failure is the handshake's. */
export function connectReason(error: Error, protocol: string): DeliveryError {
  if (error instanceof DeliveryFailure) return error.reason
  if (error instanceof errors.ConnectTimeoutError) {
    // With a cause it was the operating system that gave up on the addresses, not our timer.
    return error.cause === undefined ? 'timeout' : 'connect'
  }
  const tcp =
    error instanceof AggregateError || // Of several addresses none could be reached.
    ('syscall' in error && error.syscall === 'connect')
  return tcp || protocol !== 'https:' ? 'connect' : 'tls'
}

/** Why an established connection broke. TLS may refuse even then, say for want of a client certificate. */
export function exchangeReason(error: Error): DeliveryError {
  if (error instanceof DeliveryFailure) return error.reason
  return 'code' in error && /^ERR_(SSL|TLS)_/.test(String(error.code)) ? 'tls' : 'connect'
}
