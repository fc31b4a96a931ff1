import pg from 'pg'

/** What `pg` has of these and its types leave out. */
type Wire = {
  parsedStatements: Record<string, string | undefined>
  parse(query: { text: string }): void
  bind(config: object): void
  execute(config: object): void
  sync(): void
}
type Prepared = { name: string; text: string; values: unknown[] }
type Callback = (error: Error | undefined, result: unknown) => void
type Preparing = {
  prepare(wire: Wire): void
  _getRows(wire: Wire): void
  handleCommandComplete(...args: unknown[]): void
}
type Joined = new (query: Prepared & { callback: Callback }) => Preparing

const BaseQuery = pg.Query as unknown as Joined

/** BEGIN and the statement in one message: where BEGIN fails, the server skips the statement. */
class BeginningQuery extends BaseQuery {
  #hasBegun = false

  override prepare(wire: Wire): void {
    run(wire, 'begin')
    super.prepare(wire)
  }

  override handleCommandComplete(...args: unknown[]): void {
    if (this.#hasBegun) super.handleCommandComplete(...args)
    this.#hasBegun = true
  }
}

/** The statement and COMMIT in one message: where the statement fails, the server skips COMMIT. */
class CommittingQuery extends BaseQuery {
  #isDone = false

  override _getRows(wire: Wire): void {
    wire.execute({})
    run(wire, 'commit')
    wire.sync()
  }

  override handleCommandComplete(...args: unknown[]): void {
    if (!this.#isDone) super.handleCommandComplete(...args)
    this.#isDone = true
  }
}

function run(wire: Wire, text: string): void {
  wire.parse({ text })
  wire.bind({})
  wire.execute({})
}

/** A statement that is yet to be parsed cannot follow BEGIN: `pg` takes the first parse for its own. */
export function isParsed(client: pg.Client, { name }: { name: string }): boolean {
  const { connection } = client as unknown as { connection: Wire }
  return connection.parsedStatements[name] !== undefined
}

export async function sendBeginning(client: pg.Client, prepared: Prepared): Promise<unknown> {
  return await sendJoined(client, BeginningQuery, prepared)
}

export async function sendCommitting(client: pg.Client, prepared: Prepared): Promise<unknown> {
  return await sendJoined(client, CommittingQuery, prepared)
}

function sendJoined(client: pg.Client, Query: Joined, prepared: Prepared): Promise<unknown> {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>()
  const callback: Callback = (error, result) => (error ? reject(error) : resolve(result))
  const send = pg.Client.prototype.query as (this: pg.Client, query: unknown) => unknown
  send.call(client, new Query({ ...prepared, callback }))
  return promise
}
