import { Socket } from 'node:net'

/** Sends all that is written in one turn of the event loop in one packet. Under TLS, which takes the
 * socket over, each statement is a packet of its own. */
export class TurnSocket extends Socket {
  #isHeld = false

  override cork(): void {
    this.#holdForTurn()
    super.cork()
  }

  override write: Socket['write'] = (...given: unknown[]) => {
    this.#holdForTurn()
    return super.write(...(given as Parameters<Socket['write']>))
  }

  #holdForTurn(): void {
    if (this.#isHeld) return
    this.#isHeld = true
    super.cork()
    process.nextTick(() => {
      this.#isHeld = false
      super.uncork()
    })
  }
}
