import { randomBytes } from 'node:crypto'
import type { EventEmitter } from 'node:events'
import type { Duplex } from 'node:stream'
import pg from 'pg'
import { isReadOnly } from './errors.ts'
import { isParsed, sendBeginning, sendCommitting } from './joined-query.ts'

const MAX_STATEMENTS = 500

const STALE_PLAN = 'cached plan must not change result type'

/** Marks a statement whose best plan depends on its parameters, such as the length of a list. */
export const PLANNED_EACH_TIME = '/* planned each time */'

/** Marks the last statement of a transaction, with which COMMIT is sent. It must have parameters. */
export const WITH_COMMIT = '/* with commit */'

const readOnly = new WeakSet<pg.ClientBase>()

/** For a pool: a connection whose server took no writes leads to the wrong one, so it is closed. */
export function endReadOnly(_error: unknown, client: pg.PoolClient): void {
  if (readOnly.has(client)) void (client as unknown as pg.Client).end()
}

type Statement = { name: string; text: string }

/** What `pg` has of a client and its types leave out. */
type Connection = EventEmitter & { stream: Duplex }

type Query = (text: unknown, values?: unknown, ...rest: unknown[]) => Promise<unknown>

/** Where a transaction has begun and nothing was sent yet. */
const beginning = new WeakSet<pg.ClientBase>()

/** Where a transaction was committed with its last statement. */
const committed = new WeakSet<pg.ClientBase>()

/** Of a session, as the protocol has them. */
const IDLE = 'I'
const IN_TRANSACTION = 'T'

const BEGIN = 'begin'
const COMMIT = 'commit'
const isEnd = (text: unknown) => text === COMMIT || text === 'rollback'

/** For a command that was sent before, or need not be. */
const answerOf = (command: string) => Promise.resolve({ command: command.toUpperCase(), rows: [] })

/** What follows a commit would be in no transaction, and a rollback would undo nothing. */
function endCommitted(text: unknown): Promise<unknown> {
  if (text === COMMIT) return answerOf(COMMIT)
  return Promise.reject(new Error(`a transaction was committed before ${JSON.stringify(text)}`))
}

/** Parsed and planned once a connection, under a name, which PgBouncer translates from 1.21 on. A
 * migration makes plans stale, which PostgreSQL reports: every name is then replaced. */
export function createPreparingClient(): typeof pg.Client {
  const statements = new Map<string, Statement>()
  let generation = 1
  let comment = ''

  function prepare(text: string): Statement | undefined {
    if (text.includes(PLANNED_EACH_TIME)) return undefined
    const known = statements.get(text)
    if (known !== undefined || statements.size >= MAX_STATEMENTS) return known
    const statement = { name: `s${generation}_${statements.size}`, text: `${comment}${text}` }
    statements.set(text, statement)
    return statement
  }

  function forget(text: string, statement: Statement): void {
    if (statements.get(text) !== statement) return
    statements.clear()
    generation += 1
    comment = `/* ${randomBytes(4).toString('hex')} */ `
  }

  class PreparingClient extends pg.Client {
    constructor(config?: string | pg.ClientConfig) {
      super(config)
      const { connection } = this as unknown as { connection: Connection }
      // Otherwise a login that the client gives up stays open for a minute, and the server can
      // neither make nor drop a database meanwhile.
      connection.once('error', () => connection.stream.destroy())
    }
  }
  const send = pg.Client.prototype.query as unknown as Query
  const noteReadOnly = (client: pg.Client, error: unknown): void => {
    if (isReadOnly(error)) readOnly.add(client)
  }
  const plain: Query = async function (this: pg.Client, ...query) {
    return await send.apply(this, query).catch((error: unknown) => {
      noteReadOnly(this, error)
      throw error
    })
  }
  async function sendPrepared(
    client: pg.Client,
    prepared: Statement & { values: unknown[] },
    { begins, commits }: { begins: boolean; commits: boolean | undefined },
  ): Promise<unknown> {
    if (begins) return await sendBeginning(client, prepared)
    if (!commits) return await send.call(client, prepared)
    const result = await sendCommitting(client, prepared)
    committed.add(client)
    return result
  }
  const query: Query = function (this: pg.Client, text, values, ...rest) {
    // A further argument is a callback, so there is no promise.
    if (rest.length > 0) return send.call(this, text, values, ...rest)
    if (text === BEGIN) {
      beginning.add(this)
      return answerOf(BEGIN)
    }
    if (committed.delete(this)) return endCommitted(text)
    const begins = beginning.delete(this)
    if (begins && isEnd(text)) return answerOf(String(text))
    const isPlain = typeof text !== 'string' || !Array.isArray(values) || values.length === 0
    const statement = isPlain ? undefined : prepare(text)
    const ends = statement?.text.includes(WITH_COMMIT)
    if (begins && (ends || !(statement && isParsed(this, statement)))) {
      return plain.call(this, BEGIN).then(() => query.call(this, text, values))
    }
    if (statement === undefined) return plain.call(this, text, values)
    const prepared = { ...statement, values: values as unknown[] }
    const commits = ends && this.getTransactionStatus() === IN_TRANSACTION
    return sendPrepared(this, prepared, { begins, commits }).catch((error: unknown) => {
      noteReadOnly(this, error)
      if (!(error instanceof Error) || error.message !== STALE_PLAN) throw error
      forget(text as string, statement)
      // The status is that of before where the transaction began with this statement.
      if (begins || this.getTransactionStatus() !== IDLE) throw error
      return plain.call(this, text, values)
    })
  }
  PreparingClient.prototype.query = query as never
  return PreparingClient
}
