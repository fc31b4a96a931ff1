/**
 * A way to break an invariant: the check that must see it, what happened, in SQL, and what is reported.
 * Each thing that a check reads has one that nothing else of the check would see.
 */
export type Break = readonly [check: string, how: string, statements: string[], expected: RegExp]

const one = (table: string, where = 'true') => `(SELECT ctid FROM ${table} WHERE ${where} LIMIT 1)`

export const update = (table: string, change: string, where?: string) =>
  `UPDATE ${table} SET ${change} WHERE ctid = ${one(table, where)}`

export const remove = (table: string, where?: string) =>
  `DELETE FROM ${table} WHERE ctid = ${one(table, where)}`

/** Rows of partitioned tables have no ctid of their own: by key. */
export const dropEvent = (type: string) =>
  `DELETE FROM events WHERE event_id = (SELECT event_id FROM events WHERE type = '${type}' LIMIT 1)`

export const dropCheck = (table: string, like: string) => `DO $$ DECLARE name text; BEGIN
  FOR name IN SELECT conname FROM pg_constraint WHERE conrelid = '${table}'::regclass
    AND contype = 'c' AND pg_get_constraintdef(oid) LIKE '%${like}%'
  LOOP EXECUTE format('ALTER TABLE ${table} DROP CONSTRAINT %I', name); END LOOP; END $$`

/** The tenant that has a borrower, and nothing else. */
export const OTHER_TENANT = `(SELECT tenant_id FROM tenants
  WHERE tenant_id NOT IN (SELECT tenant_id FROM facilities))`

export const OTHER_BORROWER = `(SELECT borrower_id FROM borrowers WHERE tenant_id = ${OTHER_TENANT})`

/** The facility that was closed. */
export const CLOSED = `(SELECT facility_id FROM facilities WHERE state = 'CLOSED')`

export const openJournal = [
  'ALTER TABLE journal DISABLE RULE journal_no_update',
  'ALTER TABLE journal DISABLE RULE journal_no_delete',
]

export const delivery = (change: string, where: string) =>
  `UPDATE deliveries SET ${change} WHERE (webhook_id, event_id) =
    (SELECT webhook_id, event_id FROM deliveries WHERE ${where} LIMIT 1)`

export const copyRow = (table: string, change: string, where = 'true') =>
  `INSERT INTO ${table} SELECT (jsonb_populate_record(NULL::${table}, to_jsonb(t) || '${change}')).*
    FROM (SELECT * FROM ${table} WHERE ${where} LIMIT 1) t`
