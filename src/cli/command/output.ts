import { formatPairs, formatTable, harmless, type Report } from '../../command-line/text.ts'

/** A list as `{items}` and as a table; `empty` is the sentence for a list of none. */
export function reportList(
  items: readonly object[],
  table: { columns: readonly string[]; rows: readonly (readonly string[])[]; empty: string },
): Report {
  const text = items.length === 0 ? table.empty : formatRows(table.columns, table.rows)
  return { data: { items }, text }
}

export function formatRows(
  columns: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  return formatTable([columns.map((column) => column.toUpperCase()), ...rows.map(showAll)])
}

export function formatFields(fields: Record<string, string>): string {
  return formatPairs(Object.entries(fields).map(([name, value]) => [name, show(value)]))
}

/** A dash where there is none. */
export function showTime(time: Date | undefined): string {
  return time?.toISOString() ?? '-'
}

const show = (text: string) => harmless(text) || '-'
const showAll = (row: readonly string[]) => row.map(show)
