import type { SvcIo } from './svc-io.ts'
import { dim, harmless, plain } from './terminal.ts'

/** What a command has to say: to a program, and to a person. */
export type Report = { data: unknown; text: string }

/** Where a command says it. */
export type Output = {
  isJson: boolean
  /** The one result of a command. */
  report(report: Report): void
  /** One of many results: a line of JSON each, or of text. */
  line(report: Report): void
  /** How far it is, for whoever waits; overwrites what it said before. */
  progress(text: string): void
}

/** JSON unless a person reads it, or as they asked for. */
export function createOutput(io: SvcIo, options: { json?: true; text?: true }): Output {
  const isJson = options.json === true || (!io.isTerminal && options.text !== true)
  let shown = false
  const clear = () => {
    if (shown) io.writeError('\r\u001b[K')
    shown = false
  }
  const write = (text: string) => {
    clear()
    io.writeOut(`${io.isTerminal ? text : plain(text)}\n`)
  }
  return {
    isJson,
    report: ({ data, text }) => write(isJson ? JSON.stringify(data, null, 2) : text),
    line: ({ data, text }) => write(isJson ? JSON.stringify(data) : text),
    progress(text) {
      if (!io.showsProgress) return
      clear()
      if (text === '') return
      io.writeError(dim(text))
      shown = true
    },
  }
}

/** Names and values, one a line; absent ones are left out. */
export function formatFields(
  fields: Record<string, string | number | boolean | undefined>,
): string {
  const rows = Object.entries(fields).filter(([, value]) => value !== undefined && value !== '')
  const width = Math.max(...rows.map(([name]) => name.length))
  return rows
    .map(([name, value]) => `${dim(name.padEnd(width))}  ${harmless(String(value))}`)
    .join('\n')
}

/** A list as `{items}`, and as a table; `empty` is the sentence that stands for no rows. */
export function reportList<Row extends object>(
  items: readonly Row[],
  columns: Record<string, (row: Row) => string | number | undefined>,
  empty: string,
): Report {
  const rows = items.map((item) =>
    Object.values(columns).map((read) => harmless(String(read(item) ?? '-'))),
  )
  const text = items.length === 0 ? empty : formatTable(Object.keys(columns), rows)
  return { data: { items }, text }
}

function formatTable(columns: readonly string[], rows: readonly string[][]): string {
  const widths = columns.map((column, at) =>
    Math.max(column.length, ...rows.map((row) => row[at]?.length ?? 0)),
  )
  const format = (row: readonly string[]) =>
    row
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd()
  return [dim(format(columns)), ...rows.map(format)].join('\n')
}
