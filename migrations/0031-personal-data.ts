import { type Kysely, sql } from 'kysely'

// An older worker would pay to a sealed destination.
export const oldestBuild = '0031-personal-data'

/** A key for each borrower, which seals what names a person. `migrate` seals the rows of before, and has the
 * tables refuse clear text, once this has run. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await assertStopped(db, new Date())
  await sql
    .raw(`
    -- Sealed by the stack's encryption keys. Null once it is destroyed: then nothing opens any more.
    CREATE TABLE borrower_keys (
      tenant_id   text NOT NULL,
      borrower_id text NOT NULL,
      sealed_key  text,
      erased_at   timestamptz,
      PRIMARY KEY (tenant_id, borrower_id),
      FOREIGN KEY (tenant_id, borrower_id) REFERENCES borrowers,
      CONSTRAINT borrower_keys_erased CHECK ((sealed_key IS NULL) = (erased_at IS NOT NULL))
    );
    -- A sealed one is longer.
    ALTER TABLE margin_notices DROP CONSTRAINT margin_notices_reference_check;
    -- Whose sealed texts the body has.
    ALTER TABLE idempotency_records ADD COLUMN borrower_id text;
  `)
    .execute(db)
}

/** A process reports each few seconds. */
const REPORTED_MS = 60_000

async function assertStopped(db: Kysely<unknown>, now: Date): Promise<void> {
  const { rows } = await sql<{ host: string; kind: string }>`
    SELECT host, kind FROM processes
    WHERE reported_at > ${new Date(now.getTime() - REPORTED_MS)} AND EXISTS (SELECT FROM borrowers)
    LIMIT 1`.execute(db)
  const [running] = rows
  if (!running) return
  throw new Error(
    `the ${running.kind} on ${running.host} is running: stop the API and the worker first, because they cannot read what this release seals`,
  )
}
