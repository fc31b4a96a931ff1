import { randomBytes } from 'node:crypto'
import type { EventEmitter } from 'node:events'
import type { Duplex } from 'node:stream'
import pg from 'pg'
import { isReadOnly } from './errors.ts'
import { isParsed, type Join, type Prepared, sendJoined } from './joined-query.ts'

const MAX_STATEMENTS = 500

const STALE_PLAN = 'cached plan must not change result type'

/** Marks a statement whose best plan depends on its parameters, such as the length of a list. */
export const PLANNED_EACH_TIME = '/* planned each time */'

/** Marks the last statement of a transaction, with which COMMIT is sent. It must have parameters. */
export const WITH_COMMIT = '/* with commit */'

/** Marks a statement of which only a failure matters: it is sent with the next one of its transaction,
 * which then fails. It must have parameters and return no rows. */
export const WITH_NEXT = '/* with next */'

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

/** What is sent with the next statement of the transaction. */
const waiting = new WeakMap<pg.ClientBase, Prepared>()

/** Of a session, as the protocol has them. */
const IDLE = 'I'
const IN_TRANSACTION = 'T'

const BEGIN = 'begin'
const COMMIT = 'commit'
const ROLLBACK = 'rollback'
const isEnd = (text: unknown) => text === COMMIT || text === ROLLBACK

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

  function forget({ name }: Prepared): void {
    if (!name.startsWith(`s${generation}_`)) return
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
  async function sendPrepared(client: pg.Client, prepared: Prepared, join: Join): Promise<unknown> {
    try {
      const isAlone = !join.begins && !join.commits && join.earlier === undefined
      const sent = isAlone ? send.call(client, prepared) : sendJoined(client, prepared, join)
      return await sent
    } catch (error) {
      noteReadOnly(client, error)
      if (error instanceof Error && error.message === STALE_PLAN) forget(prepared)
      throw error
    }
  }
  /** A statement that is new to the connection, or has no name, is sent on its own. */
  async function sendAfter(
    client: pg.Client,
    earlier: Prepared,
    [text, values]: [unknown, unknown],
  ): Promise<unknown> {
    if (text === ROLLBACK) return await plain.call(client, text)
    if (text === COMMIT) {
      await sendPrepared(client, earlier, { commits: true })
      return await answerOf(COMMIT)
    }
    const next = nameStatement(text, values)
    if (next && isParsed(client, earlier) && isParsed(client, next)) {
      return await sendNamed(client, next, { earlier })
    }
    await sendPrepared(client, earlier, {})
    return await query.call(client, text, values)
  }
  function nameStatement(text: unknown, values: unknown): Prepared | undefined {
    if (typeof text !== 'string' || !Array.isArray(values) || values.length === 0) return undefined
    const statement = prepare(text)
    return statement && { ...statement, values }
  }
  async function sendNamed(client: pg.Client, prepared: Prepared, join: Join): Promise<unknown> {
    const isWithin = client.getTransactionStatus() === IN_TRANSACTION
    if (isWithin && prepared.text.includes(WITH_NEXT)) {
      if (join.earlier) await sendPrepared(client, join.earlier, {})
      waiting.set(client, prepared)
      return await answerOf('select')
    }
    const commits = (isWithin || join.begins === true) && prepared.text.includes(WITH_COMMIT)
    const result = await sendPrepared(client, prepared, { ...join, commits })
    if (commits) committed.add(client)
    return result
  }
  const query = async function (this: pg.Client, text: unknown, values: unknown): Promise<unknown> {
    if (text === BEGIN) {
      beginning.add(this)
      return await answerOf(BEGIN)
    }
    if (committed.delete(this)) return await endCommitted(text)
    const earlier = waiting.get(this)
    if (earlier && waiting.delete(this)) return await sendAfter(this, earlier, [text, values])
    const begins = beginning.delete(this)
    if (begins && isEnd(text)) return await answerOf(String(text))
    const prepared = nameStatement(text, values)
    if (begins && !(prepared && isParsed(this, prepared))) {
      await plain.call(this, BEGIN)
      return await query.call(this, text, values)
    }
    if (prepared === undefined) return await plain.call(this, text, values)
    return await sendNamed(this, prepared, { begins }).catch((error: unknown) => {
      const isStale = error instanceof Error && error.message === STALE_PLAN
      // The status is that of before where the transaction began with this statement.
      if (!isStale || begins || this.getTransactionStatus() !== IDLE) throw error
      return plain.call(this, text, values)
    })
  }
  PreparingClient.prototype.query = function (this: pg.Client, ...given: Parameters<Query>) {
    // A third argument is a callback, so there is no promise.
    return given.length > 2 ? send.apply(this, given) : query.call(this, given[0], given[1])
  } as never
  return PreparingClient
}
