/** A result: for programs, in the interface's member names, and for people. */
export type Report = { data: unknown; text: string }

export function formatJson(data: unknown): string {
  return `${JSON.stringify(data, null, 2)}\n`
}

/** Each column as wide as its widest cell; the first row is the header. */
export function formatTable(
  [header = [], ...rows]: readonly (readonly string[])[],
  styleHeader = (text: string) => text,
): string {
  const widths = header.map((name, at) =>
    Math.max(name.length, ...rows.map((row) => row[at]?.length ?? 0)),
  )
  const format = (row: readonly string[]) =>
    row
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd()
  return [styleHeader(format(header)), ...rows.map(format)].join('\n')
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
