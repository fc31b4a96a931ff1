/** Whether `Accept` ranks CSV above JSON, or names it first at the same rank. */
export function prefersCsv(accept: string | undefined): boolean {
  const ranges = (accept ?? '').split(',').map((range) => {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase())
    const [, quality] = /^q=([01](?:\.\d{0,3})?)$/.exec(parameters.at(-1) ?? '') ?? []
    return { type, quality: Number(quality ?? 1) }
  })
  const wanted = ranges.filter(({ type, quality }) => quality > 0 && KNOWN.has(type))
  const [first] = wanted.sort((a, b) => b.quality - a.quality)
  return first?.type === CSV
}

const CSV = 'text/csv'
const KNOWN = new Set([CSV, 'application/json', 'application/*', '*/*'])
