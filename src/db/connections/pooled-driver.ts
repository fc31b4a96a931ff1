import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from 'kysely'
import { isStalePlan } from '../errors.ts'
import { showCallers } from '../transactions/callers.ts'
import type { Session } from './session.ts'

export type OpenSession = () => Promise<Session>

/** For Kysely: each statement is a transaction of its own, on any connection of a pool. */
export function createDialect(openSession: OpenSession, deadlineMs: number): Dialect {
  return {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => createDriver(openSession, deadlineMs),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  }
}

function createDriver(openSession: OpenSession, deadlineMs: number): Driver {
  return {
    init: async () => undefined,
    acquireConnection: async () => new PooledConnection(await openSession(), deadlineMs),
    releaseConnection: (connection) => (connection as PooledConnection).release(),
    beginTransaction: refuseTransaction,
    commitTransaction: refuseTransaction,
    rollbackTransaction: refuseTransaction,
    destroy: async () => undefined,
  }
}

async function refuseTransaction(): Promise<never> {
  throw new Error('a transaction begins with inTransaction')
}

export class PooledConnection implements DatabaseConnection {
  readonly #session: Session
  readonly #deadlineMs: number

  constructor(session: Session, deadlineMs: number) {
    this.#session = session
    this.#deadlineMs = deadlineMs
  }

  async executeQuery<Row>(statement: CompiledQuery): Promise<QueryResult<Row>> {
    try {
      return await this.#session.run<Row>(statement, this.#deadlineMs)
    } catch (error) {
      if (!isStalePlan(error) || this.#session.isInTransaction) {
        throw showCallers(error, this.executeQuery)
      }
      // It has another name by now.
      return await this.#session.run<Row>(statement, this.#deadlineMs)
    }
  }

  streamQuery(): never {
    throw new Error('rows are read in pages')
  }

  async release(): Promise<void> {
    await this.#session.release()
  }
}
