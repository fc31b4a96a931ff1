import { sql } from 'kysely'
import type { Db, Tx } from '../src/db/database.ts'

/**
 * A database's schema as text, a block a table, with what `role` may do there. It has no dates and no
 * internal numbers: equal schemas give equal text. All months of a table are shown as one.
 */
export async function describeSchema(db: Db | Tx, role: string): Promise<string> {
  const { rows } = await sql<{ line: string }>`
    WITH tables AS (${TABLES}), lines AS (
      ${COLUMNS} UNION ALL ${CONSTRAINTS} UNION ALL ${INDEXES} UNION ALL ${TRIGGERS} UNION ALL ${RULES}
      UNION ALL ${PRIVILEGES} UNION ALL ${ROWS} UNION ALL ${FUNCTIONS}
    ), general AS (
      SELECT name, kind, place, regexp_replace(regexp_replace(
        replace(text, format('%I.', current_schema()), ''), '_[0-9]{4}_[0-9]{2}(_[0-9]{2})?(?=\\M|_)', '_month', 'g'),
        ${`\\m${role}\\M`}, 'service', 'g') AS text
      FROM lines
    ), written AS (
      SELECT name, kind, place, text || CASE
        WHEN count(*) < (SELECT count(*) FROM tables WHERE title = general.name)
        THEN ' -- in some months only' ELSE '' END AS line
      FROM general GROUP BY name, kind, place, text
    ), blocks AS (
      SELECT name, string_agg(line, E'\\n' ORDER BY kind, place, line COLLATE "C") AS line
      FROM written GROUP BY name
    )
    SELECT line FROM blocks ORDER BY name LIKE 'functions %', name COLLATE "C"`.execute(db)
  return `${rows.map(({ line }) => line).join('\n\n')}\n`
}

const TABLES = sql`
  SELECT t.oid, t.relname AS name, coalesce(p.relname || ' (a month)', t.relname) AS title,
         t.relacl, t.reloptions, t.relkind, p.oid AS parent
  FROM pg_class t
  LEFT JOIN pg_inherits i ON i.inhrelid = t.oid
  LEFT JOIN pg_class p ON p.oid = i.inhparent
  WHERE t.relnamespace = current_schema()::regnamespace AND t.relkind IN ('r', 'p', 'v', 'm', 'S')`

const COLUMNS = sql`
  SELECT title AS name, 0 AS kind, 0 AS place, concat_ws(' ', 'TABLE', title,
    CASE WHEN relkind = 'p' THEN 'PARTITION BY ' || pg_get_partkeydef(oid) END,
    CASE WHEN relkind NOT IN ('r', 'p') THEN format('OF KIND %s', relkind) END,
    'WITH (' || (SELECT string_agg(o, ', ' ORDER BY o) FROM unnest(reloptions) o) || ')') AS text
  FROM tables
  UNION ALL
  SELECT title, 1, attnum, concat_ws(' ', ' ', attname, format_type(atttypid, atttypmod),
    CASE WHEN attnotnull THEN 'NOT NULL' END,
    'DEFAULT ' || pg_get_expr(adbin, adrelid))
  FROM tables
  JOIN pg_attribute a ON a.attrelid = tables.oid AND attnum > 0 AND NOT attisdropped
  LEFT JOIN pg_attrdef ON adrelid = a.attrelid AND adnum = attnum
  WHERE parent IS NULL`

/** Of a month those of its own alone: the rest follow from the table. Not-null ones are shown as columns. */
const CONSTRAINTS = sql`
  SELECT title, 2, 0, format('  %s %s%s', conname, pg_get_constraintdef(c.oid),
    CASE WHEN convalidated THEN '' ELSE ' NOT VALID' END)
  FROM tables JOIN pg_constraint c ON conrelid = tables.oid
  WHERE contype <> 'n' AND conparentid = 0 AND (parent IS NULL OR coninhcount = 0)`

const INDEXES = sql`
  SELECT title, 3, 0, '  ' || pg_get_indexdef(indexrelid)
    || CASE WHEN indisvalid AND indisready THEN '' ELSE ' INVALID' END
  FROM tables JOIN pg_index ON indrelid = tables.oid
  WHERE parent IS NOT NULL OR NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = indexrelid
    AND contype IN ('p', 'u', 'x'))`

const TRIGGERS = sql`
  SELECT title, 4, 0, format('  %s (%s)', pg_get_triggerdef(t.oid), tgenabled)
  FROM tables JOIN pg_trigger t ON tgrelid = tables.oid WHERE NOT tgisinternal`

const RULES = sql`
  SELECT title, 5, 0, format('  %s (%s)', regexp_replace(pg_get_ruledef(r.oid), '\\s+', ' ', 'g'), ev_enabled)
  FROM tables JOIN pg_rewrite r ON ev_class = tables.oid WHERE relkind <> 'v'`

/** The owner, who may do anything, is left out. */
const PRIVILEGES = sql`
  SELECT title, 6, 0, format('  GRANT %s TO %s', string_agg(privilege, ', ' ORDER BY privilege), grantee)
  FROM (
    SELECT title, tables.oid, privilege_type AS privilege, grantee FROM tables, aclexplode(relacl)
    UNION ALL
    SELECT title, tables.oid, format('%s (%s)', privilege_type, attname), grantee
    FROM tables JOIN pg_attribute ON attrelid = tables.oid, aclexplode(attacl)
  ) AS granted (title, oid, privilege, grantee_oid)
  JOIN pg_class t ON t.oid = granted.oid
  CROSS JOIN LATERAL (SELECT coalesce((SELECT rolname FROM pg_roles r WHERE r.oid = grantee_oid),
    'PUBLIC')) AS named (grantee)
  WHERE grantee_oid <> relowner
  GROUP BY title, granted.oid, grantee`

/** What the migrations insert. Their own list is left out. */
const ROWS = sql`
  SELECT title, 7, 0, '  ROWS ' || count
  FROM tables CROSS JOIN LATERAL (SELECT (xpath('//count/text()',
    query_to_xml(format('SELECT count(*) FROM %I', title), false, true, '')))[1]::text) AS counted (count)
  WHERE parent IS NULL AND title <> 'kysely_migration' AND count <> '0'`

const FUNCTIONS = sql`
  SELECT 'functions ' || p.oid::regprocedure, 0, 0, pg_get_functiondef(p.oid) || coalesce((
    SELECT string_agg(format(E'GRANT %s TO %s\n', privilege_type,
      coalesce((SELECT rolname FROM pg_roles r WHERE r.oid = grantee), 'PUBLIC')), '' ORDER BY 1)
    FROM aclexplode(coalesce(proacl, acldefault('f', proowner))) WHERE grantee <> proowner), '')
  FROM pg_proc p WHERE pronamespace = current_schema()::regnamespace AND prokind <> 'a'
  UNION ALL
  SELECT 'functions ' || p.oid::regprocedure, 0, 0, format(E'AGGREGATE %s (SFUNC = %s, STYPE = %s)\n',
    p.oid::regprocedure, a.aggtransfn, a.aggtranstype::regtype)
  FROM pg_proc p JOIN pg_aggregate a ON a.aggfnoid = p.oid
  WHERE pronamespace = current_schema()::regnamespace`
