import pg from 'pg'

/** Statements are written in code, so they are few; this bounds what a connection keeps all the same. */
const MAX_STATEMENTS = 500

const STALE_PLAN = 'cached plan must not change result type'

/** What Kysely calls; anything else that is asked of a client passes through as it came. */
type Query = (text: unknown, values?: unknown, ...rest: unknown[]) => Promise<unknown>

/**
 * Makes the client class of one pool. Its connections have each statement with parameters parsed
 * and planned once, under a name, rather than at every call: most of what a short statement costs
 * the database. Works behind PgBouncer in transaction mode from 1.21 on, which translates the names.
 *
 * After a migration has changed a table, plans that return all its columns are stale and Postgres
 * says so: every name is then made anew. Outside a transaction the statement is run again at once;
 * inside one the error (SQLSTATE 0A000) has ended it, and whoever began it begins again.
 */
export function createPreparingClient(): typeof pg.Client {
  const names = new Map<string, string>()
  let generation = 1

  function nameOf(text: string): string | undefined {
    const known = names.get(text)
    if (known !== undefined || names.size >= MAX_STATEMENTS) return known
    const name = `s${generation}_${names.size}`
    names.set(text, name)
    return name
  }

  class PreparingClient extends pg.Client {}
  const plain = pg.Client.prototype.query as unknown as Query
  const query: Query = function (this: pg.Client, text, values, ...rest) {
    const isStatement = typeof text === 'string' && Array.isArray(values) && values.length > 0
    // A further argument is a callback, and then there is no promise to watch.
    const name = isStatement && rest.length === 0 ? nameOf(text) : undefined
    if (name === undefined) return plain.call(this, text, values, ...rest)
    return plain.call(this, { name, text, values }).catch((error: unknown) => {
      if (!(error instanceof Error) || error.message !== STALE_PLAN) throw error
      names.clear()
      generation += 1
      if (this.getTransactionStatus() !== 'I') throw error
      return plain.call(this, text, values)
    })
  }
  PreparingClient.prototype.query = query as never
  return PreparingClient
}
