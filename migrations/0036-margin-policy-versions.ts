import { type Kysely, sql } from 'kysely'

export const oldestBuild = '0021-stack'

/** Versions of the margin policy, and the withdrawal of those that had not taken effect. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
    -- Never altered. Before the first one the service's own terms are in force.
    CREATE TABLE margin_policy_versions (
      number         integer PRIMARY KEY CHECK (number > 0),
      -- Whole, in the form of a policy file.
      terms          jsonb NOT NULL,
      effective_from timestamptz NOT NULL,
      note           text NOT NULL CHECK (note <> ''),
      -- Addresses of operators at the time, or os: and the system's user.
      proposed_by    text NOT NULL CHECK (proposed_by <> ''),
      signed_by      text NOT NULL CHECK (signed_by <> ''),
      created_at     timestamptz NOT NULL CHECK (created_at < effective_from)
    );

    -- Never altered.
    CREATE TABLE margin_policy_withdrawals (
      number       integer PRIMARY KEY REFERENCES margin_policy_versions,
      note         text NOT NULL CHECK (note <> ''),
      proposed_by  text NOT NULL CHECK (proposed_by <> ''),
      signed_by    text NOT NULL CHECK (signed_by <> ''),
      withdrawn_at timestamptz NOT NULL
    );
  `)
    .execute(db)
}
