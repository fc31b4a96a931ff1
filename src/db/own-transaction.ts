import {
  type CompiledQuery,
  type DatabaseConnection,
  DummyDriver,
  type Kysely,
  type PostgresDialect,
  type PostgresPool,
  type PostgresPoolClient,
  type QueryResult,
  Transaction,
} from 'kysely'
import type { Tables } from './schema/tables.ts'
import type { Begins } from './sent-together.ts'
import { TransactionNotes } from './transaction-notes.ts'

type Tx = Transaction<Tables>

/** `db` sends its queries to clients of ours, out of `pool`. `ahead`: the same, before all that wait there. */
export type Source = {
  db: Kysely<Tables>
  dialect: PostgresDialect
  pool: PostgresPool
  ahead: PostgresPool
}

const clients = new TransactionNotes<PostgresPoolClient | undefined>()

/** Of a transaction; undefined: it has ended, or Kysely itself has begun it. */
export function findClient(tx: Kysely<Tables>): PostgresPoolClient | undefined {
  return clients.get(tx)
}

/** As Kysely's own, in READ COMMITTED, with a third of its promises. */
export async function transact<T>(
  source: Source,
  from: 'pool' | 'ahead',
  run: (tx: Tx) => Promise<T>,
): Promise<T> {
  const client = await source[from].connect()
  const connection = new OwnConnection(client)
  const tx = toTransaction(source, connection)
  let isBroken = false
  try {
    ;(client as unknown as Begins).begin()
    clients.set(tx, client)
    const result = await run(tx)
    const { command } = await client.query('commit', [])
    if (command !== 'ROLLBACK') return result
    throw new Error('the transaction was rolled back, because one of its statements had failed')
  } catch (error) {
    isBroken = true
    await client.query('rollback', [])
    isBroken = false
    throw error
  } finally {
    clients.set(tx, undefined)
    connection.end()
    client.release(isBroken)
  }
}

/** Kysely asks for a driver, with which a transaction does nothing. */
const NO_DRIVER = new DummyDriver()

function toTransaction({ db, dialect }: Source, connection: OwnConnection): Tx {
  const executor = db.getExecutor().withConnectionProvider({
    provideConnection: (consume) => consume(connection),
  })
  return new Transaction<Tables>({ config: { dialect }, dialect, driver: NO_DRIVER, executor })
}

const CHANGES = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE'])

/** The client runs what it is given one after the other. */
class OwnConnection implements DatabaseConnection {
  readonly #client: PostgresPoolClient
  #hasEnded = false

  constructor(client: PostgresPoolClient) {
    this.#client = client
  }

  end(): void {
    this.#hasEnded = true
  }

  async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    if (this.#hasEnded) throw new Error(`the transaction has ended before ${JSON.stringify(sql)}`)
    try {
      const { command, rowCount, rows } = await this.#client.query<Row>(sql, parameters)
      return CHANGES.has(command) ? { numAffectedRows: BigInt(rowCount ?? 0), rows } : { rows }
    } catch (error) {
      throw addCallers(error, this.executeQuery)
    }
  }

  streamQuery(): never {
    throw new Error('rows are read in pages')
  }
}

/** Of an error that was made where the answer arrived, so that its stack tells who asked. */
function addCallers(error: unknown, asked: (query: CompiledQuery) => unknown): unknown {
  if (!(error instanceof Error)) return error
  const callers = { stack: '' }
  Error.captureStackTrace(callers, asked)
  error.stack += callers.stack.slice(callers.stack.indexOf('\n'))
  return error
}
