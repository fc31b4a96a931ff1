import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe } from 'vitest'
import { LONG_SCENARIO_MS } from '../process/patience.ts'
import { findChromium, launchChromium } from './chromium.ts'
import { type ConsoleApi, startConsoleApi } from './console-api.ts'

/** Empty until the tests begin. */
export type Started = { api: ConsoleApi; browser: Browser; cleanup: AsyncDisposableStack }

const START_MS = 180_000

/** Of this worker, whose files share its modules: each has contexts of its own. Ends with the worker. */
let launched: Promise<Browser> | undefined

/** Tests in a Chromium over API, worker and pages, which start once for all of them. */
export async function describeInBrowser(
  name: string,
  define: (started: Started) => void,
): Promise<void> {
  const chromium = await findChromium()
  describe.runIf(chromium)(name, { timeout: LONG_SCENARIO_MS }, () => {
    const started = { cleanup: new AsyncDisposableStack() } as Started
    beforeAll(async () => {
      const { cleanup } = started
      const api = cleanup.use(await startConsoleApi())
      launched ??= launchChromium(chromium ?? '')
      const browser = await launched
      cleanup.defer(async () => {
        for (const context of browser.contexts()) await context.close()
      })
      Object.assign(started, { api, browser })
    }, START_MS)
    afterAll(() => started.cleanup.disposeAsync())
    define(started)
  })
}
