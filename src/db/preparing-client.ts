import type { EventEmitter } from 'node:events'
import type { Duplex } from 'node:stream'
import pg from 'pg'
import { isReadOnly } from './errors.ts'
import { createKnownStatements, TOGETHER } from './known-statements.ts'
import {
  type Earlier,
  isParsedBy,
  type Join,
  keepBefore,
  type Prepared,
  type Result,
  sendPrepared,
} from './prepared-query.ts'
import {
  type Client,
  createTogether,
  type Named,
  type Progress,
  type Read,
} from './sent-together.ts'
import { untilRolledBack } from './stuck-session.ts'
import { createTurns } from './turns.ts'

const STALE_PLAN = 'cached plan must not change result type'

const readOnly = new WeakSet<pg.ClientBase>()

/** For a pool: a connection whose server took no writes leads to the wrong one, so it is closed. */
export function endReadOnly(_error: unknown, client: pg.PoolClient): void {
  if (readOnly.has(client)) void (client as unknown as pg.Client).end()
}

/** What `pg` has of a client and its types leave out. */
type Connection = EventEmitter & { stream: Duplex }

type Query = (text: unknown, values?: unknown, ...rest: unknown[]) => Promise<unknown>

/** Of a session, as the protocol has them. */
const IDLE = 'I'
const IN_TRANSACTION = 'T'

const BEGIN = 'begin'
const COMMIT = 'commit'
const ROLLBACK = 'rollback'
const isEnd = (text: unknown) => text === COMMIT || text === ROLLBACK
const isBegin = (text: unknown): text is string =>
  typeof text === 'string' && (text === BEGIN || text.startsWith('start transaction'))

/** For a command that was sent before, or need not be. */
const answerTo = (command: string) => ({ command: command.toUpperCase(), rows: [] })
const answerOf = (command: string) => Promise.resolve(answerTo(command))

/** What follows a commit would be in no transaction, and a rollback would undo nothing. */
function endCommitted(text: unknown): Promise<unknown> {
  if (text === COMMIT) return answerOf(COMMIT)
  return Promise.reject(new Error(`a transaction was committed before ${JSON.stringify(text)}`))
}

/** Parsed and planned once a connection, under a name, which PgBouncer translates from 1.21 on. A
 * migration makes plans stale, which PostgreSQL reports: every name is then replaced. */
