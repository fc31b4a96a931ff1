import type pg from 'pg'

export type TenantTable = {
  name: string
  columns: readonly string[]
  isPartitioned: boolean
}

/** Of this database alone. */
const STAYS = new Set(['absent_tenants', 'tenant_moves'])

/** After what they would refuse. */
const LAST = new Set(['closed_months'])

/** Every table with a tenant, from the catalogue, those that others refer to first. */
export async function listTenantTables(client: pg.ClientBase): Promise<TenantTable[]> {
  const { rows } = await client.query<TenantTable>(`
    SELECT c.relname AS name, c.relkind = 'p' AS "isPartitioned",
      array_agg(a.attname::text ORDER BY a.attnum) AS columns
    FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
    WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p')
      AND NOT c.relispartition AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
    GROUP BY c.oid HAVING bool_or(a.attname = 'tenant_id') ORDER BY c.relname`)
  const references = await listReferences(client)
  return inOrder(
    rows.filter(({ name }) => !STAYS.has(name)),
    references,
  )
}

async function listReferences(client: pg.ClientBase): Promise<Map<string, Set<string>>> {
  const { rows } = await client.query<{ from: string; to: string }>(`
    SELECT f.conrelid::regclass::text AS from, f.confrelid::regclass::text AS to
    FROM pg_constraint f JOIN pg_class c ON c.oid = f.conrelid
    WHERE f.contype = 'f' AND NOT c.relispartition AND f.conrelid <> f.confrelid
      AND c.relnamespace = current_schema()::regnamespace`)
  const byTable = Map.groupBy(rows, (row) => row.from)
  return new Map([...byTable].map(([from, list]) => [from, new Set(list.map(({ to }) => to))]))
}

function inOrder(
  tables: readonly TenantTable[],
  references: ReadonlyMap<string, ReadonlySet<string>>,
): TenantTable[] {
  const ordered: TenantTable[] = []
  const placed = new Set<string>()
  const names = new Set(tables.map(({ name }) => name))
  let waiting = [...tables]
  while (waiting.length > 0) {
    const isFree = ({ name }: TenantTable) =>
      [...(references.get(name) ?? [])].every((to) => placed.has(to) || !names.has(to)) &&
      (!LAST.has(name) || waiting.every((other) => LAST.has(other.name)))
    const next = waiting.filter(isFree)
    if (next.length === 0) {
      const left = waiting.map(({ name }) => name).join(', ')
      throw new Error(`the foreign keys of these tables go in a circle: ${left}`)
    }
    ordered.push(...next)
    for (const { name } of next) placed.add(name)
    waiting = waiting.filter((table) => !placed.has(table.name))
  }
  return ordered
}

/** Tables and columns, to be compared with those of another database. */
export function describeTables(tables: readonly TenantTable[]): string {
  const sorted = tables.toSorted((a, b) => (a.name < b.name ? -1 : 1))
  return JSON.stringify(sorted.map(({ name, columns }) => [name, [...columns].sort()]))
}
