import { type Kysely, sql } from 'kysely'

export const oldestBuild = '0021-stack'

/** What the one statement needs that writes the events of a change. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
    -- The hash of each event of a list: event_hash over the one before it, and over "first" at the start.
    CREATE FUNCTION event_chain_step(last bytea, first bytea, sequence bigint, body text) RETURNS bytea
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN event_hash(coalesce(last, first), sequence, body);

    CREATE AGGREGATE event_chain(first bytea, sequence bigint, body text) (
      SFUNC = event_chain_step, STYPE = bytea
    );

    -- An id with another date: its first ten characters are the milliseconds since 1970, in base 32.
    CREATE FUNCTION dated_id(id text, at timestamptz) RETURNS text
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN split_part(id, '_', 1) || '_' || (
      SELECT string_agg(substr('0123456789abcdefghjkmnpqrstvwxyz',
        1 + (((extract(epoch FROM at) * 1000)::bigint >> (45 - 5 * place)) & 31)::integer, 1), ''
        ORDER BY place)
      FROM generate_series(0, 9) AS place
    ) || substr(split_part(id, '_', 2), 11);`)
    .execute(db)
}
