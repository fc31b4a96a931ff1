import { type Kysely, sql } from 'kysely'

/** The people of a tenant who use the console, how they sign in, and what they did there. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
    CREATE TABLE console_people (
      tenant_id       text NOT NULL REFERENCES tenants,
      person_id       text NOT NULL,
      -- A–Z alone are folded: lower folds by the server's locale.
      email           text NOT NULL CHECK (email <> '' AND email COLLATE "C" !~ '[A-Z]'),
      -- The address that a link mailed to it confirmed. Another one in email is not confirmed.
      confirmed_email text,
      name            text NOT NULL CHECK (name <> ''),
      role            text NOT NULL CHECK (role IN ('viewer', 'developer', 'admin')),
      -- Who this is at the OIDC provider, since the first sign-in there.
      oidc_subject    text,
      -- When that identity was bound, and from when it is replaced by a new link.
      oidc_bound_at   timestamptz,
      oidc_ends_at    timestamptz,
      -- Whether they are written to when a webhook fails.
      failure_mails   boolean NOT NULL DEFAULT false,
      -- What was done to their account until then, they have seen.
      notices_seen_at timestamptz,
      created_at      timestamptz NOT NULL,
      removed_at      timestamptz,
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
      -- Given by the system's user at the command line.
      is_trusted    boolean NOT NULL DEFAULT false,
      created_at    timestamptz NOT NULL,
      expires_at    timestamptz NOT NULL CHECK (expires_at > created_at),
      used_at       timestamptz,
      -- What its person signed in with when it was opened ends then. Null: there was nothing, or it was
      -- refused.
      replaces_at   timestamptz
        CHECK (replaces_at IS NULL OR used_at IS NOT NULL AND used_at < replaces_at),
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
      -- Null: since ever; the way back, by a link of the system's user.
      held_since    timestamptz DEFAULT now(),
      last_used_at  timestamptz,
      -- Replaced by a new link from then on.
      ends_at       timestamptz,
      PRIMARY KEY (tenant_id, passkey_id),
      FOREIGN KEY (tenant_id, person_id) REFERENCES console_people,
      UNIQUE (tenant_id, credential_id)
    );
    CREATE INDEX console_passkeys_by_person ON console_passkeys (tenant_id, person_id);

    -- What a passkey signs, once. Before a sign-in no tenant is known.
    CREATE TABLE console_challenges (
      challenge  bytea PRIMARY KEY CHECK (length(challenge) = 32),
      purpose    text NOT NULL CHECK (purpose IN ('sign_in', 'add_passkey', 'confirm')),
      -- Whose passkey, and for which act; empty at a sign-in.
      subject    text NOT NULL CHECK ((purpose = 'sign_in') = (subject = '')),
      expires_at timestamptz NOT NULL
    );
    CREATE INDEX console_challenges_by_age ON console_challenges (expires_at);

    -- Written with the act, in its transaction; never altered.
    CREATE TABLE console_actions (
      tenant_id  text NOT NULL REFERENCES tenants,
      action_id  text NOT NULL,
      -- A person or an API key. Null in both: the operator.
      person_id  text,
      key_id     text,
      action     text NOT NULL CHECK (action <> ''),
      subject    text,
      before     jsonb,
      after      jsonb,
      -- Null: not by a request.
      request_id text,
      acted_at   timestamptz NOT NULL,
      PRIMARY KEY (tenant_id, action_id),
      FOREIGN KEY (tenant_id, person_id) REFERENCES console_people,
      FOREIGN KEY (tenant_id, key_id) REFERENCES api_keys,
      CHECK (person_id IS NULL OR key_id IS NULL)
    );
    CREATE INDEX console_actions_of_made_keys ON console_actions (tenant_id, subject, person_id)
      WHERE action = 'createKey';
    CREATE INDEX console_actions_about_people ON console_actions (tenant_id, acted_at)
      WHERE action IN ('changePerson', 'endFormerAccess', 'invitePersonAgain', 'bindIdentity',
        'addPasskey', 'removePasskey');
    CREATE INDEX console_actions_of_invitations ON console_actions (tenant_id, acted_at)
      WHERE action IN ('invitePerson', 'invitePersonAgain') AND person_id IS NOT NULL;
  `)
    .execute(db)
}
