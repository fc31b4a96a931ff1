import { type Kysely, sql } from 'kysely'

/** What was charged off, and what of it has been recovered since. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
    ALTER TABLE facilities
      ADD COLUMN charged_off_principal_cents numeric NOT NULL DEFAULT 0,
      ADD COLUMN charged_off_interest_cents numeric NOT NULL DEFAULT 0,
      ADD COLUMN recovered_cents numeric NOT NULL DEFAULT 0,
      ADD CONSTRAINT facilities_charged_off CHECK (
        charged_off_principal_cents >= 0 AND charged_off_principal_cents < 1e20
        AND charged_off_interest_cents >= 0 AND charged_off_interest_cents < 1e20),
      ADD CONSTRAINT facilities_recovered CHECK (recovered_cents >= 0
        AND recovered_cents <= charged_off_principal_cents + charged_off_interest_cents);
    -- Applied to a debt that was charged off.
    ALTER TABLE repayments ADD COLUMN is_recovery boolean NOT NULL DEFAULT false;

    UPDATE facilities f SET charged_off_principal_cents = c.principal,
                            charged_off_interest_cents = c.interest
    FROM (
      SELECT f.tenant_id, f.facility_id,
        coalesce(sum(-l.amount) FILTER (WHERE l.account = 'loans_receivable'), 0) AS principal,
        coalesce(sum(-l.amount) FILTER (WHERE l.account = 'interest_receivable'), 0) AS interest
      FROM facilities f JOIN journal_lines l USING (tenant_id, facility_id)
      WHERE f.close_reason = 'charged_off' AND l.entry_id = 'charge_off'
      GROUP BY f.tenant_id, f.facility_id
    ) c
    WHERE f.tenant_id = c.tenant_id AND f.facility_id = c.facility_id;
  `)
    .execute(db)
}
