import { type Kysely, sql } from 'kysely'

export const oldestBuild = '0021-stack'

/** Acts that one operator proposes and another confirms. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
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
  `)
    .execute(db)
}
