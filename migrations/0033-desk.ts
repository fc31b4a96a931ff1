import { type Kysely, sql } from 'kysely'

export const oldestBuild = '0021-stack'

/** How operators sign in to the desk, what their repeated requests were answered, and by which
 * lists their actions are read. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
    -- Who this is at the OIDC provider, since the first sign-in there.
    ALTER TABLE operators ADD COLUMN oidc_subject text;
    CREATE UNIQUE INDEX operators_one_by_subject ON operators (oidc_subject)
      WHERE removed_at IS NULL AND oidc_subject IS NOT NULL;

    CREATE TABLE operator_invitations (
      invitation_id text PRIMARY KEY,
      operator_id   text NOT NULL REFERENCES operators,
      -- A link of a local stack signs in by itself; after an invitation a passkey is added first.
      kind          text NOT NULL CHECK (kind IN ('invitation', 'link')),
      token_hash    bytea NOT NULL UNIQUE CHECK (octet_length(token_hash) = 32),
      created_at    timestamptz NOT NULL,
      expires_at    timestamptz NOT NULL CHECK (expires_at > created_at),
      used_at       timestamptz
    );
    CREATE INDEX operator_invitations_by_operator ON operator_invitations (operator_id);
    CREATE INDEX operator_invitations_by_age ON operator_invitations (expires_at);

    CREATE TABLE operator_sessions (
      session_id       text PRIMARY KEY,
      operator_id      text NOT NULL REFERENCES operators,
      token_hash       bytea NOT NULL UNIQUE CHECK (octet_length(token_hash) = 32),
      signed_in_by     text NOT NULL
        CHECK (signed_in_by IN ('link', 'invitation', 'passkey', 'oidc')),
      -- Nothing but adding a passkey is allowed until then.
      must_add_passkey boolean NOT NULL,
      created_at       timestamptz NOT NULL,
      -- Written at most once a minute.
      seen_at          timestamptz NOT NULL CHECK (seen_at >= created_at),
      ended_at         timestamptz
    );
    CREATE INDEX operator_sessions_open ON operator_sessions (operator_id) WHERE ended_at IS NULL;
    CREATE INDEX operator_sessions_by_age ON operator_sessions (created_at);

    CREATE TABLE operator_passkeys (
      passkey_id    text PRIMARY KEY,
      operator_id   text NOT NULL REFERENCES operators,
      credential_id bytea NOT NULL UNIQUE CHECK (octet_length(credential_id) BETWEEN 1 AND 1023),
      public_key    bytea NOT NULL,
      counter       bigint NOT NULL CHECK (counter >= 0),
      transports    text[] NOT NULL,
      name          text NOT NULL CHECK (name <> ''),
      created_at    timestamptz NOT NULL,
      last_used_at  timestamptz
    );
    CREATE INDEX operator_passkeys_by_operator ON operator_passkeys (operator_id);

    -- What a passkey signs, once.
    CREATE TABLE operator_challenges (
      challenge  bytea PRIMARY KEY CHECK (octet_length(challenge) = 32),
      purpose    text NOT NULL CHECK (purpose IN ('sign_in', 'add_passkey', 'confirm')),
      -- Whose passkey, and for which act; empty at a sign-in.
      subject    text NOT NULL CHECK ((purpose = 'sign_in') = (subject = '')),
      expires_at timestamptz NOT NULL
    );
    CREATE INDEX operator_challenges_by_age ON operator_challenges (expires_at);

    -- What a write of the operator API was answered, by its Idempotency-Key.
    CREATE TABLE operator_answers (
      operator_id text NOT NULL REFERENCES operators,
      key         uuid NOT NULL,
      -- Of method, target and body.
      fingerprint bytea NOT NULL CHECK (octet_length(fingerprint) = 32),
      status      smallint NOT NULL,
      -- Null: it held a secret, which is shown once.
      body        text,
      recorded_at timestamptz NOT NULL,
      PRIMARY KEY (operator_id, key)
    );
    CREATE INDEX operator_answers_by_age ON operator_answers (recorded_at);

    CREATE INDEX operator_actions_of_actor ON operator_actions (actor, number);
    CREATE INDEX operator_actions_of_tenant ON operator_actions (tenant, number)
      WHERE tenant IS NOT NULL;

    -- The last action of the record when it was proposed. Null: proposed by an earlier build.
    ALTER TABLE approvals ADD COLUMN seen_number bigint;
    CREATE INDEX approvals_pending_of_proposer ON approvals (proposed_by, subject_id)
      WHERE status = 'PENDING';
  `)
    .execute(db)
}
