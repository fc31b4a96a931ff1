import type { Kysely } from 'kysely'
import type { Tables } from './schema/tables.ts'

type Db = Kysely<Tables>

/** What a module keeps of each transaction. It is on the transaction itself and goes with it. A WeakMap that is
 * old would hold each value that refers to its key until V8 collects all old objects. */
export class TransactionNotes<Note> {
  readonly #key = Symbol('note')

  /** Undefined also where `db` is no transaction. */
  get(db: Db): Note | undefined {
    return (db as Noted<Note>)[this.#key]
  }

  set(tx: Db, note: Note): void {
    ;(tx as Noted<Note>)[this.#key] = note
  }
}

type Noted<Note> = Db & { [key: symbol]: Note | undefined }
