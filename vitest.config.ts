import { availableParallelism } from 'node:os'
import { defaultExclude, defineConfig } from 'vitest/config'
import { CountReporter } from './test/support/process/count-reporter.ts'

export default defineConfig(({ mode }) => ({
  test: {
    include: ['test/**/*.test.ts'],
    // Over more than one server each: see docs/scaling.md.
    exclude: [...defaultExclude, ...(mode === 'scale' ? [] : ['test/scale/**'])],
    globalSetup: ['test/support/stores/global-setup.ts'],
    // Each worker has a Redis database of its own, and a stock store has 16 of them.
    maxWorkers: Math.min(availableParallelism(), 15),
    // As the service itself is run.
    execArgv: ['--disable-proto=throw'],
    // Behind a pooler each statement takes one hop more.
    testTimeout: mode === 'scale' ? 60_000 : 30_000,
    hookTimeout: 30_000,
    reporters: ['default', new CountReporter()],
  },
}))
