import type { CompiledQuery, QueryResult } from 'kysely'
import pg from 'pg'
import { isAftermath, isPastDeadline, isReadOnly, isStalePlan } from '../errors.ts'
import type { AnswerWatch } from './answer-watch.ts'
import type { StatementNames } from './statement-names.ts'

/** `isUnprepared`: its best plan depends on its parameters, so it is planned at each execution. */
export type Statement<Row = unknown> = CompiledQuery<Row> & { isUnprepared?: boolean }

/** The sessions of a pool share it. */
export type Shared = { names: StatementNames; watch: AnswerWatch }

/** Connections of `pg` are of this type; `query_timeout` is missing from its own. */
export type Client = {
  query<Row>(query: ClientQuery): Promise<{ command: string; rowCount: number | null; rows: Row[] }>
  getTransactionStatus(): string | null
  release(destroy?: boolean): void
  /** At once, without a word to the server. */
  destroy(): void
}

type ClientQuery = { name?: string; text: string; values?: unknown[]; query_timeout: number }

/** Above the server's own limit, whose error is the better one. Both 0: none. */
export const toDeadline = (limitMs: number) => (limitMs === 0 ? 0 : limitMs + 3_000)

/** A server that has answered nothing for so long serves no one. */
export const SILENT_MS = 10_000

/** A rollback, or another statement that does nothing, takes milliseconds. */
export const QUICK_MS = 3_000

const CHANGES = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE'])

/** A connection while it is taken from its pool. Each statement is sent in the turn in which it is given,
 * whatever is still to be answered. */
export class Session {
  readonly #client: Client
  readonly #shared: Shared
  /** Only a statement that is answered shows that the server is done with one that has failed. */
  #hasFailed = false
  #isBroken = false
  #isReadOnly = false

  constructor(client: Client, shared: Shared) {
    this.#client = client
    this.#shared = shared
  }

  /** Past the deadline, if it is not 0, the connection is destroyed. Throws, and sends nothing, where a
   * parameter cannot be written. */
  run<Row>(statement: Statement, deadlineMs: number): Promise<QueryResult<Row>> {
    const { sql: text, parameters, isUnprepared } = statement
    const values = parameters.length > 0 ? toValues(parameters) : undefined
    const named = values && !isUnprepared ? this.#shared.names.find(text) : undefined
    return this.#runQuery({
      text,
      ...(values && { values }),
      ...named,
      query_timeout: deadlineMs,
    })
  }

  async #runQuery<Row>(query: ClientQuery): Promise<QueryResult<Row>> {
    const { command, rowCount, rows = [] } = await this.#send<Row>(query)
    return CHANGES.has(command) ? { numAffectedRows: BigInt(rowCount ?? 0), rows } : { rows }
  }

  /** Unprepared, without parameters. Returns the command that the server has carried out. */
  async command(text: string, deadlineMs: number): Promise<string> {
    return (await this.#send({ text, query_timeout: deadlineMs })).command
  }

  /** Writes nothing. A connection to a server that takes no writes is closed when it is released. */
  async takesWrites(): Promise<boolean> {
    const show = { text: 'SHOW transaction_read_only', query_timeout: SILENT_MS }
    const [, { rows }] = await Promise.all([
      this.command('BEGIN', SILENT_MS),
      this.#send<{ transaction_read_only: string }>(show),
    ])
    this.#isReadOnly = rows[0]?.transaction_read_only !== 'off'
    if (!this.#isReadOnly) await this.command('ROLLBACK', SILENT_MS)
    return !this.#isReadOnly
  }

  get isInTransaction(): boolean {
    return this.#client.getTransactionStatus() !== 'I'
  }

  /** The coordinator of a Citus cluster reports that it cancels a statement, and then waits for a node that
   * hangs, without end: no other session gets such a connection. Nor one whose server takes no writes, which
   * is closed within a transaction, so that PgBouncer closes its own too. */
  async release(): Promise<void> {
    if (this.#isReadOnly && !this.isInTransaction) await this.#tryCommand('BEGIN')
    else if (this.#hasFailed && !this.#isReadOnly && !this.#isBroken)
      await this.#tryCommand('SELECT')
    this.#client.release(this.#isBroken || this.#isReadOnly)
  }

  async #tryCommand(text: string): Promise<void> {
    try {
      await this.command(text, QUICK_MS)
    } catch {
      this.#isBroken = true
    }
  }

  async #send<Row>(query: ClientQuery) {
    const { watch, names } = this.#shared
    watch.noteSent()
    try {
      const result = await this.#client.query<Row>(query)
      this.#hasFailed = false
      watch.noteAnswer(this.#client)
      if (query.name) names.notePrepared(this.#client, query.name)
      return result
    } catch (error) {
      const isAnswer = error instanceof pg.DatabaseError
      if (isAnswer) watch.noteAnswer(this.#client)
      else watch.noteLost(this.#client, { isSilent: isPastDeadline(error) })
      if (query.name && !this.#hasFailed && isStalePlan(error)) {
        names.renew(query.name)
      }
      this.#hasFailed = true
      // The transaction had failed, and PostgreSQL prepared nothing. PgBouncer knows the name nonetheless, and
      // would refuse it on this connection for good.
      const isHalfPrepared =
        query.name && isAftermath(error) && !names.isPrepared(this.#client, query.name)
      this.#isBroken ||= !isAnswer || isHalfPrepared === true
      this.#isReadOnly ||= isReadOnly(error)
      throw error
    }
  }
}

/** `pg` closes the statement of a value that it cannot write, and then takes it for prepared: what may
 * fail is done here, before anything is sent. */
function toValues(parameters: readonly unknown[]): unknown[] {
  return parameters.map(toValue)
}

function toValue(value: unknown): unknown {
  if (Array.isArray(value)) return toValues(value)
  const isPlain =
    typeof value === 'object' &&
    value !== null &&
    !(value instanceof Date) &&
    !ArrayBuffer.isView(value)
  return isPlain ? JSON.stringify(value) : value
}
