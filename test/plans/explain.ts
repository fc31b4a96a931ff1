import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import type { Tx } from '../../src/db/database.ts'
import { PLANNED_EACH_TIME } from '../../src/db/known-statements.ts'
import type { Tables } from '../../src/db/schema/tables.ts'
import type { PlanNode } from './check-plan.ts'

/** One statement that a function sent, with how PostgreSQL ran it. */
export type Explained = {
  text: string
  /** Whether the plan is the one for any parameters, which a prepared statement may come to use. */
  isGeneric: boolean
  plan: PlanNode
  ms: number | undefined
  /** Length of the longest list among the parameters: what was asked for. */
  asked: number
}

type Mode = 'run' | 'plan'

/** Also behind a mark such as WITH_NEXT. */
const EXPLAINABLE = /^\s*(?:\/\*.*?\*\/\s*)*(?:WITH|SELECT|INSERT|UPDATE|DELETE|MERGE)\b/i

/** A list that is read through a cursor is explained by itself. */
export const CURSOR_OF = /^\s*DECLARE \w+ CURSOR FOR\b/
const OF_CURSOR = /^\s*(?:FETCH|CLOSE)\b/

/**
 * Calls `run` in a transaction that is rolled back, with a handle that explains each statement before
 * it is run: once planned for its parameters and once for any. With `plan` they are explained without
 * being run in full, and the statement is answered with no rows.
 */
export async function explainStatements(
  client: pg.Client,
  mode: Mode,
  run: (tx: Tx) => Promise<unknown>,
): Promise<{ explained: Explained[]; sent: number }> {
  const explained: Explained[] = []
  let sent = 0
  const connection = {
    query: async (text: string, parameters: readonly unknown[]) => {
      sent += 1
      const nothing = { command: 'SELECT', rowCount: 0, rows: [] }
      const query = text.replace(CURSOR_OF, '')
      if (mode === 'plan' && OF_CURSOR.test(text)) return nothing
      if (!EXPLAINABLE.test(query)) return await client.query(text, [...parameters])
      for (const isGeneric of isPrepared(text) && mode === 'run' ? [false, true] : [false]) {
        const { Plan: plan, 'Execution Time': ms } = await explain(client, {
          text: query,
          parameters,
          isGeneric,
          mode,
        })
        explained.push({ text: query, isGeneric, plan, ms, asked: longestList(parameters) })
      }
      if (mode === 'plan') return nothing
      return await client.query(text, [...parameters])
    },
    release: () => undefined,
  }
  const pool = { connect: async () => connection, end: async () => undefined }
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: pool as never }) })
  await client.query('BEGIN')
  try {
    await run(db as Tx)
  } finally {
    await client.query('ROLLBACK; DEALLOCATE ALL')
  }
  return { explained, sent }
}

type Answer = { Plan: PlanNode; 'Execution Time'?: number }

const isPrepared = (text: string) => !text.includes(PLANNED_EACH_TIME)

type Statement = { text: string; parameters: readonly unknown[]; isGeneric: boolean; mode: Mode }

async function explain(client: pg.Client, statement: Statement): Promise<Answer> {
  const { text, parameters, isGeneric, mode } = statement
  const values = parameters.map((value) => toLiteral(client, value))
  const analyse = mode === 'run' ? 'ANALYZE, TIMING OFF,' : ''
  await client.query(`SAVEPOINT explained;
    SET LOCAL plan_cache_mode = force_${isGeneric ? 'generic' : 'custom'}_plan`)
  await client.query(`PREPARE explained AS ${text}`)
  const { rows } = await client.query(
    `EXPLAIN (${analyse} FORMAT JSON)
     EXECUTE explained ${values.length > 0 ? `(${values.join(', ')})` : ''}`,
  )
  await client.query('DEALLOCATE explained; ROLLBACK TO SAVEPOINT explained')
  return rows[0]['QUERY PLAN'][0]
}

/** As the driver would send it, in a form that takes the type of the parameter it stands for. */
function toLiteral(client: pg.Client, value: unknown): string {
  if (Buffer.isBuffer(value)) return `'\\x${value.toString('hex')}'`
  const text = prepareValue(value)
  return text === null ? 'NULL' : client.escapeLiteral(String(text))
}

const { prepareValue } = (pg as unknown as { utils: { prepareValue(v: unknown): unknown } }).utils

function longestList(parameters: readonly unknown[]): number {
  return Math.max(0, ...parameters.map((value) => (Array.isArray(value) ? value.length : 0)))
}
