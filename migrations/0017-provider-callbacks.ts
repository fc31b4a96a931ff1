import { type Kysely, sql } from 'kysely'

/** Callbacks of providers that were taken, so that the same one twice is one. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
    CREATE TABLE provider_callbacks (
      tenant_id   text NOT NULL REFERENCES tenants,
      provider    text NOT NULL CHECK (provider IN ('kyc', 'custodian', 'payments')),
      callback_id text NOT NULL,
      received_at timestamptz NOT NULL,
      PRIMARY KEY (tenant_id, provider, callback_id)
    );
    CREATE INDEX provider_callbacks_received ON provider_callbacks (received_at);
  `)
    .execute(db)
}
