const UNITS = [
  ['d', 86_400],
  ['h', 3_600],
  ['min', 60],
  ['s', 1],
] as const

/** Two days are still counted in hours, as deadlines are. */
const DAYS_FROM_SECONDS = 3 * 86_400

/** The two largest units: "3 d 23 h", "47 h 59 min", "4 min 3 s". Nothing below zero. */
export function formatSeconds(seconds: number): string {
  let rest = Math.max(0, Math.floor(seconds))
  const first = UNITS.findIndex(([, size], at) =>
    at === 0 ? rest >= DAYS_FROM_SECONDS : rest >= size,
  )
  if (first < 0) return '0 s'
  const parts = UNITS.slice(first, first + 2).flatMap(([name, size]) => {
    const count = Math.floor(rest / size)
    rest -= count * size
    return count === 0 ? [] : [`${count} ${name}`]
  })
  return parts.join(' ')
}

export function secondsBetween(from: string | number | Date, to: string | number | Date): number {
  return (new Date(to).getTime() - new Date(from).getTime()) / 1_000
}
