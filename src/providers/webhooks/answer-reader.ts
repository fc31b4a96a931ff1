import type { Dispatcher } from 'undici'
import { DeliveryFailure, exchangeReason } from './delivery-failure.ts'

/** As received; nothing is decompressed. */
const MAX_BODY_BYTES = 16 * 1024
const EXCERPT_BYTES = 1024

/** `excerpt` is the first 1 KiB; `retryAfter` the header as received, of a 429 or 503. */
export type Answer = {
  status: number
  excerpt: Buffer
  retryAfter: string | readonly string[] | undefined
}

/** Settles once. */
export class AnswerReader implements Dispatcher.DispatchHandler {
  readonly #settle: (result: Answer | DeliveryFailure) => void
  #controller: Dispatcher.DispatchController | undefined
  #givenUp: DeliveryFailure | undefined
  #status = 0
  #retryAfter: Answer['retryAfter']
  #received = 0
  #excerpt = Buffer.alloc(0)

  constructor(settle: (result: Answer | DeliveryFailure) => void) {
    this.#settle = settle
  }

  /** Closes the connection, also one that opens later. */
  giveUp(failure: DeliveryFailure): void {
    this.#givenUp = failure
    this.#end(failure)
    this.#controller?.abort(failure)
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    if (this.#givenUp !== undefined) controller.abort(this.#givenUp)
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: { [name: string]: string | string[] | undefined },
  ): void {
    if (status < 200) return // Informational: the answer is still to come.
    this.#status = status
    if (status === 429 || status === 503) this.#retryAfter = headers['retry-after']
    if (isSuccess(status) && Number(headers['content-length']) > MAX_BODY_BYTES) this.#refuseBody()
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#received += chunk.length
    const room = EXCERPT_BYTES - this.#excerpt.length
    if (room > 0) this.#excerpt = Buffer.concat([this.#excerpt, chunk.subarray(0, room)])
    if (this.#received > MAX_BODY_BYTES) this.#refuseBody()
  }

  onResponseEnd(): void {
    this.#settle(this.#answer())
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#end(new DeliveryFailure(exchangeReason(error), error))
  }

  // An acknowledgement needs no more than the limit. Reading on would let the endpoint fill memory;
  // a silent cut would turn a broken answer into a success.
  #refuseBody(): void {
    this.giveUp(new DeliveryFailure('body_too_large'))
  }

  #end(failure: DeliveryFailure): void {
    const failedAlready = this.#status !== 0 && !isSuccess(this.#status)
    this.#settle(failedAlready ? this.#answer() : failure)
  }

  #answer(): Answer {
    return { status: this.#status, excerpt: this.#excerpt, retryAfter: this.#retryAfter }
  }
}

export function isSuccess(status: number): boolean {
  return status >= 200 && status <= 299
}
