import { type Kysely, sql } from 'kysely'

/** A lien's release counts among its floors, so that none that comes late restores it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
    -- Of a facility that closes the newest number is the release's.
    UPDATE facilities SET floor_sequence = floor_sequence + 1 WHERE state = 'CLOSING';
    UPDATE facilities SET custodian_sequence = floor_sequence WHERE state = 'CLOSED';

    -- The sandbox custodian's own memory: the newest it has heard of each facility's lien.
    CREATE TABLE sandbox_liens (
      tenant_id   text NOT NULL,
      facility_id text NOT NULL,
      sequence    bigint NOT NULL,
      -- Null once the lien is released.
      floor_cents numeric CHECK (floor_cents >= 0 AND floor_cents < 1e20),
      PRIMARY KEY (tenant_id, facility_id),
      FOREIGN KEY (tenant_id, facility_id) REFERENCES facilities
    );
  `)
    .execute(db)
}
