/** The rows of the only Markdown table with all of `columns` in its header, as records. */
export function readTable<Column extends string>(
  markdown: string,
  columns: readonly Column[],
): Record<Column, string>[] {
  const lines = markdown.split('\n')
  const headers = lines.flatMap((line, at) => {
    const cells = readCells(line)
    return columns.every((column) => cells.includes(column)) ? [{ at, cells }] : []
  })
  const [header] = headers
  if (!header || headers.length > 1) throw new Error(`${headers.length} tables match.`)

  const rows: Record<Column, string>[] = []
  for (const line of lines.slice(header.at + 2)) {
    if (!line.startsWith('|')) break
    const cells = readCells(line)
    if (cells.length !== header.cells.length) throw new Error(`A row is out of shape: ${line}`)
    const entries = columns.map((column) => [column, cells[header.cells.indexOf(column)]])
    rows.push(Object.fromEntries(entries))
  }
  return rows
}

/** Cells without the code marks around a value. */
function readCells(line: string): string[] {
  const cells = line.split('|').slice(1, -1)
  return cells.map((cell) => cell.trim().replace(/^`(.*)`$/, '$1'))
}
