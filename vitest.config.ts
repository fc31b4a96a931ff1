import { availableParallelism } from 'node:os'
import { defaultExclude, defineConfig } from 'vitest/config'
import { LEFT_OUT_FILES, RUN_TESTS } from './test/citus/left-out.ts'
import { CountReporter } from './test/support/process/count-reporter.ts'

/** Tests of the text of files: they need no store, and `npm run check` runs them. */
const TEXTS = 'test/deploy/**/*.test.ts'

/** Over more than one server each: see docs/scaling.md. */
const SCALE = 'test/scale/**'

/** On a Citus cluster: see docs/citus.md. */
const CITUS = 'test/citus/**'

/** Of the console, to be shown to people: npm run console:pictures. */
const PICTURES = 'test/console/pictures.ts'

/** What the console costs a browser: npm run console:speed. */
const SPEED = 'test/console/speed.ts'

const INCLUDED: Readonly<Record<string, string>> = {
  check: TEXTS,
  pictures: PICTURES,
  speed: SPEED,
}

export default defineConfig(({ mode }) => ({
  test: {
    include: [INCLUDED[mode] ?? 'test/**/*.test.ts'],
    exclude: [
      ...defaultExclude,
      ...(mode === 'scale' ? [] : [SCALE]),
      ...(mode === 'citus' ? LEFT_OUT_FILES : [CITUS]),
      ...(mode === 'check' ? [] : [TEXTS]),
    ],
    ...(mode === 'citus' && {
      testNamePattern: RUN_TESTS,
      setupFiles: ['test/citus/limit-properties.ts'],
    }),
    globalSetup: mode === 'check' ? [] : ['test/support/stores/global-setup.ts'],
    // Each worker has a Redis database of its own, and a stock store has 16 of them. On a cluster each
    // keeps three servers busy.
    maxWorkers: Math.min(availableParallelism() + (mode === 'citus' ? 0 : 2), 15),
    // Test files share a worker's modules: nothing happens at import, so nothing of one file is left
    // for the next, and the service is loaded once a worker.
    isolate: false,
    // As the service itself is run.
    execArgv: ['--disable-proto=throw'],
    // Behind a pooler or a coordinator each statement takes one hop more.
    testTimeout: mode === 'scale' || mode === 'citus' ? 60_000 : 30_000,
    // A busy server may take long to drop a test's database.
    hookTimeout: 120_000,
    // As long as waitFor of test/support/process/patience.ts.
    expect: { poll: { timeout: 20_000 } },
    reporters: mode === 'check' ? ['dot'] : ['default', new CountReporter()],
  },
}))
