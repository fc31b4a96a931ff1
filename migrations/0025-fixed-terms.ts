import { type Kysely, sql } from 'kysely'

export const oldestBuild = '0022-audit'

/** A facility keeps the version of the margin policy by which it was approved. Those that lend now get
 * the one that is in force for their tenant. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
    -- 0: the service's own terms. Null: not approved, or approved by a build without this column, which
    -- the maintenance of a worker mends.
    ALTER TABLE facilities ADD COLUMN terms_version integer CHECK (terms_version >= 0);
    -- The service's own terms are a row too, so that another build does not change them.
    ALTER TABLE margin_policy_versions
      DROP CONSTRAINT margin_policy_versions_number_check,
      ADD CONSTRAINT margin_policy_versions_number CHECK (number >= 0);
    UPDATE facilities SET terms_version = 0 WHERE state IN ('APPROVED', 'CLOSING');
    ALTER TABLE facilities
      -- An amendment that waits, by the tenant's clock; what it leaves as it is, is null.
      ADD COLUMN next_terms_at timestamptz,
      ADD COLUMN next_terms_version integer CHECK (next_terms_version >= 0),
      ADD COLUMN next_rate_ppm integer CHECK (next_rate_ppm BETWEEN 0 AND 1000000),
      ADD CONSTRAINT facilities_next_terms CHECK ((next_terms_at IS NOT NULL)
        = (next_terms_version IS NOT NULL OR next_rate_ppm IS NOT NULL)),
      -- Amendments and their withdrawals.
      ADD COLUMN times_amended integer NOT NULL DEFAULT 0 CHECK (times_amended >= 0),
      -- Rates before the one in force, oldest first: [{"rate_ppm", "until"}].
      ADD COLUMN earlier_rates jsonb NOT NULL DEFAULT '[]'
        CHECK (jsonb_typeof(earlier_rates) = 'array');
  `)
    .execute(db)
  const { rows: versions } = await sql<{ number: number; effective_from: Date }>`
    SELECT number, effective_from FROM margin_policy_versions v
    WHERE NOT EXISTS (SELECT FROM margin_policy_withdrawals w WHERE w.number = v.number)
    ORDER BY number`.execute(db)
  // One after another: on a cluster an update of many tenants may have no subquery.
  for (const { number, effective_from: from } of versions) {
    await sql`
      UPDATE facilities f SET terms_version = ${number} FROM tenants t
      WHERE t.tenant_id = f.tenant_id AND f.state IN ('APPROVED', 'CLOSING')
        AND ${new Date()}::timestamptz + t.clock_offset_ms * interval '1 millisecond'
          >= ${from}::timestamptz`.execute(db)
  }
}
