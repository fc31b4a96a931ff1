import { createHash } from 'node:crypto'
import type { Client } from './session.ts'

const MAX_STATEMENTS = 500

export type NamedText = { name: string; text: string }

/** The names under which the connections of a pool prepare their statements. Where a plan is stale, each
 * statement gets another name, and another text: PgBouncer prepares equal texts once, whatever their names. */
export class StatementNames {
  readonly #named = new Map<string, NamedText>()
  readonly #prepared = new WeakMap<Client, Set<string>>()
  #renewals = 0

  /** Undefined: there are too many, so this one is planned at each execution. */
  find(text: string): NamedText | undefined {
    const known = this.#named.get(text)
    if (known !== undefined || this.#named.size >= MAX_STATEMENTS) return known
    const sent = this.#renewals === 0 ? text : `/* renewed ${this.#renewals} */ ${text}`
    const name = createHash('sha256').update(sent).digest('base64url').slice(0, 16)
    const named = { name, text: sent }
    this.#named.set(text, named)
    return named
  }

  notePrepared(client: Client, name: string): void {
    const names = this.#prepared.get(client)
    if (names) names.add(name)
    else this.#prepared.set(client, new Set([name]))
  }

  isPrepared(client: Client, name: string): boolean {
    return this.#prepared.get(client)?.has(name) === true
  }

  /** Does nothing if they were renewed since `name` was given. */
  renew(name: string): void {
    if (![...this.#named.values()].some((named) => named.name === name)) return
    this.#named.clear()
    this.#renewals += 1
  }
}
