import type { Client } from './session.ts'

/** Keeps what the connections of a pool show about the server: which of them may have lost it without a reset, and
 * since when it has answered none. */
export class AnswerWatch {
  readonly #open = new Set<Client>()
  readonly #suspects = new WeakSet<Client>()
  #unanswered = 0
  #since = 0

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
    if (this.#unanswered === 0) this.#since = performance.now()
    this.#unanswered += 1
  }

  noteAnswer(client: Client): void {
    this.#unanswered -= 1
    this.#since = performance.now()
    this.#suspects.delete(client)
  }

  noteLost({ isSilent }: { isSilent: boolean }): void {
    this.#unanswered -= 1
    if (isSilent) for (const client of this.#open) this.#suspects.add(client)
  }

  /** How long nothing was answered of what was sent; 0 if nothing waits for an answer. */
  get silentMs(): number {
    return this.#unanswered === 0 ? 0 : performance.now() - this.#since
  }
}
