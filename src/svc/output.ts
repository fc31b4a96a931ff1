import { formatPairs, formatTable, harmless, type Report } from '../command-line/text.ts'
import type { SvcIo } from './svc-io.ts'
import { dim, plain } from './terminal.ts'

export type Output = {
  isJson: boolean
  report(report: Report): void
  /** One of many results, each on a line. */
  line(report: Report): void
  /** Replaces the progress printed before. */
  progress(text: string): void
}

/** JSON unless a terminal reads it, or as the options ask. */
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
  const given = Object.entries(fields).filter(([, value]) => value !== undefined && value !== '')
  const pairs = given.map(([name, value]) => [name, harmless(String(value))] as const)
  return formatPairs(pairs, dim)
}

/** A list as `{items}` and as a table; `empty` is the sentence for a list of none. */
export function reportList<Row extends object>(
  items: readonly Row[],
  columns: Record<string, (row: Row) => string | number | undefined>,
  empty: string,
): Report {
  const rows = items.map((item) =>
    Object.values(columns).map((read) => harmless(String(read(item) ?? '-'))),
  )
  const text = items.length === 0 ? empty : formatTable([Object.keys(columns), ...rows], dim)
  return { data: { items }, text }
}
