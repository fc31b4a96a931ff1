import { type Kysely, sql } from 'kysely'

/** Where a tenant's positions come from, and what the custodian says that borrowers hold. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
    -- A tenant without a row is of mode push.
    CREATE TABLE portfolio_sources (
      tenant_id text PRIMARY KEY REFERENCES tenants,
      mode      text NOT NULL CHECK (mode IN ('push', 'custodian')),
      set_at    timestamptz NOT NULL
    );

    -- The latest reading of each borrower of tenants in mode custodian: units by asset.
    CREATE TABLE custodian_positions (
      tenant_id   text NOT NULL,
      borrower_id text NOT NULL,
      positions   jsonb NOT NULL,
      read_at     timestamptz NOT NULL,
      PRIMARY KEY (tenant_id, borrower_id),
      FOREIGN KEY (tenant_id, borrower_id) REFERENCES borrowers
    );
  `)
    .execute(db)
}
