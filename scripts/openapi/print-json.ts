const WIDTH = 120

/** A value that fits on a line has one: a reader sees more of the document, and of what changed. */
export function printJson(document: unknown): string {
  return `${print(document, '', 0)}\n`
}

/** `taken` is what of the line is used before the value. */
function print(value: unknown, indent: string, taken: number): string {
  const line = printLine(value)
  if (taken + line.length <= WIDTH || typeof value !== 'object' || value === null) return line
  const inner = `${indent} `
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  const items = Object.entries(value).map(([name, item]) => {
    const key = Array.isArray(value) ? '' : `${JSON.stringify(name)}: `
    return `${inner}${key}${print(item, inner, inner.length + key.length)}`
  })
  return `${open}\n${items.join(',\n')}\n${indent}${close}`
}

function printLine(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(printLine).join(', ')}]`
  const members = Object.entries(value).map(
    ([name, item]) => `${JSON.stringify(name)}: ${printLine(item)}`,
  )
  return `{${members.join(', ')}}`
}
