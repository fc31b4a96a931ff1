// npm run console:pictures: a picture of every page of the console in console-pictures/, in both
// themes, of a wide and of a narrow window.
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { findChromium, launchChromium } from '../support/console/chromium.ts'
import { type ConsoleApi, signInByLink, startConsoleApi } from '../support/console/console-api.ts'
import { CONSOLE_PAGES } from '../support/console/pages.ts'
import { type ConsoleWorld, furnish } from '../support/console/world.ts'

const FOLDER = 'console-pictures'
const WIDTHS = [1280, 390]
const THEMES = ['light', 'dark'] as const
const PICTURES_MS = 600_000

test(
  'a picture of every page is taken',
  async () => {
    await using cleanup = new AsyncDisposableStack()
    const api = cleanup.use(await startConsoleApi())
    const world = await furnish(api, cleanup)
    const browser = await launchChromium((await findChromium()) ?? '')
    cleanup.defer(() => browser.close())
    rmSync(FOLDER, { recursive: true, force: true })
    mkdirSync(FOLDER)
    let taken = 0
    for (const colorScheme of THEMES) {
      for (const width of WIDTHS) {
        const context = await browser.newContext({
          colorScheme,
          viewport: { width, height: 900 },
          reducedMotion: 'reduce',
        })
        const page = await context.newPage()
        await page.goto(`${api.origin}/console`)
        await page.getByRole('heading', { name: 'Sign in' }).waitFor()
        await page.screenshot({ path: join(FOLDER, `sign-in-${colorScheme}-${width}.png`) })
        await signInByLink(page, api)
        taken += await takeEach(page, { api, world, suffix: `${colorScheme}-${width}` })
        await context.close()
      }
    }
    expect(taken).toBe(CONSOLE_PAGES.length * THEMES.length * WIDTHS.length)
  },
  PICTURES_MS,
)

type Shoot = { api: ConsoleApi; world: ConsoleWorld; suffix: string }

async function takeEach(page: Page, { api, world, suffix }: Shoot): Promise<number> {
  for (const { name, path, heading, act } of CONSOLE_PAGES) {
    await page.goto(`${api.origin}/console${path(world)}`)
    await page.getByRole('heading', { name: heading, level: 1 }).waitFor()
    await page.locator('[aria-label=Loading]').first().waitFor({ state: 'detached' })
    await act?.(page)
    // Charts draw themselves after their data.
    await page.waitForTimeout(400)
    await page.screenshot({ path: join(FOLDER, `${name}-${suffix}.png`), fullPage: true })
  }
  return CONSOLE_PAGES.length
}
