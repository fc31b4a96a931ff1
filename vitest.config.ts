import { availableParallelism } from 'node:os'
import { defaultExclude, defineConfig } from 'vitest/config'
import { LEFT_OUT_FILES, RUN_TESTS } from './test/citus/left-out.ts'
import { CountReporter } from './test/support/process/count-reporter.ts'

/** Of the text of files, without any store: npm run check. */
const TEXTS = ['test/deploy/**/*.test.ts']

/** Of the tenants' libraries, whose stores are their own. */
const CLIENTS = ['test/clients/**/*.test.ts']

/**
 * What each mode runs. Without a mode, `npm test` runs the files that no mode names: they need
 * PostgreSQL and Redis alone. The names of most modes are those of npm scripts.
 */
const MODES: Readonly<Record<string, readonly string[]>> = {
  check: TEXTS,
  // Pages of console and desk in a real Chromium.
  browser: ['test/{console,desk}/**/*.test.ts'],
  // Whole processes, which start, wait, are killed and start again.
  processes: [
    'test/{faults,local,process,svc}/**/*.test.ts',
    'test/{examples,stories}.test.ts',
    'test/{cli/program,client/package}.test.ts',
    'test/db/connections/tls.test.ts',
  ],
  // The client libraries of all languages, each over the same cases.
  clients: CLIENTS,
  // Thousands of hostile requests and connections.
  floods: ['test/attacks/{floods,outside,pipelines}.test.ts', 'test/attacks/fuzz/**/*.test.ts'],
  // What npm run console:pictures and console:speed run.
  pictures: ['test/console/pictures.ts'],
  speed: ['test/console/speed.ts'],
}

/** Over more than one server each: see docs/scaling.md. */
const SCALE = 'test/scale/**'

/** On a Citus cluster: see docs/citus.md. */
const CITUS = 'test/citus/**'

/** Scale and citus run everything, over other stores. */
function leftOut(mode: string): readonly string[] {
  if (mode === 'scale') return [CITUS, ...TEXTS, ...CLIENTS]
  if (mode === 'citus') return [SCALE, ...TEXTS, ...CLIENTS, ...LEFT_OUT_FILES]
  return mode in MODES ? [] : [SCALE, CITUS, ...Object.values(MODES).flat()]
}

/** What is there before the first test: stores, the built pages for tests in a browser and for the stacks
 * that tests of processes start, and the built service for those. */
function setUp(mode: string): string[] {
  if (mode === 'check') return []
  const isOfPages = ['browser', 'pictures', 'processes', 'speed', 'scale', 'citus'].includes(mode)
  const pages = isOfPages ? ['test/support/console/build.ts'] : []
  const isOfProcesses = ['processes', 'scale', 'citus'].includes(mode)
  const service = isOfProcesses ? ['test/support/process/built-service.ts'] : []
  const clients = mode === 'clients' ? ['test/clients/set-up.ts'] : []
  return ['test/support/stores/global-setup.ts', ...pages, ...service, ...clients]
}

export default defineConfig(({ mode }) => ({
  test: {
    include: [...(MODES[mode] ?? ['test/**/*.test.ts'])],
    exclude: [...defaultExclude, ...leftOut(mode)],
    ...(mode === 'citus' && {
      testNamePattern: RUN_TESTS,
      setupFiles: ['test/citus/limit-properties.ts'],
    }),
    globalSetup: setUp(mode),
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
