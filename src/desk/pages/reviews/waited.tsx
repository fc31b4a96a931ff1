const UNITS = [
  ['d', 86_400],
  ['h', 3_600],
  ['min', 60],
] as const

/** In the two largest units. */
export function formatWaited(seconds: number): string {
  if (seconds < 60) return 'less than 1 min'
  const parts: string[] = []
  let left = seconds
  for (const [name, size] of UNITS) {
    const count = Math.floor(left / size)
    left -= count * size
    if (count > 0) parts.push(`${count} ${name}`)
  }
  return parts.slice(0, 2).join(' ')
}
