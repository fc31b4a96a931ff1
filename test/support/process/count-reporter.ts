import type { Reporter, SerializedError, TestModule } from 'vitest/node'

/** Ends the run with one plain line, `N passed, N failed`, for scripts to read. */
export class CountReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    let passed = 0
    // What fails outside a test (an import, a hook, a stray rejection) counts as a failure too.
    let failed = unhandled.length
    for (const module of modules) {
      const states = [...module.children.allTests()].map((test) => test.result().state)
      const failures = states.filter((state) => state === 'failed').length
      passed += states.filter((state) => state === 'passed').length
      failed += failures === 0 && module.state() === 'failed' ? 1 : failures
    }
    // After the default reporter's summary, which it prints in the same event.
    process.once('exit', () => process.stdout.write(`${passed} passed, ${failed} failed\n`))
  }
}
