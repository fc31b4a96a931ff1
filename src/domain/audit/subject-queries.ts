import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../db/database.ts'

export type Column = { name: string; type: string }

/** Expressions are SQL; columns are in the order of the key. */
type Source = {
  table: string
  key: readonly string[]
  /** When a row was written, by the database's clock; without it regular runs skip them. */
  mark?: string
  /** Columns of an index for a full scan; without it another source covers the rows. */
  order?: readonly Column[]
  /** Rows that every run reads, whenever they were written. */
  where?: string
}

export type Subjects = {
  name: string
  key: readonly Column[]
  sources: readonly Source[]
  /** Common table expressions that narrow tables of the same name to the page's rows. */
  within: readonly string[]
}

export type Keys = readonly (readonly string[])[]

export type Place = { mark: string; key: readonly string[] }

export type Touched = { mark: string; at: Date; key: string[] }

/** What of a list is read: so many after a place. */
type Part<At> = { after?: At | undefined; limit: number; rest?: Rest | undefined }

/** Awaited between two answers of a list; receives how long the one before took. */
type Rest = (readMs: number) => Promise<void>

/** From `from` until before `to`, each key once, by its first instant in that time. */
export async function selectTouched(
  tx: Tx,
  subjects: Pick<Subjects, 'key' | 'sources'>,
  { from, to }: { from: Date; to: Date },
  { after, limit, rest }: Part<Place>,
): Promise<Touched[]> {
  const names = sql.join(subjects.key.map(({ name }) => sql.ref(name)))
  const parts = subjects.sources.flatMap(({ table, mark, key }) =>
    mark === undefined
      ? []
      : sql`SELECT ${sql.raw(mark)}, ${asTexts(key)} FROM ${sql.raw(table)}
            WHERE ${sql.raw(mark)} >= ${from} AND ${sql.raw(mark)} < ${to}`,
  )
  const later = after
    ? sql`WHERE (mark, ${names}) > (${after.mark}::timestamptz, ${sql.join(after.key)})`
    : sql``
  // @across tenants: what was written in a while.
  // @plan reads everything: what was written in a while, to name each of its subjects once.
  return await readList(
    tx,
    sql`SELECT mark::text AS mark, mark AS at, ARRAY[${names}] AS key FROM (
      SELECT min(mark) AS mark, ${names}
      FROM (${sql.join(parts, sql` UNION ALL `)}) AS written (mark, ${names})
      GROUP BY ${names}
    ) AS touched ${later} ORDER BY touched.mark, ${names} LIMIT ${limit}`,
    rest,
  )
}

export async function selectAll(
  tx: Tx,
  { table, key, where, order = [] }: Source,
  { after, limit, rest }: Part<readonly string[]>,
): Promise<{ place: string[]; subject: string[] }[]> {
  // @across tenants: every row, in the order of an index.
  const values = order.map(({ type }, i) => sql`${after?.[i] ?? ''}::${sql.raw(type)}`)
  const columns = sql.join(order.map(({ name }) => sql.ref(name)))
  const conditions = [
    ...(where === undefined ? [] : [sql`${sql.raw(where)}`]),
    ...(after ? [sql`(${columns}) > (${sql.join(values)})`] : []),
  ]
  const filter = conditions.length > 0 ? sql`WHERE ${sql.join(conditions, sql` AND `)}` : sql``
  return await readList(
    tx,
    sql`SELECT DISTINCT ARRAY[${asTexts(order.map(({ name }) => name))}] AS place,
      ARRAY[${asTexts(key)}] AS "subject", ${columns}
    FROM ${sql.raw(table)} ${filter} ORDER BY ${columns} LIMIT ${limit}`,
    rest,
  )
}

/** A large answer holds up all else that its process does, for as long as it is parsed. */
const ROWS_AT_ONCE = 200

async function readList<Row>(
  tx: Tx,
  query: RawBuilder<unknown>,
  rest: Rest | undefined,
): Promise<Row[]> {
  await sql`DECLARE listed CURSOR FOR ${query}`.execute(tx)
  const all: Row[] = []
  for (;;) {
    const startedAt = performance.now()
    const { rows } = await sql<Row>`FETCH ${sql.lit(ROWS_AT_ONCE)} FROM listed`.execute(tx)
    all.push(...rows)
    if (rows.length < ROWS_AT_ONCE) break
    await rest?.(performance.now() - startedAt)
  }
  await sql`CLOSE listed`.execute(tx)
  return all
}

const asTexts = (expressions: readonly string[]) =>
  sql.join(expressions.map((expression) => sql`(${sql.raw(expression)})::text`))

export function pageOf(subjects: Subjects, keys: Keys): RawBuilder<unknown> {
  const columns = subjects.key.map(
    ({ type }, i) => sql`${keys.map((key) => key[i])}::text[]::${sql.raw(type)}[]`,
  )
  const names = subjects.key.map(({ name }) => sql.ref(name))
  const page = sql`page AS MATERIALIZED (
    SELECT * FROM unnest(${sql.join(columns)}) AS p (${sql.join(names)}))`
  return sql.join([page, ...subjects.within.map((expression) => sql.raw(expression))])
}

/** A page reads few rows of large tables: indexes serve it, and the order, whatever the statistics are. */
export async function preferIndexes(tx: Tx): Promise<void> {
  await sql`SELECT set_config('enable_seqscan', 'off', true),
    set_config('enable_sort', 'off', true), set_config('jit', 'off', true)`.execute(tx)
}

export async function selectNow(tx: Tx): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`SELECT clock_timestamp() AS now`.execute(tx)
  return rows[0]?.now ?? new Date(0)
}
