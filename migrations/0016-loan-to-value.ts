import { type Kysely, sql } from 'kysely'

/** The loan-to-value of facilities over time. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
    -- A point of each facility with debt or collateral, an hour and a day of the tenant's own time
    -- (at). Partitioned by real time, by which they are dropped.
    CREATE TABLE facility_ltv_hours (
      tenant_id        text NOT NULL,
      facility_id      text NOT NULL,
      at               timestamptz NOT NULL,
      taken_at         timestamptz NOT NULL,
      debt_cents       numeric NOT NULL CHECK (debt_cents >= 0 AND debt_cents < 1e20),
      collateral_cents numeric NOT NULL CHECK (collateral_cents >= 0 AND collateral_cents < 1e20),
      PRIMARY KEY (tenant_id, facility_id, at, taken_at)
    ) PARTITION BY RANGE (taken_at);
    CREATE TABLE facility_ltv_days (LIKE facility_ltv_hours INCLUDING CONSTRAINTS INCLUDING INDEXES)
      PARTITION BY RANGE (taken_at);

    -- The hour of the tenant's own time whose points have been taken.
    CREATE TABLE ltv_rounds (
      tenant_id text PRIMARY KEY REFERENCES tenants,
      hour      timestamptz NOT NULL
    );
  `)
    .execute(db)
}
