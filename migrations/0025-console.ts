import { type Kysely, sql } from 'kysely'

export const oldestBuild = '0013-audit'

/** The people of a tenant who use the console, how they sign in, and what they did there. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
    CREATE TABLE console_people (
      tenant_id    text NOT NULL REFERENCES tenants,
      person_id    text NOT NULL,
      email        text NOT NULL CHECK (email <> '' AND email = lower(email)),
      name         text NOT NULL CHECK (name <> ''),
      role         text NOT NULL CHECK (role IN ('viewer', 'developer', 'admin')),
      -- Who this is at the OIDC provider, since the first sign-in there.
      oidc_subject text,
      created_at   timestamptz NOT NULL,
      removed_at   timestamptz,
      PRIMARY KEY (tenant_id, person_id)
    );
    CREATE UNIQUE INDEX console_people_one_by_email ON console_people (tenant_id, email)
      WHERE removed_at IS NULL;
    -- The OIDC provider names a person and no tenant.
    CREATE INDEX console_people_by_email ON console_people (email) WHERE removed_at IS NULL;
    CREATE INDEX console_people_by_subject ON console_people (oidc_subject)
      WHERE removed_at IS NULL AND oidc_subject IS NOT NULL;

    CREATE TABLE console_invitations (
      tenant_id     text NOT NULL,
      invitation_id text NOT NULL,
      person_id     text NOT NULL,
      -- A link of a local stack signs in by itself; after an invitation a passkey is added first.
      kind          text NOT NULL CHECK (kind IN ('invitation', 'link')),
      token_hash    bytea NOT NULL CHECK (length(token_hash) = 32),
      created_at    timestamptz NOT NULL,
      expires_at    timestamptz NOT NULL CHECK (expires_at > created_at),
      used_at       timestamptz,
      PRIMARY KEY (tenant_id, invitation_id),
      FOREIGN KEY (tenant_id, person_id) REFERENCES console_people,
      UNIQUE (tenant_id, token_hash)
    );
    CREATE INDEX console_invitations_by_person ON console_invitations (tenant_id, person_id);
    CREATE INDEX console_invitations_by_age ON console_invitations (expires_at);

    CREATE TABLE console_sessions (
      tenant_id        text NOT NULL,
      session_id       text NOT NULL,
      person_id        text NOT NULL,
      token_hash       bytea NOT NULL CHECK (length(token_hash) = 32),
      signed_in_by     text NOT NULL
        CHECK (signed_in_by IN ('link', 'invitation', 'passkey', 'oidc')),
      -- Nothing but adding a passkey is allowed until then.
      must_add_passkey boolean NOT NULL,
      created_at       timestamptz NOT NULL,
      -- Written at most once a minute.
      seen_at          timestamptz NOT NULL CHECK (seen_at >= created_at),
      ended_at         timestamptz,
      PRIMARY KEY (tenant_id, session_id),
      FOREIGN KEY (tenant_id, person_id) REFERENCES console_people,
      UNIQUE (tenant_id, token_hash)
    );
    CREATE INDEX console_sessions_open ON console_sessions (tenant_id, person_id)
      WHERE ended_at IS NULL;
    CREATE INDEX console_sessions_by_age ON console_sessions (created_at);

    CREATE TABLE console_passkeys (
      tenant_id     text NOT NULL,
      passkey_id    text NOT NULL,
      person_id     text NOT NULL,
      credential_id bytea NOT NULL CHECK (length(credential_id) BETWEEN 1 AND 1023),
      public_key    bytea NOT NULL,
      counter       bigint NOT NULL CHECK (counter >= 0),
      transports    text[] NOT NULL,
      name          text NOT NULL CHECK (name <> ''),
      created_at    timestamptz NOT NULL,
      last_used_at  timestamptz,
      PRIMARY KEY (tenant_id, passkey_id),
      FOREIGN KEY (tenant_id, person_id) REFERENCES console_people,
      UNIQUE (tenant_id, credential_id)
    );
    CREATE INDEX console_passkeys_by_person ON console_passkeys (tenant_id, person_id);

    -- What a passkey signs, once. Before a sign-in no tenant is known.
    CREATE TABLE console_challenges (
      challenge  bytea PRIMARY KEY CHECK (length(challenge) = 32),
      purpose    text NOT NULL CHECK (purpose IN ('sign_in', 'add_passkey', 'revoke_key')),
      -- Whose passkey, and which key it is to revoke; empty at a sign-in.
      subject    text NOT NULL CHECK ((purpose = 'sign_in') = (subject = '')),
      expires_at timestamptz NOT NULL
    );
    CREATE INDEX console_challenges_by_age ON console_challenges (expires_at);

    -- Written with the act, in its transaction; never altered.
    CREATE TABLE console_actions (
      tenant_id  text NOT NULL REFERENCES tenants,
      action_id  text NOT NULL,
      -- Null: the operator.
      person_id  text,
      action     text NOT NULL CHECK (action <> ''),
      subject    text,
      before     jsonb,
      after      jsonb,
      -- Null: not by a request.
      request_id text,
      acted_at   timestamptz NOT NULL,
      PRIMARY KEY (tenant_id, action_id),
      FOREIGN KEY (tenant_id, person_id) REFERENCES console_people
    );

    -- Written at most once a minute.
    ALTER TABLE api_keys ADD COLUMN last_used_at timestamptz;
  `)
    .execute(db)
}
