import type { CompiledQuery, QueryResult } from 'kysely'
import { PooledConnection } from './pooled-driver.ts'
import type { Session } from './session.ts'

/** More would keep the other processors of the database from a part of them. */
const MAX_TOGETHER = 8

type Shared = { connection: Promise<PooledConnection>; users: number }

/** Statements under one name that come until the first of them has a connection share it, and a packet. Each
 * is a transaction of its own and fails alone. None may wait for a lock, or those behind it wait too. */
export class SharedSessions {
  readonly #open: () => Promise<Session>
  readonly #deadlineMs: number
  readonly #waiting = new Map<string, Shared>()

  constructor(open: () => Promise<Session>, deadlineMs: number) {
    this.#open = open
    this.#deadlineMs = deadlineMs
  }

  async run<Row>(name: string, statement: CompiledQuery<Row>): Promise<QueryResult<Row>> {
    const shared = this.#join(name)
    const connection = await shared.connection
    try {
      return await connection.executeQuery<Row>(statement)
    } finally {
      shared.users -= 1
      if (shared.users === 0) await connection.release()
    }
  }

  #join(name: string): Shared {
    const known = this.#waiting.get(name)
    const shared = known ?? this.#begin(name)
    shared.users += 1
    if (shared.users === MAX_TOGETHER) this.#depart(name, shared)
    return shared
  }

  #begin(name: string): Shared {
    const connection = this.#open()
      .then((session) => new PooledConnection(session, this.#deadlineMs))
      .finally(() => this.#depart(name, shared))
    const shared: Shared = { connection, users: 0 }
    this.#waiting.set(name, shared)
    return shared
  }

  #depart(name: string, shared: Shared): void {
    if (this.#waiting.get(name) === shared) this.#waiting.delete(name)
  }
}
