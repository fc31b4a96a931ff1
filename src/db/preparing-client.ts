import { randomBytes } from 'node:crypto'
import pg from 'pg'

/** Statements are written in code, so they are few; this bounds what a connection keeps all the same. */
const MAX_STATEMENTS = 500

const STALE_PLAN = 'cached plan must not change result type'

/**
 * Stands in a statement whose best plan depends on its parameters, such as a list that is short for
 * most tenants and very long for one: it is planned at every call.
 */
export const PLANNED_EACH_TIME = '/* planned each time */'

type Statement = { name: string; text: string }

/** What Kysely calls; anything else that is asked of a client passes through as it came. */
type Query = (text: unknown, values?: unknown, ...rest: unknown[]) => Promise<unknown>

/**
 * Makes the client class of one pool. Its connections have each statement with parameters parsed
 * and planned once, under a name, rather than at every call: most of what a short statement costs
 * the database. Works behind PgBouncer in transaction mode from 1.21 on, which translates the names.
 *
 * After a migration has changed a table, plans that return all its columns are stale and Postgres
 * says so: every name is then made anew. Outside a transaction the statement is run again at once;
 * inside one the error (SQLSTATE 0A000) has ended it, and whoever began it begins again. The texts
 * are made anew too, by a comment: PgBouncer knows a statement by its text, whatever its name, and
 * would go on with the stale plan for as long as it keeps the connection.
 */
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

  /** Has every statement parsed anew; once, however many connections meet the same stale plan. */
  function forget(text: string, statement: Statement): void {
    if (statements.get(text) !== statement) return
    statements.clear()
    generation += 1
    comment = `/* ${randomBytes(4).toString('hex')} */ `
  }

  class PreparingClient extends pg.Client {}
  const plain = pg.Client.prototype.query as unknown as Query
  const query: Query = function (this: pg.Client, text, values, ...rest) {
    const isPlain = typeof text !== 'string' || !Array.isArray(values) || values.length === 0
    // A further argument is a callback, and then there is no promise to watch.
    if (isPlain || rest.length > 0) return plain.call(this, text, values, ...rest)
    const source: string = text
    const statement = prepare(source)
    if (statement === undefined) return plain.call(this, text, values)
    return plain.call(this, { ...statement, values }).catch((error: unknown) => {
      if (!(error instanceof Error) || error.message !== STALE_PLAN) throw error
      forget(source, statement)
      if (this.getTransactionStatus() !== 'I') throw error
      return plain.call(this, text, values)
    })
  }
  PreparingClient.prototype.query = query as never
  return PreparingClient
}
