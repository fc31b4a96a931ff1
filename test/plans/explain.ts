import pg from 'pg'
import { inTransaction, type Tx } from '../../src/db/database.ts'
import { openFake } from '../support/stores/fake-database.ts'
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

const EXPLAINABLE = /^[\s(]*(?:WITH|SELECT|INSERT|UPDATE|DELETE|MERGE)\b/i

/** A list that is read through a cursor is explained by itself. */
export const CURSOR_OF = /^\s*DECLARE \w+ CURSOR FOR\b/
const OF_CURSOR = /^\s*(?:FETCH|CLOSE)\b/

/** Plans each statement for its parameters, and has it report how that plan ran. */
const REPORT_PLANS = `
  LOAD 'auto_explain';
  SET LOCAL auto_explain.log_min_duration = 0; SET LOCAL auto_explain.log_analyze = on;
  SET LOCAL auto_explain.log_timing = off; SET LOCAL auto_explain.log_format = json;
  SET LOCAL client_min_messages = log; SET LOCAL plan_cache_mode = force_custom_plan`

/**
 * Calls `run` in a transaction that is rolled back, with a handle that explains each statement: by the
 * plan for any parameters, which is undone, and by the plan for its own, as which it runs. With `plan`
 * they are explained without being run, and the statement is answered with no rows.
 */
export async function explainStatements(
  client: pg.Client,
  mode: Mode,
  run: (tx: Tx) => Promise<unknown>,
): Promise<{ explained: Explained[]; sent: number }> {
  const explained: Explained[] = []
  let sent = 0
  const db = openFake(async ({ text, values: parameters = [], name }) => {
    sent += 1
    const query = text.replace(CURSOR_OF, '')
    if (mode === 'plan' && OF_CURSOR.test(text)) return NOTHING
    if (!EXPLAINABLE.test(query)) return await client.query(text, [...parameters])
    const add = (isGeneric: boolean, { Plan: plan, ms }: Answer) =>
      explained.push({ text: query, isGeneric, plan, ms, asked: longestList(parameters) })
    const explainFor = (isGeneric: boolean) =>
      explain(client, { text: query, parameters, isGeneric, mode })
    const isPrepared = name !== undefined
    if (mode === 'run' && isPrepared) add(true, await explainFor(true))
    if (mode === 'run' && query === text) {
      const { result, answer } = await runReported(client, text, parameters)
      add(false, answer)
      return result
    }
    add(false, await explainFor(false))
    return mode === 'plan' ? NOTHING : await client.query(text, [...parameters])
  })
  await client.query(`BEGIN; ${REPORT_PLANS}`)
  try {
    await inTransaction(db, run)
  } finally {
    await client.query('ROLLBACK; DEALLOCATE ALL')
  }
  return { explained, sent }
}

const NOTHING = { command: 'SELECT', rowCount: 0, rows: [] }

type Answer = { Plan: PlanNode; ms: number | undefined }

/** Runs a statement as it is sent. */
async function runReported(client: pg.Client, text: string, parameters: readonly unknown[]) {
  let answer: Answer | undefined
  // A function in it may report statements of its own.
  const listen = ({ message = '' }: { message?: string | undefined }) => {
    const [, ms, json] = /^duration: ([\d.]+) ms {2}plan:\n(.*)$/s.exec(message) ?? []
    if (json === undefined) return
    const report = JSON.parse(json)
    if (report['Query Text'] === text) answer = { Plan: report.Plan, ms: Number(ms) }
  }
  client.on('notice', listen)
  try {
    const result = await client.query(text, [...parameters])
    // The server ends a statement, and reports it, when the next one takes its place.
    await client.query('SET LOCAL auto_explain.log_min_duration = 0')
    if (answer === undefined) throw new Error(`reports no plan: ${text}`)
    return { result, answer }
  } finally {
    client.off('notice', listen)
  }
}

type Statement = { text: string; parameters: readonly unknown[]; isGeneric: boolean; mode: Mode }

async function explain(client: pg.Client, statement: Statement): Promise<Answer> {
  const { text, parameters, isGeneric, mode } = statement
  const values = parameters.map((value) => toLiteral(client, value))
  const analyse = mode === 'run' ? 'ANALYZE, TIMING OFF,' : ''
  await client.query(`SAVEPOINT explained;
    SET LOCAL auto_explain.log_min_duration = -1;
    SET LOCAL plan_cache_mode = force_${isGeneric ? 'generic' : 'custom'}_plan`)
  await client.query(`PREPARE explained AS ${text}`)
  const { rows } = await client.query(
    `EXPLAIN (${analyse} FORMAT JSON)
     EXECUTE explained ${values.length > 0 ? `(${values.join(', ')})` : ''}`,
  )
  await client.query('DEALLOCATE explained; ROLLBACK TO SAVEPOINT explained')
  const [{ Plan, 'Execution Time': ms }] = rows[0]['QUERY PLAN']
  return { Plan, ms }
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
