import { type RawBuilder, sql } from 'kysely'

/** The next state of a row, where it is in the one that it was read in; else its update fails. For one
 * that is sent with the next statement, so that nobody sees how many rows it changed. Its row must be
 * locked, or be there for certain. */
export function unlessChanged<State extends string>(
  column: 'state' | 'status',
  { was, next, name }: { was: State; next: State; name: string },
): RawBuilder<State> {
  const changed = `${name} changed under its lock: `
  // A text that is no truth value is an error, which shows it. In SET, it is evaluated for that row alone.
  return sql<State>`CASE WHEN ${sql.ref(column)} = ${was}::text THEN ${next}::text
    ELSE (${changed}::text || ${sql.ref(column)})::boolean::text END`
}
