/** At the begin of a line of a table: the measurement that it is of. */
const measurementOf = (line: string) => /^\| \((\w+)\)/.exec(line)?.[1]

/**
 * The one table of a page: the rows of a run, then those of measurements that it did not repeat. `stamp` says
 * in the last column when a row was measured.
 */
export function mergeFigures(earlier: string, run: string, stamp: string): string {
  const [head = '', rule = '', ...rows] = run.trim().split('\n')
  const measured = new Set(rows.map(measurementOf))
  const left = earlier.split('\n').filter((line) => {
    const measurement = measurementOf(line)
    return measurement !== undefined && !measured.has(measurement)
  })
  const stamped = rows.map((row) => `${row} ${stamp} |`)
  return [`${head} measured |`, `${rule}---|`, ...stamped, ...left].join('\n')
}
