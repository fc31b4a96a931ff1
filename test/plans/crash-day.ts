import type pg from 'pg'
import { CONSOLE_TABLES } from './crash-day-console.ts'
import { EVENT_TABLES } from './crash-day-events.ts'
import { HISTORY_TABLES } from './crash-day-history.ts'
import { LENDING_TABLES } from './crash-day-lending.ts'
import { MARGIN_TABLES } from './crash-day-margin.ts'
import { OPERATOR_TABLES } from './crash-day-operators.ts'
import { RECONCILIATION_TABLES } from './crash-day-reconciliation.ts'
import { TENANT_TABLES } from './crash-day-tenants.ts'

/** What is truncated in the transaction that fills it is written without a log. */
const EMPTY_ANEW = `
  DO $$
  DECLARE
    every regclass;
    unfilled text[] := '{}';
    is_filled boolean;
  BEGIN
    FOR every IN SELECT oid FROM pg_class
      WHERE relkind IN ('r', 'p') AND relnamespace = current_schema()::regnamespace
    LOOP
      EXECUTE format('SELECT EXISTS (SELECT FROM %s)', every) INTO is_filled;
      IF NOT is_filled THEN unfilled := unfilled || every::text; END IF;
    END LOOP;
    EXECUTE 'TRUNCATE ' || array_to_string(unfilled, ', ');
  END $$`

/**
 * Fills an empty, migrated database as a day of falling prices leaves it: 200 tenants, one of which
 * has half of everything; 100,000 facilities, 20,000 of them sold; 60,000 webhooks, half of them with
 * something pending; 300,000 events; one delivery with 30,000 attempts; 200,000 journal entries.
 *
 * Foreign keys are not checked here, and the journal's balance is not either: what is written has
 * both, and checking 200,000 entries would take a quarter of a minute.
 */
export async function seedCrashDay(client: pg.Client): Promise<void> {
  await client.query(`SET session_replication_role = replica; SET statement_timeout = 0;
                      SET synchronous_commit = off; SET work_mem = '64MB'`)
  // One transaction, and so one now() in all of them.
  await client.query('BEGIN')
  await client.query(EMPTY_ANEW)
  const { rows: balance } = await client.query(
    `SELECT pg_get_constraintdef(oid) AS definition FROM pg_constraint
     WHERE conname = 'journal_balanced' AND conrelid = 'journal'::regclass`,
  )
  await client.query('ALTER TABLE journal DROP CONSTRAINT journal_balanced')
  const statements = [
    ...TENANT_TABLES,
    ...CONSOLE_TABLES,
    ...OPERATOR_TABLES,
    ...LENDING_TABLES,
    ...MARGIN_TABLES,
    ...EVENT_TABLES,
    ...HISTORY_TABLES,
    ...RECONCILIATION_TABLES,
  ]
  for (const statement of statements) await client.query(statement)
  await client.query(
    `ALTER TABLE journal ADD CONSTRAINT journal_balanced ${balance[0].definition} NOT VALID`,
  )
  await client.query('COMMIT')
  await client.query('SET session_replication_role = origin')
  await client.query('VACUUM (ANALYZE)')
}
