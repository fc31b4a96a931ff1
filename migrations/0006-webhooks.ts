import { type Kysely, sql } from 'kysely'

/** Webhooks, their signing secrets, and recoveries of what they have missed. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
    CREATE TABLE signing_secrets (
      tenant_id  text PRIMARY KEY REFERENCES tenants,
      secret_id  text NOT NULL,
      sealed     text NOT NULL,
      created_at timestamptz NOT NULL,
      changed_at timestamptz NOT NULL DEFAULT now()
    );

    CREATE TABLE webhooks (
      tenant_id           text NOT NULL REFERENCES tenants,
      webhook_id          text NOT NULL,
      url                 text NOT NULL,
      event_types         text[] NOT NULL,
      label               text,
      state               text NOT NULL CHECK (state IN ('active', 'disabled', 'deleted')),
      -- The tenant's last event number at registration: replay begins after it.
      registered_sequence bigint NOT NULL,
      -- Events after this number may be recovered for another webhook: earlier ones than its own.
      recovered_sequence  bigint,
      created_at          timestamptz NOT NULL,
      disabled_at         timestamptz,
      deleted_at          timestamptz,
      changed_at          timestamptz NOT NULL DEFAULT now(),
      PRIMARY KEY (tenant_id, webhook_id)
    );
    CREATE INDEX webhooks_deleted ON webhooks (deleted_at) WHERE deleted_at IS NOT NULL;
    CREATE INDEX webhooks_registered ON webhooks (tenant_id, webhook_id) WHERE state <> 'deleted';

    -- One at a time for each webhook, deleted at its end. Deliveries of a phase are looked through in
    -- the order of their events; a step moves after_sequence.
    CREATE TABLE webhook_recoveries (
      tenant_id       text NOT NULL,
      webhook_id      text NOT NULL,
      -- The webhook that missed the events; null: this one.
      from_webhook_id text,
      since           timestamptz NOT NULL,
      phase           text NOT NULL
        CHECK (phase IN ('dead_lettered', 'cancelled', 'pending', 'log')),
      first_sequence  bigint NOT NULL,
      after_sequence  bigint NOT NULL,
      until_sequence  bigint NOT NULL,
      requested_at    timestamptz NOT NULL,
      PRIMARY KEY (tenant_id, webhook_id),
      FOREIGN KEY (tenant_id, webhook_id) REFERENCES webhooks ON DELETE CASCADE,
      CHECK ((phase = 'log') = (from_webhook_id IS NOT NULL))
    );

    -- How fast recoveries may go to a host: a row for each host that a tenant's recoveries have gone to,
    -- whichever webhooks name it. Until the host has answered one of them with 2xx, the next begins at
    -- next_at. The delivery that was asked for last stays here until its attempt has ended.
    CREATE TABLE recovery_paces (
      tenant_id   text NOT NULL REFERENCES tenants,
      host        text NOT NULL CHECK (host <> ''),
      answered_at timestamptz,
      next_at     timestamptz NOT NULL,
      webhook_id  text,
      event_id    text,
      recorded_at timestamptz,
      forget_at   timestamptz NOT NULL,
      PRIMARY KEY (tenant_id, host),
      CHECK (num_nulls(webhook_id, event_id, recorded_at) IN (0, 3)),
      CHECK (answered_at IS NULL OR event_id IS NULL)
    );
    CREATE INDEX recovery_paces_by_age ON recovery_paces (forget_at);
  `)
    .execute(db)
}
