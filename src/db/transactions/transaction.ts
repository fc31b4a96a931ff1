import {
  type CompiledQuery,
  type DatabaseConnection,
  DummyDriver,
  type QueryResult,
  sql,
  Transaction,
} from 'kysely'
import { QUICK_MS, type Session, toDeadline } from '../connections/session.ts'
import type { Database } from '../database.ts'
import { isAftermath, isReadOnly } from '../errors.ts'
import type { Tables } from '../schema/tables.ts'
import type { Wake } from '../wakes.ts'
import { type Collected, sendCollected } from './at-commit.ts'
import { showCallers, withoutCallers } from './callers.ts'
import type { Query } from './execute.ts'

/** Kysely asks for a driver, with which a transaction does nothing. */
const NO_DRIVER = new DummyDriver()

/** The rows are there once the transaction has committed. */
export type Sent<Row> = { readonly rows: readonly Row[] }

/** A transaction. Statements are sent as they are given, without waiting for those before them. */
export class Tx extends Transaction<Tables> {
  readonly root: Database
  /** Sent once it has committed. */
  readonly wakes: Wake[] = []
  readonly collected: Collected[] = []
  readonly #progress: Progress

  constructor(root: Database, progress: Progress) {
    const executor = root.getExecutor().withConnectionProvider({
      provideConnection: (consume) => consume(progress),
    })
    const { dialect } = root
    super({ config: { dialect }, dialect, driver: NO_DRIVER, executor })
    this.root = root
    this.#progress = progress
  }

  /** Sends a statement for which no one waits: COMMIT does, and fails with it. `use` has the rows as
   * soon as they are here, before COMMIT is sent or after; it must not throw. */
  send<Row>(query: Query<Row>, use?: (rows: readonly Row[]) => void): Sent<Row> {
    const sent: { rows: readonly Row[] } = { rows: [] }
    this.#progress.handOver<Row>(query.compile(this), (rows) => {
      sent.rows = rows
      use?.(rows)
    })
    return sent
  }

  /** Waits for what was sent, and fails with it. */
  async settle(): Promise<void> {
    await this.#progress.settle()
  }

  /** How long each of the statements that follow may take. 0: without end. */
  limitStatements(seconds: number): void {
    this.send(sql`SELECT set_config('statement_timeout', ${`${seconds}s`}, true)`)
    this.#progress.deadlineMs = toDeadline(seconds * 1_000)
  }
}

type Failure = { error: unknown }

/** BEGIN is sent with the first statement, and COMMIT without waiting for the statements before it. */
export class Progress implements DatabaseConnection {
  /** The deadline of the statements that follow. 0: none. */
  deadlineMs: number
  readonly #session: Session
  readonly #begin: string
  #hasBegun = false
  #hasEnded = false
  readonly #handedOver: Promise<void>[] = []
  #failureOfHandedOver: Failure | undefined
  /** The first failure: all that fails after it has failed because of it. */
  #failure: Failure | undefined

  constructor(session: Session, begin: string, deadlineMs: number) {
    this.#session = session
    this.#begin = begin
    this.deadlineMs = deadlineMs
  }

  async executeQuery<Row>(statement: CompiledQuery): Promise<QueryResult<Row>> {
    try {
      return await this.#awaitAnswer(this.#sendNow<Row>(statement))
    } catch (error) {
      throw showCallers(error, this.executeQuery)
    }
  }

  streamQuery(): never {
    throw new Error('rows are read in pages')
  }

  handOver<Row>(statement: CompiledQuery, use: (rows: readonly Row[]) => void): void {
    this.#keep(this.#sendNow<Row>(statement), ({ rows }) => use(rows))
  }

  async settle(): Promise<void> {
    await Promise.all(this.#handedOver)
    if (this.#failureOfHandedOver) throw this.#failureOfHandedOver.error
  }

  async commit(): Promise<void> {
    this.#hasEnded = true
    if (!this.#hasBegun) return
    const [commit] = await Promise.allSettled([
      this.#session.command('COMMIT', this.deadlineMs),
      ...this.#handedOver,
    ])
    if (this.#failureOfHandedOver) throw this.#failureOfHandedOver.error
    if (commit.status === 'rejected') throw commit.reason
    // The caller of a statement that failed may have gone on.
    if (commit.value !== 'COMMIT') throw this.#failure?.error ?? new Error(UNDONE)
  }

  /** Nothing, where COMMIT was sent. A server that takes no writes is left without it. */
  async rollBack(): Promise<void> {
    const isOpen = this.#hasBegun && !this.#hasEnded
    this.#hasEnded = true
    if (!isOpen || isReadOnly(this.#failure?.error)) {
      await Promise.all(this.#handedOver)
      return
    }
    const deadlineMs = this.#failure ? QUICK_MS : this.deadlineMs
    // A failure of this closes the connection.
    await Promise.allSettled([this.#session.command('ROLLBACK', deadlineMs), ...this.#handedOver])
  }

  #sendNow<Row>(statement: CompiledQuery): Promise<QueryResult<Row>> {
    if (this.#hasEnded) {
      throw new Error(`the transaction has ended before ${JSON.stringify(statement.sql)}`)
    }
    if (!this.#hasBegun) {
      this.#hasBegun = true
      // Unprepared: what follows a prepared one that has failed would commit by itself.
      this.#keep(this.#session.command(this.#begin, this.deadlineMs))
    }
    return this.#session.run<Row>(statement, this.deadlineMs)
  }

  async #awaitAnswer<T>(answer: Promise<T>): Promise<T> {
    try {
      return await answer
    } catch (error) {
      this.#failure ??= { error }
      throw isAftermath(error) ? this.#failure.error : error
    }
  }

  #keep<T>(answer: Promise<T>, use?: (answer: T) => void): void {
    const settled = this.#awaitAnswer(answer)
      .then(use)
      .catch((error: unknown) => {
        this.#failureOfHandedOver ??= { error: withoutCallers(error) }
      })
    this.#handedOver.push(settled)
  }
}

const UNDONE = 'the transaction was rolled back, because one of its statements had failed'

/** Runs `run` once, and commits where it resolves. `begin`: the command with which it begins. */
export async function transact<T>(
  root: Database,
  session: Session,
  { begin = 'BEGIN' }: { begin?: string },
  run: (tx: Tx) => Promise<T>,
): Promise<T> {
  const progress = new Progress(session, begin, root.deadlineMs)
  try {
    const tx = new Tx(root, progress)
    const result = await run(tx)
    sendCollected(tx)
    await progress.commit()
    return result
  } catch (error) {
    await progress.rollBack()
    throw error
  } finally {
    await session.release()
  }
}
