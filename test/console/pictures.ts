// npm run console:pictures: a picture of every page of console and desk in console-pictures/, in both
// themes, of a wide and of a narrow window.
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { APPLICATIONS, type ApplicationUnderTest } from '../support/console/applications.ts'
import { findChromium, launchChromium } from '../support/console/chromium.ts'
import { type ConsoleApi, startConsoleApi } from '../support/console/console-api.ts'
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
        for (const application of APPLICATIONS) {
          const page = await context.newPage()
          const suffix = `${colorScheme}-${width}`
          taken += await takeEach(page, { application, api, world, suffix })
          await page.close()
        }
        await context.close()
      }
    }
    const pages = APPLICATIONS.flatMap((application) => application.pages)
    expect(taken).toBe(pages.length * THEMES.length * WIDTHS.length)
  },
  PICTURES_MS,
)

type Shoot = {
  application: ApplicationUnderTest
  api: ConsoleApi
  world: ConsoleWorld
  suffix: string
}

async function takeEach(page: Page, { application, api, world, suffix }: Shoot): Promise<number> {
  const { name: of, pages, addressOf, signIn } = application
  await page.goto(addressOf(api))
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await page.screenshot({ path: join(FOLDER, `${of}-sign-in-${suffix}.png`) })
  await signIn(page, api)
  for (const { name, path, heading, act } of pages) {
    await page.goto(`${addressOf(api)}${path(world)}`)
    await page.getByRole('heading', { name: heading, level: 1 }).waitFor()
    await page.locator('[aria-label=Loading]').first().waitFor({ state: 'detached' })
    await act?.(page)
    // Charts draw themselves after their data.
    await page.waitForTimeout(400)
    await page.screenshot({ path: join(FOLDER, `${of}-${name}-${suffix}.png`), fullPage: true })
  }
  return pages.length
}
