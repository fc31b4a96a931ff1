import { type Kysely, sql } from 'kysely'

export const oldestBuild = '0022-audit'

/** What two operators correct of a facility. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
    CREATE TABLE facility_corrections (
      tenant_id     text NOT NULL,
      facility_id   text NOT NULL,
      correction_id text NOT NULL,
      kind          text NOT NULL CHECK (kind IN
        ('waive_interest', 'credit', 'rate', 'write_off', 'forbearance', 'close')),
      amount_cents  numeric CHECK (amount_cents > 0 AND amount_cents < 1e20),
      rate_ppm      integer CHECK (rate_ppm BETWEEN 0 AND 1000000),
      from_at       timestamptz,
      until_at      timestamptz,
      -- By the tenant's clock, as all of these are.
      corrected_at  timestamptz NOT NULL,
      undone_at     timestamptz CHECK (undone_at >= corrected_at),
      PRIMARY KEY (tenant_id, facility_id, correction_id),
      FOREIGN KEY (tenant_id, facility_id) REFERENCES facilities,
      CONSTRAINT facility_corrections_members CHECK (
        (kind IN ('waive_interest', 'credit')) = (amount_cents IS NOT NULL)
        AND (kind = 'rate') = (rate_ppm IS NOT NULL) AND (kind = 'rate') = (from_at IS NOT NULL)
        AND (kind = 'forbearance') = (until_at IS NOT NULL)
        AND (undone_at IS NULL OR kind IN ('waive_interest', 'credit', 'rate')))
    );

    ALTER TABLE facilities
      -- While corrections of the rate hold: the rates that were agreed, and how many rates had been in
      -- force before when that was stored.
      ADD COLUMN agreed_rates jsonb CHECK (jsonb_typeof(agreed_rates) = 'object'),
      ADD COLUMN times_corrected integer NOT NULL DEFAULT 0 CHECK (times_corrected >= 0),
      -- The end of the last forbearance; it may lie in the past.
      ADD COLUMN forbearance_until timestamptz;

    -- What a custodian holds of a facility that is to be written off. Asked until a real instant.
    CREATE TABLE write_off_readings (
      tenant_id   text NOT NULL,
      facility_id text NOT NULL,
      asked_until timestamptz NOT NULL,
      read_at     timestamptz,
      positions   jsonb,
      PRIMARY KEY (tenant_id, facility_id),
      FOREIGN KEY (tenant_id, facility_id) REFERENCES facilities,
      CHECK ((read_at IS NULL) = (positions IS NULL))
    );
    ALTER TABLE position_inquiries DROP CONSTRAINT IF EXISTS position_inquiries_purpose_check,
      ADD CONSTRAINT position_inquiries_purpose_check CHECK (purpose IN
        ('application', 'reading', 'push', 'escalation', 'sale', 'write_off'));
    -- What a proposal was seen to do, when it was made.
    ALTER TABLE approvals ADD COLUMN preview jsonb;
  `)
    .execute(db)
}
