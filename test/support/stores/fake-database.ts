import type { Client } from '../../../src/db/connections/session.ts'
import { Database } from '../../../src/db/database.ts'

type Answer = { command: string; rowCount: number | null; rows: unknown[] }

const isOfTransaction = (text: string) => /^(?:BEGIN|COMMIT|ROLLBACK)$/.test(text)

/** A database whose statements are answered one after the other by `answer`. Transactions begin and end in
 * name alone. */
export function openFake(
  answer: (query: Parameters<Client['query']>[0]) => Promise<Answer>,
): Database {
  let last: Promise<unknown> = Promise.resolve()
  const client: Client = {
    async query<Row>(query: Parameters<Client['query']>[0]) {
      if (isOfTransaction(query.text)) return { command: query.text, rowCount: null, rows: [] }
      const before = last
      const answered = before.catch(() => undefined).then(() => answer(query))
      last = answered
      return (await answered) as Answer & { rows: Row[] }
    },
    getTransactionStatus: () => 'I',
    release: () => undefined,
    destroy: () => undefined,
  }
  const connections = { connect: async () => client }
  const counts = { totalCount: 1, idleCount: 0, waitingCount: 0 }
  const pool = { ...connections, ...counts, ending: false, end: async () => undefined }
  return new Database({ connections, pool })
}
