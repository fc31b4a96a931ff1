import { type Kysely, sql } from 'kysely'

/** The people of the lender, how they and their programs sign in, and what they did. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
    CREATE TABLE operators (
      operator_id     text PRIMARY KEY,
      email           text NOT NULL CHECK (email <> '' AND email COLLATE "C" !~ '[A-Z]'),
      -- The address that a link mailed to it confirmed. Another one in email is not confirmed.
      confirmed_email text,
      name            text NOT NULL CHECK (name <> ''),
      role            text NOT NULL CHECK (role IN ('viewer', 'reviewer', 'risk', 'admin')),
      -- Who this is at the OIDC provider, since the first sign-in there.
      oidc_subject    text,
      -- When that identity was bound, and from when it is replaced by a new link.
      oidc_bound_at   timestamptz,
      oidc_ends_at    timestamptz,
      -- What was done to their account until then, they have seen.
      notices_seen_at timestamptz,
      created_at      timestamptz NOT NULL,
      removed_at      timestamptz
    );
    CREATE UNIQUE INDEX operators_one_by_email ON operators (email) WHERE removed_at IS NULL;
    CREATE UNIQUE INDEX operators_one_by_subject ON operators (oidc_subject)
      WHERE removed_at IS NULL AND oidc_subject IS NOT NULL;

    CREATE TABLE operator_invitations (
      invitation_id text PRIMARY KEY,
      operator_id   text NOT NULL REFERENCES operators,
      -- A link of a local stack signs in by itself; after an invitation a passkey is added first.
      kind          text NOT NULL CHECK (kind IN ('invitation', 'link')),
      token_hash    bytea NOT NULL UNIQUE CHECK (octet_length(token_hash) = 32),
      -- Given by the system's user at the command line.
      is_trusted    boolean NOT NULL DEFAULT false,
      created_at    timestamptz NOT NULL,
      expires_at    timestamptz NOT NULL CHECK (expires_at > created_at),
      used_at       timestamptz,
      -- What its person signed in with when it was opened ends then. Null: there was nothing, or it was
      -- refused.
      replaces_at   timestamptz
        CHECK (replaces_at IS NULL OR used_at IS NOT NULL AND used_at < replaces_at)
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
      -- Of the youngest credential that led to it; null as there.
      held_since       timestamptz DEFAULT now(),
      -- The last new proof of who it is: a link, a sign-in at the provider that asked again. For the first
      -- passkey.
      proven_at        timestamptz,
      -- When a passkey was last asked for within it.
      confirmed_at     timestamptz,
      -- What was done to the account until then, was seen in it.
      notices_seen_at  timestamptz,
      -- Written at most once a minute.
      seen_at          timestamptz NOT NULL CHECK (seen_at >= created_at),
      -- Replaced by a new link from then on.
      ends_at          timestamptz,
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
      -- Null: since ever; the way back, by a link of the system's user.
      held_since    timestamptz DEFAULT now(),
      last_used_at  timestamptz,
      -- Replaced by a new link from then on.
      ends_at       timestamptz
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

    -- API tokens of operators and their programs.
    CREATE TABLE operator_tokens (
      token_id    text PRIMARY KEY,
      operator_id text NOT NULL REFERENCES operators,
      name        text NOT NULL CHECK (name <> ''),
      token_hash  bytea NOT NULL UNIQUE CHECK (octet_length(token_hash) = 32),
      is_trusted  boolean NOT NULL DEFAULT false,
      created_at  timestamptz NOT NULL,
      expires_at  timestamptz NOT NULL CHECK (expires_at > created_at),
      -- Null: not used yet, or made by the system's user.
      held_since  timestamptz,
      -- Replaced by a new link from then on.
      ends_at     timestamptz,
      revoked_at  timestamptz
    );
    CREATE INDEX operator_tokens_by_operator ON operator_tokens (operator_id);

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
  `)
    .execute(db)
}
