import { type Kysely, sql } from 'kysely'

export const oldestBuild = '0021-stack'

/** What programs of the lender prove themselves with at the operator API. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
    CREATE TABLE operator_tokens (
      token_id    text PRIMARY KEY,
      operator_id text NOT NULL REFERENCES operators,
      name        text NOT NULL CHECK (name <> ''),
      token_hash  bytea NOT NULL UNIQUE CHECK (octet_length(token_hash) = 32),
      created_at  timestamptz NOT NULL,
      expires_at  timestamptz NOT NULL CHECK (expires_at > created_at),
      revoked_at  timestamptz
    );
    CREATE INDEX operator_tokens_by_operator ON operator_tokens (operator_id);
  `)
    .execute(db)
}
