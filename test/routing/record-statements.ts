import { type Db, inTransaction } from '../../src/db/database.ts'
import { CURSOR_OF } from '../plans/explain.ts'
import type { Call, Sample } from '../plans/sample.ts'
import { openFake } from '../support/stores/fake-database.ts'
import type { Statement } from './check-routing.ts'

/**
 * What a function sends to a database that finds nothing, and to one that finds something. A function
 * may fail over such rows: what it has sent by then counts.
 */
export async function recordStatements(call: Call, sample: Sample): Promise<Statement[]> {
  const sent: Statement[] = []
  for (const rows of [[], [SOME_ROW]]) {
    try {
      await inTransaction(connectTo(rows, sent), (tx) => call(tx, sample))
    } catch {
      // Of the rows, which are not what it asked for.
    }
  }
  return sent
}

/** Has a value under each name. */
const SOME_ROW = new Proxy({}, { get: (_row, name) => (name === 'then' ? undefined : 1n) })

const MOST_SENT = 50

function connectTo(rows: readonly unknown[], sent: Statement[]): Db {
  let left = MOST_SENT
  return openFake(async ({ text, values = [] }) => {
    if (left === 0) throw new Error('the same rows again and again')
    left -= 1
    sent.push({ text: text.replace(CURSOR_OF, ''), parameters: values })
    return { command: 'SELECT', rowCount: rows.length, rows: [...rows] }
  })
}
