import type { Client } from './session.ts'

/** Keeps what the connections of a pool show about the server: which of them may have lost it without a reset, and
 * since when it has answered none. */
export class AnswerWatch {
  readonly #open = new Set<Client>()
  readonly #suspects = new WeakSet<Client>()
  #unanswered = 0
  /** When the first statement was sent that the server has left without an answer, and no other since. */
  #silentFrom: number | undefined

  noteOpened(client: Client): void {
    this.#open.add(client)
  }

  noteClosed(client: Client): void {
    this.#open.delete(client)
  }

  /** One that has not answered since another met its deadline. */
  isSuspect(client: Client): boolean {
    return this.#suspects.has(client)
  }

  noteSent(): void {
    this.#silentFrom ??= performance.now()
    this.#unanswered += 1
  }

  noteAnswer(client: Client): void {
    this.#unanswered -= 1
    this.#silentFrom = this.#unanswered === 0 ? undefined : performance.now()
    this.#suspects.delete(client)
  }

  /** `isSilent`: it was given up at its deadline. Otherwise its connection has ended, maybe because of another
   * statement that was given up. */
  noteLost(client: Client, { isSilent }: { isSilent: boolean }): void {
    this.#unanswered -= 1
    if (isSilent) for (const each of [client, ...this.#open]) this.#suspects.add(each)
    else if (this.#unanswered === 0 && !this.isSuspect(client)) this.#silentFrom = undefined
  }

  /** How long nothing was answered of what was sent; 0 once it has answered. */
  get silentMs(): number {
    return this.#silentFrom === undefined ? 0 : performance.now() - this.#silentFrom
  }
}
