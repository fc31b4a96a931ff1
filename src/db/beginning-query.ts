import pg from 'pg'

/** What `pg` has of these and its types leave out. */
type Wire = {
  parsedStatements: Record<string, string | undefined>
  parse(query: { text: string }): void
  bind(config: object): void
  execute(config: object): void
}
type Preparing = { prepare(wire: Wire): void; handleCommandComplete(...args: unknown[]): void }
type Callback = (error: Error | undefined, result: unknown) => void
type Prepared = { name: string; text: string; values: unknown[] }

const BaseQuery = pg.Query as unknown as new (query: Prepared & { callback: Callback }) => Preparing

/** BEGIN and the statement in one message: where BEGIN fails, the server skips the statement. */
class BeginningQuery extends BaseQuery {
  #hasBegun = false

  override prepare(wire: Wire): void {
    wire.parse({ text: 'begin' })
    wire.bind({})
    wire.execute({})
    super.prepare(wire)
  }

  override handleCommandComplete(...args: unknown[]): void {
    if (this.#hasBegun) super.handleCommandComplete(...args)
    this.#hasBegun = true
  }
}

/** A statement that is yet to be parsed cannot share a message: `pg` counts on one parse in each. */
export function isParsed(client: pg.Client, { name }: { name: string }): boolean {
  const { connection } = client as unknown as { connection: Wire }
  return connection.parsedStatements[name] !== undefined
}

export function sendBeginning(client: pg.Client, prepared: Prepared): Promise<unknown> {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>()
  const callback: Callback = (error, result) => (error ? reject(error) : resolve(result))
  const query = new BeginningQuery({ ...prepared, callback })
  const send = pg.Client.prototype.query as (this: pg.Client, query: unknown) => unknown
  send.call(client, query)
  return promise
}
