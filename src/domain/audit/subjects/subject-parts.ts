export const tenant = { name: 'tenant_id', type: 'text' }
export const text = (name: string) => ({ name, type: 'text' })
export const changed = (table: string, ...key: string[]) => ({
  table,
  key: ['tenant_id', ...key],
  mark: 'changed_at',
})
export const written = (table: string, ...key: string[]) => ({
  table,
  key: ['tenant_id', ...key],
  mark: 'written_at',
})
export const by = (...columns: string[]) => ({ order: [tenant, ...columns.map(text)] })
export const integer = (name: string) => ({ name, type: 'integer' })

/** OFFSET 0 keeps the index lookup by key, and MATERIALIZED makes it happen once. */
export const rowsOf = (table: string, condition: string, columns = '*') =>
  `${table} AS MATERIALIZED (SELECT r.* FROM page p CROSS JOIN LATERAL (
     SELECT ${columns} FROM ${table} t WHERE t.tenant_id = p.tenant_id AND ${condition} OFFSET 0) r)`

export const ofPage = (keys: readonly string[], tables: readonly string[]) => {
  const condition = keys.map((key) => `t.${key} = p.${key}`).join(' AND ')
  return tables.map((table) => rowsOf(table, condition))
}

/** All rows of a table that a page otherwise narrows. */
export const all = (table: string) => `all_${table} AS NOT MATERIALIZED (SELECT * FROM ${table})`
