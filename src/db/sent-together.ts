import type pg from 'pg'
import type { Row } from './answer-rows.ts'
import { sendReads } from './joined-reads.ts'
import type { Known } from './known-statements.ts'
import {
  type Earlier,
  type Join,
  keepBefore,
  type Prepared,
  type Result,
  rowsBefore,
} from './prepared-query.ts'

/** A statement without side effects, and its parameters. */
export type Read = { text: string; values: unknown[] }

export type ReadResult = PromiseSettledResult<Row[]>

/** What a client of ours has besides. It must be in no transaction. */
export type ReadsTogether = { readTogether(reads: readonly Read[]): Promise<ReadResult[]> }

/** The same. BEGIN is sent with its next statement. */
export type Begins = { begin(): void }

export type Named = Prepared & { statement: Known }

/** Of the transaction of a client. */
export type Progress = {
  /** It has begun and nothing was sent yet, nor is this command. */
  begins: string | undefined
  /** It was committed with its last statement. */
  isCommitted: boolean
  /** Sent with its next statement, in this order. */
  waiting: readonly Earlier[]
}

export type Client = pg.Client & { progress: Progress }

type Session = {
  nameStatement(text: unknown, values: unknown): Named | undefined
  areParsed(client: Client, all: readonly Prepared[]): boolean
  query(client: Client, text: unknown, values: unknown): Promise<unknown>
  sendJoined(
    client: Client,
    earlier: readonly Earlier[],
    last: Prepared,
    join: Omit<Join, 'earlier'>,
  ): Promise<Result>
}

/** Several reads in one message, where the connection knows the statements. */
export function createTogether({ nameStatement, areParsed, query, sendJoined }: Session) {
  const nameAll = (reads: readonly Read[]) =>
    reads.flatMap(({ text, values }) => nameStatement(text, values) ?? [])

  async function readAlone(client: Client, { text, values }: Read): Promise<Row[]> {
    return ((await query(client, text, values)) as { rows: Row[] }).rows
  }

  return {
    /** Outside a transaction. Those that a failure leaves without an answer are sent on their own. */
    async readTogether(client: Client, reads: readonly Read[]): Promise<ReadResult[]> {
      const all = nameAll(reads)
      const isJoined = all.length === reads.length && areParsed(client, all)
      const answers = isJoined ? await sendReads(client, all) : []
      const results: ReadResult[] = answers.map((value) => ({ status: 'fulfilled', value }))
      for (const read of reads.slice(answers.length)) {
        results.push(...(await Promise.allSettled([readAlone(client, read)])))
      }
      return results
    },

    /** In a transaction, with what waits for its next statement. One that fails is the failure of all. */
    async readWithin(client: Client, reads: readonly Read[]): Promise<{ rows: Row[][] }> {
      const { progress } = client
      const all = nameAll(reads)
      const last = all.at(-1)
      if (!last || all.length < reads.length || progress.isCommitted) {
        const rows: Row[][] = []
        for (const read of reads) rows.push(await readAlone(client, read))
        return { rows }
      }
      const { begins, waiting } = progress
      progress.begins = undefined
      progress.waiting = []
      const earlier = all.slice(0, -1).map((one) => ({ ...one, isRead: true }))
      const result = await sendJoined(client, [...waiting, ...earlier], last, { begins })
      const before = rowsBefore<Row>(result.rows)
      const ofWaiting = before.length - earlier.length
      const rows = [...before.slice(ofWaiting), result.rows]
      keepBefore({ rows: rows[0] ?? [] }, before.slice(0, ofWaiting))
      return { rows }
    },
  }
}
