import type { EventEmitter } from 'node:events'
import type { Duplex } from 'node:stream'
import pg from 'pg'
import type { Row } from './answer-rows.ts'
import { isReadOnly } from './errors.ts'
import { sendReads } from './joined-reads.ts'
import { createKnownStatements, type Known } from './known-statements.ts'
import {
  type Earlier,
  isParsed,
  type Join,
  keepBefore,
  type Prepared,
  type Result,
  sendPrepared,
} from './prepared-query.ts'
import { untilRolledBack } from './stuck-session.ts'

const STALE_PLAN = 'cached plan must not change result type'

const readOnly = new WeakSet<pg.ClientBase>()

/** For a pool: a connection whose server took no writes leads to the wrong one, so it is closed. */
export function endReadOnly(_error: unknown, client: pg.PoolClient): void {
  if (readOnly.has(client)) void (client as unknown as pg.Client).end()
}

type Named = Prepared & { statement: Known }
type Client = pg.Client & { progress: Progress }

/** What `pg` has of a client and its types leave out. */
type Connection = EventEmitter & { stream: Duplex }

/** A statement without side effects, and its parameters. */
export type Read = { text: string; values: unknown[] }

export type ReadResult = PromiseSettledResult<Row[]>

/** What a client of ours has besides. It must be in no transaction. */
export type ReadsTogether = { readTogether(reads: readonly Read[]): Promise<ReadResult[]> }

type Query = (text: unknown, values?: unknown, ...rest: unknown[]) => Promise<unknown>

/** Of the transaction of a client. */
type Progress = {
  /** It has begun and nothing was sent yet, nor is its BEGIN. */
  begins: boolean
  /** It was committed with its last statement. */
  isCommitted: boolean
  /** Sent with its next statement, in this order. */
  waiting: readonly Earlier[]
}

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
  const { prepare, forget } = createKnownStatements()

  class PreparingClient extends pg.Client {
    readonly progress: Progress = { begins: false, isCommitted: false, waiting: [] }

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
    all.every(({ statement }) => isParsed(client, statement))

  /** Those that are new to the connection are sent each on its own. */
  async function sendJoined(
    client: Client,
    earlier: readonly Earlier[],
    last: Prepared,
    { begins = false, commits = false }: Omit<Join, 'earlier'>,
  ): Promise<Result> {
    if (areParsed(client, [...earlier, last])) {
      return await sendNoting(client, last, { begins, earlier, commits })
    }
    if (begins) await plain.call(client, BEGIN)
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
    begins: boolean,
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
    const { begins = false, earlier = [] } = join
    const isWithin = begins || client.getTransactionStatus() === IN_TRANSACTION
    if (isWithin && statement.isJoined) {
      progress.begins = begins
      progress.waiting = [...earlier, { ...prepared, isRead: statement.isRead }]
      return await answerOf('select')
    }
    const commits = isWithin && statement.isLast
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
    if (text === BEGIN) {
      progress.begins = true
      return await answerOf(BEGIN)
    }
    const { begins, isCommitted, waiting } = progress
    if (isCommitted) {
      progress.isCommitted = false
      return await endCommitted(text)
    }
    progress.begins = false
    if (waiting.length > 0) {
      progress.waiting = []
      return await sendAfter(client, waiting, begins, [text, values])
    }
    if (begins && isEnd(text)) return await answerOf(String(text))
    const prepared = nameStatement(text, values)
    if (begins && !(prepared && isParsed(client, prepared.statement))) {
      await plain.call(client, BEGIN)
      return await query(client, text, values)
    }
    if (prepared === undefined) return await plain.call(client, text, values)
    const { isLast, isJoined } = prepared.statement
    const isMarked = (isLast || isJoined) && client.getTransactionStatus() === IN_TRANSACTION
    if (begins || isMarked) return await sendMarked(client, prepared, { begins })
    return await sendUnmarked(client, prepared)
  }
  /** In one message where all are parsed; those that it leaves without an answer on their own. */
  async function readTogether(client: Client, reads: readonly Read[]): Promise<ReadResult[]> {
    const all = reads.flatMap(({ text, values }) => nameStatement(text, values) ?? [])
    const isJoined = all.length === reads.length && areParsed(client, all)
    const answers = isJoined ? await sendReads(client, all) : []
    const results: ReadResult[] = answers.map((value) => ({ status: 'fulfilled', value }))
    for (const { text, values } of reads.slice(answers.length)) {
      const [result] = await Promise.allSettled([query(client, text, values)])
      results.push(
        result.status === 'fulfilled'
          ? { ...result, value: (result.value as { rows: Row[] }).rows }
          : result,
      )
    }
    return results
  }
  PreparingClient.prototype.query = function (this: Client, ...given: Parameters<Query>) {
    // A third argument is a callback, so there is no promise.
    return given.length > 2 ? send.apply(this, given) : query(this, given[0], given[1])
  } as never
  Object.assign(PreparingClient.prototype, {
    readTogether(this: Client, reads: readonly Read[]) {
      return readTogether(this, reads)
    },
  })
  return PreparingClient
}
