import pg from 'pg'
import { AnswerRows, type Field, type Row, type Shape } from './answer-rows.ts'
import {
  ANSWER_NOW,
  DESCRIBE_AND_EXECUTE,
  EXECUTE,
  encodeBegin,
  encodeBind,
  encodeCommit,
  encodeParse,
  noteBegun,
  SYNC,
  type Wire,
} from './wire.ts'

export type Statement = { name: string; text: string; shape?: Shape }
export type Prepared = { statement: Statement; values: unknown[] }

/** `isRead`: its rows are kept, for `rowsBefore`. */
export type Earlier = Prepared & { isRead: boolean }

/** What shares the message of a statement. Where a part fails, the server skips those after it. */
export type Join = {
  /** The command with which the transaction begins. */
  begins?: string | undefined
  earlier?: readonly Earlier[]
  commits?: boolean
}

export type Result = { command: string | null; rowCount: number | null; rows: Row[] }
type Callback = (error: Error | undefined, result?: Result) => void

const COMMAND = /^([A-Za-z]+)(?: (\d+))?(?: (\d+))?/

const before = new WeakMap<readonly unknown[], readonly Row[][]>()

/** Of the statements that were sent with the one which returned `rows` and whose rows are kept. */
export function rowsBefore<R>(rows: readonly unknown[]): readonly R[][] {
  return (before.get(rows) ?? []) as R[][]
}

type Listener = { hear: (rows: readonly Row[]) => void; isAwaited: boolean }

const listeners = new WeakMap<readonly unknown[], Listener>()

/** Calls `hear` once, with the rows of the statement that has these parameters, wherever it is in its message.
 * `isAwaited`: the server sends them before it does what comes after it. */
export function listen<R>(
  values: readonly unknown[],
  hear: (rows: readonly R[]) => void,
  isAwaited: boolean,
): void {
  listeners.set(values, { hear: hear as Listener['hear'], isAwaited })
}

export function noteAnswer(values: readonly unknown[], rows: readonly Row[]): void {
  const listener = listeners.get(values)
  listeners.delete(values)
  listener?.hear(rows)
}

const isAwaited = (values: readonly unknown[]) => listeners.get(values)?.isAwaited === true

export function keepBefore({ rows }: Pick<Result, 'rows'>, earlier: readonly Row[][]): void {
  if (earlier.length > 0) before.set(rows, earlier)
}

export const encodePrepared = ({ statement, values }: Prepared) =>
  encodeBind(statement.name, values)

function answerOf({ isRead, values }: Earlier): Buffer {
  if (!isRead) return EXECUTE
  return isAwaited(values) ? ANSWER_NOW : DESCRIBE_AND_EXECUTE
}

/** A statement in one message, with what shares that. */
class PreparedQuery {
  readonly name: string
  readonly text: string
  readonly callback: Callback
  readonly #answer: AnswerRows
  readonly #prepared: Prepared
  readonly #join: Join | undefined
  readonly #result: Result = { command: null, rowCount: null, rows: [] }
  /** Of which results come, in this order; undefined: of BEGIN. */
  readonly #parts: readonly (Prepared | undefined)[]
  readonly #rowsBefore: Row[][] = []
  #part = 0
  #connection: Wire | undefined

  constructor(client: pg.Client, prepared: Prepared, join: Join | undefined, callback: Callback) {
    this.name = prepared.statement.name
    this.text = prepared.statement.text
    this.callback = callback
    this.#answer = new AnswerRows(client)
    this.#prepared = prepared
    this.#join = join
    this.#parts = [...(join?.begins ? [undefined] : []), ...(join?.earlier ?? []), prepared]
  }

  submit(connection: Wire): Error | null {
    this.#connection = connection
    const { begins, earlier = [], commits } = this.#join ?? {}
    try {
      const parts = earlier.flatMap((part) => [encodePrepared(part), answerOf(part)])
      parts.push(encodePrepared(this.#prepared), answerOf({ ...this.#prepared, isRead: true }))
      if (begins) parts.unshift(...encodeBegin(connection, begins))
      if (commits) parts.push(encodeCommit(connection, begins !== undefined))
      if (!isParsed(connection, this.#prepared)) {
        parts.unshift(encodeParse(this.#prepared.statement))
      }
      connection._send(Buffer.concat([...parts, SYNC]))
      return null
    } catch (error) {
      return error as Error
    }
  }

  handleRowDescription({ fields }: { fields: Field[] }): void {
    const part = this.#parts[this.#part]
    if (!part) return
    const rows = part === this.#prepared ? this.#result.rows : []
    if (part !== this.#prepared) this.#rowsBefore.push(rows)
    this.#answer.begin(part.statement, fields, rows)
  }

  handleDataRow({ fields: values }: { fields: (string | null)[] }): void {
    this.#answer.add(values)
  }

  handleCommandComplete({ text }: { text: string }): void {
    const part = this.#parts[this.#part]
    if (part && listeners.has(part.values)) {
      noteAnswer(part.values, part === this.#prepared ? this.#result.rows : this.#lastRows())
    }
    const begins = this.#join?.begins
    if (begins && this.#part === 0 && this.#connection) noteBegun(this.#connection, begins)
    if (part === this.#prepared) {
      const [, command = null, first, second] = COMMAND.exec(text) ?? []
      const rowCount = second ?? first
      this.#result.command = command
      this.#result.rowCount = rowCount === undefined ? null : Number(rowCount)
    }
    this.#part += 1
  }

  #lastRows(): readonly Row[] {
    return this.#rowsBefore.at(-1) ?? []
  }

  handleReadyForQuery(): void {
    keepBefore(this.#result, this.#rowsBefore)
    this.callback(this.#answer.unreadable, this.#result)
  }

  handleError(error: Error): void {
    this.callback(this.#answer.unreadable ?? error)
  }

  handleEmptyQuery(): void {}

  handlePortalSuspended(): void {}

  handleCopyInResponse(connection: Wire): void {
    connection.sendCopyFail('No source stream defined')
  }

  handleCopyData(): void {}
}

/** One that is yet to be parsed cannot come after another: `pg` takes the first parse for its own, and
 * one that is skipped for done. */
export function isParsedBy(client: pg.Client, prepared: Prepared): boolean {
  const { connection } = client as unknown as { connection: Wire }
  return isParsed(connection, prepared)
}

const isParsed = ({ parsedStatements }: Wire, { statement }: Prepared) =>
  parsedStatements[statement.name] !== undefined

/** What shares its message must be parsed, and so must it be where something comes before it. */
export function sendPrepared(client: pg.Client, prepared: Prepared, join?: Join): Promise<Result> {
  return new Promise((resolve, reject) => {
    const query = new PreparedQuery(client, prepared, join, (error, result) =>
      result && !error ? resolve(result) : reject(error),
    )
    const send = pg.Client.prototype.query as (this: pg.Client, query: unknown) => unknown
    send.call(client, query)
  })
}
