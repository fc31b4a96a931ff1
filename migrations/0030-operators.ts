import { type Kysely, sql } from 'kysely'

export const oldestBuild = '0021-stack'

/** The people of the lender, and what they and the lender's commands did. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
    CREATE TABLE operators (
      operator_id text PRIMARY KEY,
      email       text NOT NULL CHECK (email <> '' AND email = lower(email)),
      name        text NOT NULL CHECK (name <> ''),
      role        text NOT NULL CHECK (role IN ('viewer', 'reviewer', 'risk', 'admin')),
      created_at  timestamptz NOT NULL,
      removed_at  timestamptz
    );
    CREATE UNIQUE INDEX operators_one_by_email ON operators (email) WHERE removed_at IS NULL;

    -- Written with the act, in its transaction; never altered. Numbers have no gap.
    CREATE TABLE operator_actions (
      number        bigint PRIMARY KEY CHECK (number > 0),
      -- Null: the system's user who ran a command.
      operator_id   text REFERENCES operators,
      -- The operator's e-mail address at the time, or os: and the system's user.
      actor         text NOT NULL CHECK (actor <> ''),
      action        text NOT NULL CHECK (action <> ''),
      subject_kind  text,
      subject_id    text,
      tenant        text,
      reason        text,
      before        jsonb,
      after         jsonb,
      -- Null: not by a request.
      request_id    text,
      acted_at      timestamptz NOT NULL,
      previous_hash bytea NOT NULL CHECK (octet_length(previous_hash) = 32),
      hash          bytea NOT NULL CHECK (octet_length(hash) = 32),
      written_at    timestamptz NOT NULL DEFAULT now()
    );
    CREATE INDEX operator_actions_written ON operator_actions (written_at, number);
    CREATE INDEX operator_actions_of_subject ON operator_actions (subject_id, number)
      WHERE subject_id IS NOT NULL;

    -- The last action of the chain.
    CREATE TABLE operator_trail (
      only_row    boolean PRIMARY KEY DEFAULT true CHECK (only_row),
      last_number bigint NOT NULL DEFAULT 0,
      last_hash   bytea NOT NULL DEFAULT decode(repeat('00', 32), 'hex')
        CHECK (octet_length(last_hash) = 32)
    );
    INSERT INTO operator_trail DEFAULT VALUES;

    -- hash = SHA-256(previous hash, the other columns as a JSON array).
    CREATE FUNCTION operator_action_hash(previous_hash bytea, content jsonb) RETURNS bytea
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN sha256(previous_hash || convert_to(content::text, 'UTF8'));
  `)
    .execute(db)
}
