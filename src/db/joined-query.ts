import pg from 'pg'

/** What `pg` has of these and its types leave out. */
type Wire = {
  parsedStatements: Record<string, string | undefined>
  parse(query: { text: string }): void
  bind(config: object): void
  describe(config: object): void
  execute(config: object): void
  sync(): void
}
export type Prepared = { name: string; text: string; values: unknown[] }
type Callback = (error: Error | undefined, result: unknown) => void
type Preparing = {
  prepare(wire: Wire): void
  _getRows(wire: Wire): void
  handleCommandComplete(...args: unknown[]): void
}
type Joined = new (query: Prepared & { callback: Callback }) => Preparing

const BaseQuery = pg.Query as unknown as Joined

/** What shares the message of a statement. Where a part fails, the server skips those after it. */
export type Join = { begins?: boolean; earlier?: Prepared | undefined; commits?: boolean }

class JoinedQuery extends BaseQuery {
  readonly #join: Join
  #ahead: number

  constructor(query: Prepared & { callback: Callback }, join: Join) {
    super(query)
    this.#join = join
    this.#ahead = Number(join.begins ?? false) + Number(join.earlier !== undefined)
  }

  override prepare(wire: Wire): void {
    if (this.#join.begins) run(wire, 'begin')
    if (this.#join.earlier) runUnread(wire, this.#join.earlier)
    super.prepare(wire)
  }

  override _getRows(wire: Wire): void {
    wire.execute({})
    if (this.#join.commits) run(wire, 'commit')
    wire.sync()
  }

  override handleCommandComplete(...args: unknown[]): void {
    if (this.#ahead === 0) super.handleCommandComplete(...args)
    this.#ahead -= 1
  }
}

function run(wire: Wire, text: string): void {
  wire.parse({ text })
  wire.bind({})
  wire.execute({})
}

/** Of a statement that is parsed and returns no rows. */
function runUnread(wire: Wire, prepared: Prepared): void {
  const quiet: Wire = {
    parsedStatements: wire.parsedStatements,
    parse: (query) => wire.parse(query),
    bind: (config) => wire.bind(config),
    execute: (config) => wire.execute(config),
    describe: () => undefined,
    sync: () => undefined,
  }
  new BaseQuery({ ...prepared, callback: () => undefined }).prepare(quiet)
}

/** A statement that is yet to be parsed cannot come after another: `pg` takes the first parse for its
 * own, and one that is skipped for done. */
export function isParsed(client: pg.Client, { name }: { name: string }): boolean {
  const { connection } = client as unknown as { connection: Wire }
  return connection.parsedStatements[name] !== undefined
}

export function sendJoined(client: pg.Client, prepared: Prepared, join: Join): Promise<unknown> {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>()
  const callback: Callback = (error, result) => (error ? reject(error) : resolve(result))
  const send = pg.Client.prototype.query as (this: pg.Client, query: unknown) => unknown
  send.call(client, new JoinedQuery({ ...prepared, callback }, join))
  return promise
}