export function createPreparingClient(): typeof pg.Client {
  const { prepare, forget } = createKnownStatements()

  class PreparingClient extends pg.Client {
    readonly progress: Progress = { begins: undefined, isCommitted: false, waiting: [] }
    /** A statement may take several messages, and what comes next depends on them. */
    readonly inTurn = createTurns()

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
    return await send.apply(this, query).catch(async (error: unknown) => {
      noteReadOnly(this, error)
      await untilRolledBack(this)
      throw error
    })
  }
  function noteFailure(client: pg.Client, { statement }: Prepared, error: unknown): boolean {
    noteReadOnly(client, error)
    const isStale = error instanceof Error && error.message === STALE_PLAN
    if (isStale) forget(statement)
    return isStale
  }
  async function sendNoting(client: Client, prepared: Prepared, join: Join): Promise<Result> {
    try {
      return await sendPrepared(client, prepared, join)
    } catch (error) {
      noteFailure(client, prepared, error)
      await untilRolledBack(client)
      throw error
    }
  }
  const areParsed = (client: Client, all: readonly Prepared[]) =>
    all.every((prepared) => isParsedBy(client, prepared))

  /** Those that are new to the connection are sent each on its own. */
  async function sendJoined(
    client: Client,
    earlier: readonly Earlier[],
    last: Prepared,
    { begins, commits = false }: Omit<Join, 'earlier'>,
  ): Promise<Result> {
    if (areParsed(client, [...earlier, last])) {
      return await sendNoting(client, last, { begins, earlier, commits })
    }
    if (begins) await plain.call(client, begins)
    const rows: Result['rows'][] = []
    for (const each of earlier) {
      const result = await sendNoting(client, each, {})
      if (each.isRead) rows.push(result.rows)
    }
    const result = await sendNoting(client, last, { commits })
    keepBefore(result, rows)
    return result
  }
  /** `begins`: before them. */
  async function sendAfter(
    client: Client,
    waiting: readonly Earlier[],
    begins: string | undefined,
    [text, values]: [unknown, unknown],
  ): Promise<unknown> {
    if (text === ROLLBACK) return begins ? await answerOf(ROLLBACK) : await plain.call(client, text)
    const next = text === COMMIT ? undefined : nameStatement(text, values)
    if (next) return await sendMarked(client, next, { begins, earlier: waiting })
    const last = waiting.at(-1)
    if (last)
      await sendJoined(client, waiting.slice(0, -1), last, { begins, commits: text === COMMIT })
    return text === COMMIT ? await answerOf(COMMIT) : await query(client, text, values)
  }
  function nameStatement(text: unknown, values: unknown): Named | undefined {
    if (typeof text !== 'string' || !Array.isArray(values) || values.length === 0) return undefined
    const statement = prepare(text)
    return statement && { statement, values }
  }
  async function sendMarked(client: Client, prepared: Named, join: Join): Promise<unknown> {
    const { progress } = client
    const { statement } = prepared
    const { begins, earlier = [] } = join
    const isOpen = begins !== undefined || client.getTransactionStatus() === IN_TRANSACTION
    if (isOpen && statement.isJoined) {
      progress.begins = begins
      progress.waiting = [...earlier, { ...prepared, isRead: statement.isRead }]
      return await answerOf('select')
    }
    const commits = isOpen && statement.isLast
    const result = await sendJoined(client, earlier, prepared, { begins, commits })
    if (commits) progress.isCommitted = true
    return result
  }
  function sendUnmarked(client: Client, prepared: Named): Promise<unknown> {
    return sendPrepared(client, prepared).catch(async (error: unknown) => {
      const isStale = noteFailure(client, prepared, error)
      await untilRolledBack(client)
      if (!isStale || client.getTransactionStatus() !== IDLE) throw error
      return plain.call(client, prepared.statement.source, prepared.values)
    })
  }
  async function query(client: Client, text: unknown, values: unknown): Promise<unknown> {
    const { progress } = client
    if (isBegin(text)) {
      progress.begins = text
      return await answerOf('begin')
    }
    const { begins, isCommitted, waiting } = progress
    if (isCommitted) {
      progress.isCommitted = false
      return await endCommitted(text)
    }
    progress.begins = undefined
    if (waiting.length > 0) {
      progress.waiting = []
      return await sendAfter(client, waiting, begins, [text, values])
    }
    if (begins && isEnd(text)) return await answerOf(String(text))
    const prepared = nameStatement(text, values)
    if (begins && !(prepared && isParsedBy(client, prepared))) {
      await plain.call(client, begins)
      return await query(client, text, values)
    }
    if (prepared === undefined) return await plain.call(client, text, values)
    const { isLast, isJoined } = prepared.statement
    const isMarked = (isLast || isJoined) && client.getTransactionStatus() === IN_TRANSACTION
    if (begins || isMarked) return await sendMarked(client, prepared, { begins })
    return await sendUnmarked(client, prepared)
  }
  const { readTogether, readWithin } = createTogether({
    nameStatement,
    areParsed,
    query,
    sendJoined,
  })
  PreparingClient.prototype.query = function (this: PreparingClient, ...given: Parameters<Query>) {
    // A third argument is a callback, so there is no promise.
    if (given.length > 2) return send.apply(this, given)
    const [text, values] = given
    return this.inTurn(() =>
      text === TOGETHER ? readWithin(this, values as Read[]) : query(this, text, values),
    )
  } as never
  Object.assign(PreparingClient.prototype, {
    begin(this: Client) {
      this.progress.begins = BEGIN
    },
    readTogether(this: Client, reads: readonly Read[]) {
      return readTogether(this, reads)
    },
  })
  return PreparingClient
}
