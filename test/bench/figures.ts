/** At the begin of a line of a table: the measurement that it is of. */
const measurementOf = (line: string) => /^\| \((\w+)\)/.exec(line)?.[1]

/** The figures of a page with those of a run, which replace the ones of the same measurements. Each run keeps
 * its own table, under a line that begins with `Measured on`; the latest is first. */
export function mergeFigures(earlier: string, run: string): string {
  const measured = new Set(run.split('\n').flatMap((line) => measurementOf(line) ?? []))
  const left = earlier.split(/^(?=Measured on )/m).flatMap((section) => {
    const lines = section.split('\n').filter((line) => !measured.has(measurementOf(line) ?? ''))
    return lines.some(measurementOf) ? lines.join('\n').trim() : []
  })
  return [run.trim(), ...left].join('\n\n')
}
