import pg from 'pg'

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

export const encodeParse = ({ name, text }: { name: string; text: string }) =>
  encode((wire) => wire.parse({ name, text }))

export const encodeBind = (name: string, values: readonly unknown[]) =>
  encode((wire) => wire.bind({ statement: name, values, valueMapper: utils.prepareValue }))

const DESCRIBE = encode((wire) => wire.describe({ type: 'P' }))
export const EXECUTE = encode((wire) => wire.execute({}))
/** Flush, of which `pg` has no message without a connection. */
const FLUSH = Buffer.from('H\u0000\u0000\u0000\u0004', 'latin1')
export const SYNC = encode((wire) => wire.sync())
export const DESCRIBE_AND_EXECUTE = Buffer.concat([DESCRIBE, EXECUTE])
export const ANSWER_NOW = Buffer.concat([DESCRIBE_AND_EXECUTE, FLUSH])

const COMMIT = 'commit'

/** BEGIN or COMMIT, each under a name that is its own text. */
type Command = { parse: Buffer; run: Buffer }

const commands = new Map<string, Command>()

function commandOf(text: string): Command {
  const command = commands.get(text) ?? {
    parse: encodeParse({ name: text, text }),
    run: Buffer.concat([encodeBind(text, []), EXECUTE]),
  }
  commands.set(text, command)
  return command
}

/** With what a connection has not parsed yet: COMMIT too, because after BEGIN a part may fail and have the server
 * skip it. */
export function encodeBegin(connection: Wire, text: string): Buffer[] {
  const missing = [text, COMMIT].filter((name) => connection.parsedStatements[name] === undefined)
  return [...missing.map((name) => commandOf(name).parse), commandOf(text).run]
}

/** To be called once BEGIN has run. */
export function noteBegun({ parsedStatements }: Wire, text: string): void {
  parsedStatements[text] = text
  parsedStatements[COMMIT] = COMMIT
}

/** Of a transaction that may have begun in another way. `begins`: with this message. */
export function encodeCommit({ parsedStatements }: Wire, begins: boolean): Buffer {
  const isParsed = begins || parsedStatements[COMMIT] !== undefined
  return isParsed ? commandOf(COMMIT).run : UNNAMED_COMMIT
}

const UNNAMED_COMMIT = Buffer.concat([
  encodeParse({ name: '', text: COMMIT }),
  encodeBind('', []),
  EXECUTE,
])
