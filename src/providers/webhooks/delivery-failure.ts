import { errors } from 'undici'
import type { DeliveryError } from '../../domain/webhooks/webhook-sender.ts'

export class DeliveryFailure extends Error {
  readonly reason: DeliveryError

  constructor(reason: DeliveryError, cause?: unknown) {
    super(reason, { cause })
    this.reason = reason
  }
}

/** Over TLS, a failure that is not TCP's is the handshake's. */
export function connectReason(error: Error, protocol: string): DeliveryError {
  if (error instanceof DeliveryFailure) return error.reason
  if (error instanceof errors.ConnectTimeoutError) {
    // With a cause the operating system gave up, not our timer.
    return error.cause === undefined ? 'timeout' : 'connect'
  }
  const tcp =
    error instanceof AggregateError || // Of several addresses none could be reached.
    ('syscall' in error && error.syscall === 'connect')
  return tcp || protocol !== 'https:' ? 'connect' : 'tls'
}

/** TLS may still refuse, for example without a client certificate. */
export function exchangeReason(error: Error): DeliveryError {
  if (error instanceof DeliveryFailure) return error.reason
  return 'code' in error && /^ERR_(SSL|TLS)_/.test(String(error.code)) ? 'tls' : 'connect'
}
