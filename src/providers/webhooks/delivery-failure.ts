import type { DeliveryError } from '../../domain/webhooks/webhook-sender.ts'
import { NoAnswer } from '../http-pool.ts'

export class DeliveryFailure extends Error {
  readonly reason: DeliveryError

  constructor(reason: DeliveryError, cause?: unknown) {
    super(reason, { cause })
    this.reason = reason
  }
}

export function toDeliveryFailure(error: unknown): DeliveryFailure {
  if (!(error instanceof NoAnswer)) return new DeliveryFailure('connect', error)
  const { cause, phase } = error
  if (cause instanceof DeliveryFailure) return cause
  return new DeliveryFailure(phase === 'tls' ? 'tls' : 'connect', cause)
}
