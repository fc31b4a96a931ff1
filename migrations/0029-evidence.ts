import { type Kysely, sql } from 'kysely'

export const oldestBuild = '0022-audit'

/** Proof that a borrower was told of a warning, and a signed receipt of each sale with what it is made from. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
    -- Each margin_warning.raised. The event itself is dropped after some months.
    CREATE TABLE margin_raises (
      tenant_id      text NOT NULL,
      event_id       text NOT NULL,
      facility_id    text NOT NULL,
      warning_number integer NOT NULL,
      raised_at      timestamptz NOT NULL,
      PRIMARY KEY (tenant_id, event_id),
      FOREIGN KEY (tenant_id, facility_id, warning_number) REFERENCES margin_warnings
    );
    CREATE INDEX margin_raises_of_warning ON margin_raises
      (tenant_id, facility_id, warning_number, raised_at);

    -- By the tenant's clock. Number 0 is the first 2xx of a webhook; 99 that the tenant reports follow.
    CREATE TABLE margin_notices (
      tenant_id   text NOT NULL,
      event_id    text NOT NULL,
      number      smallint NOT NULL CHECK (number BETWEEN 0 AND 99),
      channel     text NOT NULL CHECK (channel IN
        ('webhook', 'email', 'sms', 'push', 'letter', 'call')),
      at          timestamptz NOT NULL,
      reference   text CHECK (length(reference) BETWEEN 1 AND 200),
      recorded_at timestamptz NOT NULL,
      PRIMARY KEY (tenant_id, event_id, number),
      FOREIGN KEY (tenant_id, event_id) REFERENCES margin_raises,
      CONSTRAINT margin_notices_webhook CHECK ((channel = 'webhook') = (number = 0)),
      CONSTRAINT margin_notices_in_order CHECK (recorded_at >= at)
    );

    -- What has not ended: of these a notice may still be missing.
    INSERT INTO margin_raises (tenant_id, event_id, facility_id, warning_number, raised_at)
    SELECT w.tenant_id, e.event_id, w.facility_id, w.number, e.occurred_at
    FROM margin_warnings w
    JOIN events e ON e.tenant_id = w.tenant_id AND e.resource_id = w.facility_id || '/' || w.number
      AND e.type = 'margin_warning.raised'
    WHERE w.status = 'OPEN' OR EXISTS (SELECT FROM margin_calls c
      WHERE c.tenant_id = w.tenant_id AND c.facility_id = w.facility_id
        AND c.margin_warning_number = w.number AND c.status <> 'COMPLETED');
    INSERT INTO margin_notices (tenant_id, event_id, number, channel, at, recorded_at)
    SELECT r.tenant_id, r.event_id, 0, 'webhook', first.at, first.at
    FROM margin_raises r JOIN tenants t ON t.tenant_id = r.tenant_id
    CROSS JOIN LATERAL (
      SELECT greatest(r.raised_at, min(a.started_at + a.duration_ms * interval '1 millisecond')
        + t.clock_offset_ms * interval '1 millisecond') AS at
      FROM webhooks w JOIN delivery_attempts a ON a.tenant_id = w.tenant_id
        AND a.webhook_id = w.webhook_id AND a.event_id = r.event_id
      WHERE w.tenant_id = r.tenant_id AND a.status BETWEEN 200 AND 299
      HAVING count(*) > 0
    ) first;

    -- The stack's own. The private half of the current one, sealed; the public halves stay.
    CREATE TABLE receipt_keys (
      key_id     text PRIMARY KEY,
      public_key bytea NOT NULL CHECK (length(public_key) = 32),
      sealed     text,
      created_at timestamptz NOT NULL,
      retired_at timestamptz,
      CONSTRAINT receipt_keys_sealed CHECK ((sealed IS NOT NULL) = (retired_at IS NULL))
    );
    CREATE UNIQUE INDEX receipt_keys_one_current ON receipt_keys ((true)) WHERE retired_at IS NULL;

    -- What an order was planned from, and the debt that its proceeds were applied to. Null in rows of
    -- an earlier release.
    ALTER TABLE margin_sales ADD COLUMN plan jsonb CHECK (jsonb_typeof(plan) = 'object'),
      ADD COLUMN booking jsonb CHECK (jsonb_typeof(booking) = 'object');

    -- Made when the call completes, never altered. The signature is over the bytes of the body.
    CREATE TABLE margin_receipts (
      tenant_id   text NOT NULL,
      facility_id text NOT NULL,
      call_number integer NOT NULL,
      body        text NOT NULL,
      sha256      bytea NOT NULL CHECK (length(sha256) = 32),
      key_id      text NOT NULL,
      public_key  bytea NOT NULL CHECK (length(public_key) = 32),
      signature   bytea NOT NULL CHECK (length(signature) = 64),
      PRIMARY KEY (tenant_id, facility_id, call_number),
      FOREIGN KEY (tenant_id, facility_id, call_number) REFERENCES margin_calls
    );
  `)
    .execute(db)
}
