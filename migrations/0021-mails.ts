import { type Kysely, sql } from 'kysely'

/** Which addresses were asked to confirm, and what is mailed to people. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
    -- When an address was last mailed the question whether it is theirs, whichever tenant's person has
    -- it: one row for all of them.
    CREATE TABLE asked_addresses (
      address  text PRIMARY KEY CHECK (address <> '' AND address COLLATE "C" !~ '[A-Z]'),
      -- A tenant's id, or 'lender'.
      asked_by text NOT NULL,
      asked_at timestamptz NOT NULL
    );
    CREATE INDEX asked_addresses_by_asker ON asked_addresses (asked_by, asked_at);
    CREATE INDEX asked_addresses_by_age ON asked_addresses (asked_at);

    -- Mails to people about their own account. What they say follows from the row.
    CREATE TABLE console_mails (
      tenant_id  text NOT NULL,
      mail_id    uuid NOT NULL,
      person_id  text NOT NULL,
      kind       text NOT NULL CHECK (kind <> ''),
      -- An id of ours.
      subject_id text CHECK (subject_id ~ '^[0-9a-z_]{1,40}$'),
      asked_at   timestamptz NOT NULL,
      sent_at    timestamptz,
      PRIMARY KEY (tenant_id, mail_id),
      FOREIGN KEY (tenant_id, person_id) REFERENCES console_people
    );
    CREATE INDEX console_mails_by_age ON console_mails (asked_at);

    CREATE TABLE operator_mails (
      mail_id     uuid PRIMARY KEY,
      operator_id text NOT NULL REFERENCES operators,
      kind        text NOT NULL CHECK (kind <> ''),
      subject_id  text CHECK (subject_id ~ '^[0-9a-z_]{1,40}$'),
      asked_at    timestamptz NOT NULL,
      sent_at     timestamptz,
      -- Null: sent, or not to be sent.
      due_at      timestamptz,
      CHECK (sent_at IS NULL OR due_at IS NULL)
    );
    CREATE INDEX operator_mails_due ON operator_mails (due_at) WHERE due_at IS NOT NULL;
    CREATE INDEX operator_mails_by_age ON operator_mails (asked_at);

    -- What a person is to learn about a webhook that fails, collected until a mail has room for it. Rows
    -- with one mail_id are one mail.
    CREATE TABLE failure_notices (
      tenant_id       text NOT NULL,
      notice_id       uuid NOT NULL,
      person_id       text NOT NULL,
      webhook_id      text NOT NULL,
      -- The most in a row.
      failed_attempts integer NOT NULL CHECK (failed_attempts >= 0),
      -- Events about margin that are not tried again by themselves.
      dead_letters    integer NOT NULL CHECK (dead_letters >= 0),
      is_disabled     boolean NOT NULL,
      first_at        timestamptz NOT NULL,
      last_at         timestamptz NOT NULL CHECK (last_at >= first_at),
      mail_id         uuid,
      reserved_at     timestamptz CHECK ((reserved_at IS NULL) = (mail_id IS NULL)),
      sent_at         timestamptz CHECK (sent_at >= reserved_at),
      PRIMARY KEY (tenant_id, notice_id),
      FOREIGN KEY (tenant_id, person_id) REFERENCES console_people,
      CHECK (sent_at IS NULL OR mail_id IS NOT NULL)
    );
    CREATE UNIQUE INDEX failure_notices_collected
      ON failure_notices (tenant_id, person_id, webhook_id) WHERE mail_id IS NULL;
    CREATE INDEX failure_notices_unsent ON failure_notices (tenant_id, person_id)
      WHERE sent_at IS NULL;
    CREATE INDEX failure_notices_reserved
      ON failure_notices (tenant_id, person_id, reserved_at) WHERE mail_id IS NOT NULL;
    CREATE INDEX failure_notices_by_age ON failure_notices (last_at);
  `)
    .execute(db)
}
