import { type Kysely, sql } from 'kysely'

export const oldestBuild = '0022-audit'

/** Pauses of a facility are one list. What moved deadlines before (`outages_until`, `unevaluated_since`
 * and `hold_lost_ms`) becomes rows of it; the columns stay for older builds, and a later release drops
 * them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
    -- By the tenant's clock, as deadlines are. Without an end a pause goes on.
    CREATE TABLE facility_pauses (
      tenant_id   text NOT NULL,
      facility_id text NOT NULL,
      pause_id    text NOT NULL,
      kind        text NOT NULL CHECK (kind IN ('outage', 'hold', 'forbearance')),
      started_at  timestamptz NOT NULL,
      ended_at    timestamptz CHECK (ended_at >= started_at),
      PRIMARY KEY (tenant_id, facility_id, pause_id),
      FOREIGN KEY (tenant_id, facility_id) REFERENCES facilities
    );
    -- A worker that is back records its outage once, however often it is interrupted.
    CREATE UNIQUE INDEX facility_pauses_outage_once
      ON facility_pauses (tenant_id, facility_id, started_at) WHERE kind = 'outage';
    CREATE UNIQUE INDEX facility_pauses_one_open_outage
      ON facility_pauses (tenant_id, facility_id) WHERE kind = 'outage' AND ended_at IS NULL;

    -- Pauses from then on move the deadlines that are stored. Null, from an older build: since the raise.
    -- An older build leaves the warnings of this one as they are.
    ALTER TABLE margin_warnings ADD COLUMN counted_from timestamptz,
      ALTER COLUMN outages_until SET DEFAULT '9999-01-01Z';

    UPDATE margin_warnings w SET counted_from = greatest(w.raised_at,
        w.outages_until + t.clock_offset_ms * interval '1 millisecond',
        (SELECT max(r.outages_until) + t.clock_offset_ms * interval '1 millisecond'
         FROM repayments r WHERE r.tenant_id = w.tenant_id AND r.facility_id = w.facility_id
           AND r.hold_lost_ms > 0))
      FROM tenants t WHERE t.tenant_id = w.tenant_id AND w.status = 'OPEN';
    INSERT INTO facility_pauses (tenant_id, facility_id, pause_id, kind, started_at)
      SELECT tenant_id, facility_id, 'pau_' || substr(facility_id, 5), 'outage', unevaluated_since
      FROM margin_warnings WHERE status = 'OPEN' AND unevaluated_since IS NOT NULL;
    -- Before the deadlines count again, and the reports that hold them counted it.
    INSERT INTO facility_pauses (tenant_id, facility_id, pause_id, kind, started_at, ended_at)
      SELECT r.tenant_id, r.facility_id, 'pau_' || substr(r.repayment_id, 5), 'outage',
        r.outages_until + (t.clock_offset_ms - r.hold_lost_ms) * interval '1 millisecond',
        r.outages_until + t.clock_offset_ms * interval '1 millisecond'
      FROM repayments r JOIN tenants t ON t.tenant_id = r.tenant_id
      WHERE r.hold_lost_ms > 0 AND (r.status = 'REPORTED'
        OR r.suspended_units > 0 AND r.suspense_end IS NULL)
      ON CONFLICT DO NOTHING;
  `)
    .execute(db)
}
