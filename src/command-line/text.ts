/** A result: for programs, in the interface's member names, and for people. */
export type Report = { data: unknown; text: string }

export function formatJson(data: unknown): string {
  return `${JSON.stringify(data, null, 2)}\n`
}

/**
 * Each column as wide as its widest cell, numbers to the right; the first row is the header. The table fits into
 * `columns`, those of the terminal if one reads it: the widest columns lose their ends, ids last.
 */
export function formatTable(
  [header = [], ...rows]: readonly (readonly string[])[],
  styleHeader = (text: string) => text,
  columns: number | undefined = process.stdout.columns,
): string {
  const cellsOf = (at: number) => rows.map((row) => row[at] ?? '').filter((cell) => cell !== '-')
  const areNumbers = header.map((_, at) => areAll(cellsOf(at), NUMBER))
  const areIds = header.map((_, at) => areAll(cellsOf(at), ID))
  const widest = header.map((name, at) =>
    Math.max(name.length, ...rows.map((row) => row[at]?.length ?? 0)),
  )
  const widths = columns === undefined ? widest : narrow(widest, areIds, columns)
  const format = (row: readonly string[]) =>
    row
      .map((cell, at) => {
        const width = widths[at] ?? 0
        const shown = cell.length > width ? `${cell.slice(0, width - 1)}…` : cell
        return areNumbers[at] ? shown.padStart(width) : shown.padEnd(width)
      })
      .join(GAP)
      .trimEnd()
  return [styleHeader(format(header)), ...rows.map(format)].join('\n')
}

const GAP = '  '
const NUMBER = /^[-+]?\d[\d,]*(\.\d+)?( ?%| [A-Z]{3,5})?$/
const ID = /^[a-z]{3}_[0-9a-z]{20,}/
const LEAST_WIDTH = 8

function areAll(cells: readonly string[], form: RegExp): boolean {
  const given = cells.filter((cell) => cell !== '')
  return given.length > 0 && given.every((cell) => form.test(cell))
}

function narrow(widest: readonly number[], areIds: readonly boolean[], columns: number): number[] {
  const widths = [...widest]
  const excess = () =>
    widths.reduce((sum, width) => sum + width + GAP.length, -GAP.length) - columns
  for (const isOfIds of [false, true]) {
    while (excess() > 0) {
      const candidates = widths.map((width, at) => (areIds[at] === isOfIds ? width : 0))
      const most = Math.max(...candidates)
      if (most <= LEAST_WIDTH) break
      widths[candidates.indexOf(most)] = most - 1
    }
  }
  return widths
}

export function formatPairs(
  pairs: readonly (readonly [string, string])[],
  styleName = (text: string) => text,
): string {
  const width = Math.max(...pairs.map(([name]) => name.length))
  return pairs.map(([name, value]) => `${styleName(name.padEnd(width))}  ${value}`).join('\n')
}

/** Replaces control characters: text from outside must not control the terminal. */
export function harmless(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '\uFFFD')
}
