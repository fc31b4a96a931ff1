import pg from 'pg'
import { AnswerRows, type Field, type Row, type Shape } from './answer-rows.ts'

/** What `pg` has of these and its types leave out. */
export type Wire = {
  parsedStatements: Record<string, string | undefined>
  parse(query: { text: string; name?: string }): void
  bind(config: object): void
  describe(config: object): void
  execute(config: object): void
  sync(): void
  sendCopyFail(message: string): void
  _send(bytes: Buffer): void
}

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

const { utils, Connection } = pg as unknown as {
  utils: { prepareValue(value: unknown): unknown }
  Connection: { prototype: Wire }
}

const pieces: Buffer[] = []
const encoder: Wire = Object.assign(Object.create(Connection.prototype), {
  _send: (bytes: Buffer) => pieces.push(bytes),
})

function encode(write: (wire: Wire) => void): Buffer {
  pieces.length = 0
  write(encoder)
  return pieces.length === 1 && pieces[0] ? pieces[0] : Buffer.concat(pieces)
}

const encodeCommand = (text: string) =>
  encode((wire) => {
    wire.parse({ text })
    wire.bind({})
    wire.execute({})
  })

export const encodeBind = ({ statement, values }: Prepared) =>
  encode((wire) =>
    wire.bind({ statement: statement.name, values, valueMapper: utils.prepareValue }),
  )

const encodeParse = ({ name, text }: Statement) => encode((wire) => wire.parse({ name, text }))

const COMMIT = encodeCommand('commit')
const encodedBegins = new Map<string, Buffer>()
const DESCRIBE = encode((wire) => wire.describe({ type: 'P' }))
const EXECUTE = encode((wire) => wire.execute({}))
/** Flush, of which `pg` has no message without a connection. */
const FLUSH = Buffer.from('H\u0000\u0000\u0000\u0004', 'latin1')
export const SYNC = encode((wire) => wire.sync())
export const DESCRIBE_AND_EXECUTE = Buffer.concat([DESCRIBE, EXECUTE])
const ANSWER = Buffer.concat([DESCRIBE_AND_EXECUTE, SYNC])
const ANSWER_AND_COMMIT = Buffer.concat([DESCRIBE, EXECUTE, COMMIT, SYNC])
const ANSWER_NOW = Buffer.concat([DESCRIBE_AND_EXECUTE, FLUSH])
const ANSWER_NOW_AND_COMMIT = Buffer.concat([ANSWER_NOW, COMMIT, SYNC])

function encodeBegin(text: string): Buffer {
  const encoded = encodedBegins.get(text) ?? encodeCommand(text)
  encodedBegins.set(text, encoded)
  return encoded
}

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
    const { begins, earlier = [], commits } = this.#join ?? {}
    try {
      const { values } = this.#prepared
      const andCommit = isAwaited(values) ? ANSWER_NOW_AND_COMMIT : ANSWER_AND_COMMIT
      const message = [encodeBind(this.#prepared), commits ? andCommit : ANSWER]
      message.unshift(...earlier.flatMap((part) => [encodeBind(part), answerOf(part)]))
      if (begins) message.unshift(encodeBegin(begins))
      if (connection.parsedStatements[this.name] === undefined) {
        message.unshift(encodeParse(this.#prepared.statement))
      }
      connection._send(Buffer.concat(message))
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
export function isParsed(client: pg.Client, { name }: Statement): boolean {
  const { connection } = client as unknown as { connection: Wire }
  return connection.parsedStatements[name] !== undefined
}

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
