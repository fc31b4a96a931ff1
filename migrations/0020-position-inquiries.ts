import { type Kysely, sql } from 'kysely'

/** What the custodian is being asked of accounts, under which number, and since when. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
    CREATE TABLE position_inquiries (
      tenant_id   text NOT NULL,
      facility_id text NOT NULL,
      purpose     text NOT NULL CHECK (purpose IN ('application', 'reading', 'escalation', 'sale')),
      -- That of the newest question. It rises with each, so that no two have the same.
      number      bigint NOT NULL CHECK (number > 0),
      -- What the answer is for: where this is another, the answer would come too late.
      basis       text NOT NULL,
      -- In the tenant's time. Null once it was answered.
      asked_at    timestamptz,
      PRIMARY KEY (tenant_id, facility_id, purpose),
      FOREIGN KEY (tenant_id, facility_id) REFERENCES facilities
    );
  `)
    .execute(db)
}
