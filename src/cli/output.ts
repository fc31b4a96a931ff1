/** What a command has to say: to a program, in the interface's member names, and to a person. */
export type Report = { data: unknown; text: string }

/** JSON for programs that is fit to be read. */
export function formatJson(data: unknown): string {
  return `${JSON.stringify(data, null, 2)}\n`
}

/** A list as `{items}` and as a table; `empty` is the sentence that stands for no rows. */
export function reportList(
  items: readonly object[],
  table: { columns: readonly string[]; rows: readonly (readonly string[])[]; empty: string },
): Report {
  const text = items.length === 0 ? table.empty : formatTable(table.columns, table.rows)
  return { data: { items }, text }
}

/** Rows under their column names, each column as wide as its widest cell. */
export function formatTable(
  columns: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  const lines = [columns.map((column) => column.toUpperCase()), ...rows.map((row) => row.map(show))]
  const widths = columns.map((_, at) => Math.max(...lines.map((line) => line[at]?.length ?? 0)))
  return lines
    .map((line) =>
      line
        .map((cell, at) => cell.padEnd(widths[at] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/** Names and values, one a line. */
export function formatFields(fields: Record<string, string>): string {
  const width = Math.max(...Object.keys(fields).map((name) => name.length))
  return Object.entries(fields)
    .map(([name, value]) => `${name.padEnd(width)}  ${show(value)}`)
    .join('\n')
}

/** A time as the interface prints it; a dash where there is none. */
export function showTime(time: Date | undefined): string {
  return time?.toISOString() ?? '-'
}

/** Text that others wrote must not steer the operator's terminal. */
function show(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '\uFFFD') || '-'
}
