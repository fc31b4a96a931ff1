import { type Kysely, sql } from 'kysely'

/** What operators did, in one chain, and the acts that one proposes and another confirms. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
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
    CREATE INDEX operator_actions_of_actor ON operator_actions (actor, number);
    CREATE INDEX operator_actions_of_tenant ON operator_actions (tenant, number)
      WHERE tenant IS NOT NULL;
    CREATE INDEX operator_actions_about_people ON operator_actions (acted_at)
      WHERE subject_kind = 'operator' AND action IN ('operators.invite', 'operators.link',
        'operators.change_role', 'operators.create_token', 'operators.add_passkey',
        'operators.remove_passkey', 'operators.bind_identity');

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

    CREATE TABLE approvals (
      approval_id     text PRIMARY KEY,
      action          text NOT NULL CHECK (action <> ''),
      subject_kind    text NOT NULL,
      subject_id      text NOT NULL,
      tenant          text,
      -- What is to be done, and the states that it was proposed with.
      request         jsonb NOT NULL,
      before          jsonb,
      after           jsonb,
      reason          text NOT NULL CHECK (reason <> ''),
      proposed_by     text NOT NULL REFERENCES operators,
      proposed_at     timestamptz NOT NULL,
      -- Of the credential by which it was proposed; null as there.
      held_since      timestamptz,
      -- The last action of the record when it was proposed.
      seen_number     bigint,
      expires_at      timestamptz NOT NULL CHECK (expires_at > proposed_at),
      status          text NOT NULL CHECK (status IN ('PENDING', 'CONFIRMED', 'REJECTED')),
      decided_by      text REFERENCES operators,
      decided_at      timestamptz,
      decision_reason text,
      CHECK ((status = 'PENDING') = (decided_by IS NULL)),
      CHECK ((status = 'PENDING') = (decided_at IS NULL)),
      -- Who proposes may withdraw, and never confirms.
      CHECK (status <> 'CONFIRMED' OR decided_by <> proposed_by)
    );
    CREATE INDEX approvals_pending ON approvals (expires_at) WHERE status = 'PENDING';
    CREATE INDEX approvals_pending_of_proposer ON approvals (proposed_by, subject_id)
      WHERE status = 'PENDING';
  `)
    .execute(db)
}
