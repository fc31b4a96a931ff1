import { LocalFailure } from '../../../src/local/local-failure.ts'

export type Run = {
  say(line: string): void
  /** Counts a check as passed, or as failed where there is a problem. */
  report(check: string, problems: readonly string[]): void
  /** Counts a check that this machine cannot do, which the run does not pass. */
  leaveOut(check: string, reason: string): void
}

const MOST_PROBLEMS = 20

/**
 * Runs `main` as a program: what it reports is printed, its last line is `N passed, N failed`, and its
 * exit code is 0 where nothing failed. `isQuiet` prints failures alone.
 */
export async function runProgram(
  main: (run: Run) => Promise<void>,
  { isQuiet = false } = {},
): Promise<void> {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    // What was started is ended by its keeper, whatever becomes of this process.
    process.on(signal, () => process.exit(130))
  }
  const count = { passed: 0, failed: 0, leftOut: 0 }
  const say = (line: string) => console.log(line)
  try {
    await main({
      say,
      report(check, problems) {
        count[problems.length === 0 ? 'passed' : 'failed'] += 1
        if (problems.length > 0 || !isQuiet) say(`  ${problems.length === 0 ? '✓' : '✗'} ${check}`)
        for (const problem of problems.slice(0, MOST_PROBLEMS)) say(`      ${problem}`)
        if (problems.length > MOST_PROBLEMS)
          say(`      and ${problems.length - MOST_PROBLEMS} more`)
      },
      leaveOut(check, reason) {
        count.leftOut += 1
        say(`  ${check} was not run: ${reason}`)
      },
    })
  } catch (error) {
    if (!(error instanceof LocalFailure)) throw error
    console.error(error.message)
    count.failed += 1
  }
  const { passed, failed, leftOut } = count
  say(`${passed} passed, ${failed} failed${leftOut > 0 ? `, ${leftOut} not run` : ''}`)
  process.exitCode = failed + leftOut === 0 ? 0 : 1
}
