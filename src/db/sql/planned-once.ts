import { type RawBuilder, sql } from 'kysely'

/** A list for `unnest` whose length the planner does not see. Where it sees one element it expects
 * less than of the ten it takes for granted in a kept plan, so it would plan at every call. */
export function ofUnseenLength(
  values: readonly unknown[],
  type: 'text' | 'int',
): RawBuilder<unknown> {
  return sql`(SELECT ${values}::${sql.raw(type)}[])`
}

/** Of such a list of text, after an equals sign. */
export function anyOf(values: readonly string[]): RawBuilder<string> {
  return sql<string>`ANY (${ofUnseenLength(values, 'text')}::text[])`
}
