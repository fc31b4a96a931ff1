/** At the begin of a line of a table: the measurement that it is of. */
const MEASUREMENT = /^\| \((\w+)\)/

const PLAN = /^Plan of the .*:\n\n```\n.*?\n```$/gms

const measurementOf = (line: string) => MEASUREMENT.exec(line)?.[1]

const titlesOf = (text: string) => (text.match(PLAN) ?? []).map((plan) => plan.split('\n')[0])

/** The figures of a page with those of a run, which replace the ones of the same measurements. Each run keeps
 * its own table, under a line that begins with `Measured on`; the latest is first. */
export function mergeFigures(earlier: string, run: string): string {
  const measured = new Set(run.split('\n').flatMap((line) => measurementOf(line) ?? []))
  const planned = new Set(titlesOf(run))
  const left = earlier.split(/^(?=Measured on )/m).flatMap((section) => {
    const lines = section
      .replace(PLAN, (plan) => (planned.has(plan.split('\n')[0]) ? '' : plan))
      .split('\n')
      .filter((line) => !measured.has(measurementOf(line) ?? ''))
    const isLeft = lines.some((line) => measurementOf(line))
    return isLeft
      ? lines
          .join('\n')
          .trim()
          .replace(/\n{3,}/g, '\n\n')
      : []
  })
  return [run.trim(), ...left].join('\n\n')
}
