import { Kysely, PostgresDialect } from 'kysely'
import type { Tx } from '../../src/db/database.ts'
import type { Tables } from '../../src/db/schema/tables.ts'
import { CURSOR_OF } from '../plans/explain.ts'
import type { Call, Sample } from '../plans/sample.ts'
import type { Statement } from './check-routing.ts'

/**
 * What a function sends to a database that finds nothing, and to one that finds something. A function
 * may fail over such rows: what it has sent by then counts.
 */
export async function recordStatements(call: Call, sample: Sample): Promise<Statement[]> {
  const sent: Statement[] = []
  for (const rows of [[], [SOME_ROW]]) {
    try {
      await call(connectTo(rows, sent), sample)
    } catch {
      // Of the rows, which are not what it asked for.
    }
  }
  return sent
}

/** Has a value under each name. */
const SOME_ROW = new Proxy({}, { get: (_row, name) => (name === 'then' ? undefined : 1n) })

const MOST_SENT = 50

function connectTo(rows: readonly unknown[], sent: Statement[]): Tx {
  let left = MOST_SENT
  const connection = {
    query: async (text: string, parameters: readonly unknown[]) => {
      if (left === 0) throw new Error('the same rows again and again')
      left -= 1
      sent.push({ text: text.replace(CURSOR_OF, ''), parameters })
      return { command: 'SELECT', rowCount: rows.length, rows }
    },
    release: () => undefined,
  }
  const pool = { connect: async () => connection, end: async () => undefined }
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool: pool as never }) }) as Tx
}
