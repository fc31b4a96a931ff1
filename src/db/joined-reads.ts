import pg from 'pg'
import { AnswerRows, type Field, type Row } from './answer-rows.ts'
import { encodePrepared, type Prepared } from './prepared-query.ts'
import { DESCRIBE_AND_EXECUTE, SYNC, type Wire } from './wire.ts'

type Callback = (error: Error | undefined, answers: Row[][]) => void

/** Reads that share a message. The server skips those after one that fails. */
class JoinedReads {
  readonly callback: Callback
  readonly #answer: AnswerRows
  readonly #reads: readonly Prepared[]
  readonly #answers: Row[][] = []
  #rows: Row[] = []

  constructor(client: pg.Client, reads: readonly Prepared[], callback: Callback) {
    this.#answer = new AnswerRows(client)
    this.#reads = reads
    this.callback = callback
  }

  submit(connection: Wire): Error | null {
    try {
      const message = this.#reads.flatMap((read) => [encodePrepared(read), DESCRIBE_AND_EXECUTE])
      connection._send(Buffer.concat([...message, SYNC]))
      return null
    } catch (error) {
      return error as Error
    }
  }

  handleRowDescription({ fields }: { fields: Field[] }): void {
    const read = this.#reads[this.#answers.length]
    if (read) this.#answer.begin(read.statement, fields, this.#rows)
  }

  handleDataRow({ fields: values }: { fields: (string | null)[] }): void {
    this.#answer.add(values)
  }

  handleCommandComplete(): void {
    if (!this.#answer.unreadable) this.#answers.push(this.#rows)
    this.#rows = []
  }

  handleReadyForQuery(): void {
    this.callback(this.#answer.unreadable, this.#answers)
  }

  handleError(error: Error): void {
    this.callback(error, this.#answers)
  }

  handleEmptyQuery(): void {}

  handlePortalSuspended(): void {}
}

/** Each must be parsed. Returns the rows of those before one that failed. */
export function sendReads(client: pg.Client, reads: readonly Prepared[]): Promise<Row[][]> {
  return new Promise((resolve) => {
    const query = new JoinedReads(client, reads, (_error, answers) => resolve(answers))
    const send = pg.Client.prototype.query as (this: pg.Client, query: unknown) => unknown
    send.call(client, query)
  })
}
