import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { APPLICATIONS, type ApplicationUnderTest } from './applications.ts'
import { describeInBrowser } from './in-browser.ts'
import type { PageUnderTest } from './pages.ts'
import { type ConsoleWorld, furnish } from './world.ts'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const THEMES = ['light', 'dark'] as const

/**
 * Opens each page of an application once, under the rules of axe. The themes take turns: a page
 * differs between them in its colours alone, which all pages of an application share.
 */
export async function testEveryPage(name: ApplicationUnderTest['name']): Promise<void> {
  const application = APPLICATIONS.find((one) => one.name === name)
  if (!application) throw new Error(`there is no application ${name}`)
  const { pages, addressOf, signIn } = application
  await describeInBrowser(`the ${name}`, (started) => {
    let world: ConsoleWorld
    let page: Page
    const faults: string[] = []
    const left: string[] = []
    let asked = 0
    beforeAll(async () => {
      const { api, browser, cleanup } = started
      world = await furnish(api, cleanup)
      const context = await browser.newContext({ reducedMotion: 'reduce' })
      page = await context.newPage()
      page.on('console', (message) => {
        if (message.type() === 'error') faults.push(message.text())
      })
      page.on('pageerror', (error) => faults.push(String(error)))
      const own = new URL(addressOf(api)).origin
      const note = (url: string) => {
        asked += 1
        // Addresses that reach no one, such as data:, have no origin.
        if (![own, 'null'].includes(new URL(url).origin)) left.push(url)
      }
      context.on('request', (request) => note(request.url()))
      page.on('websocket', (socket) => note(socket.url()))
      await signIn(page, api)
    })

    const open = async ({ path, heading, act }: PageUnderTest) => {
      await page.goto(`${addressOf(started.api)}${path(world)}`)
      await page.getByRole('heading', { name: heading, level: 1 }).waitFor()
      await page.locator('[aria-label=Loading]').first().waitFor({ state: 'detached' })
      await act?.(page)
    }

    test.each(pages.map((tested, at) => ({ ...tested, theme: THEMES[at % 2] ?? 'light' })))(
      'the page $name breaks no rule of axe in the $theme theme, has numbers to the right, and reports no fault of its own',
      async ({ theme, ...tested }) => {
        faults.length = 0
        await page.emulateMedia({ colorScheme: theme })
        await open(tested)
        await page.locator(`html[data-mantine-color-scheme=${theme}]`).waitFor()
        expect(await findViolations(page)).toEqual([])
        expect(await page.evaluate(LIST_LEFT_NUMBERS)).toEqual([])
        expect(faults).toEqual([])
      },
    )

    test.each(pages.filter((tested) => WIDEST.includes(tested.name)))(
      'the page $name fits every window',
      async (tested) => {
        await open(tested)
        await expectToFit(page)
      },
    )

    test('from signing in to signing out, on every page, no request leaves for another origin', async () => {
      await page.goto(addressOf(started.api))
      await page.getByRole('button', { name: /^Account of/ }).click()
      await page.getByRole('menuitem', { name: 'Sign out', exact: true }).click()
      await page.getByRole('button', { name: 'Sign in with a passkey' }).waitFor()
      expect(await findViolations(page)).toEqual([])
      expect(asked).toBeGreaterThan(pages.length)
      expect(left).toEqual([])
    })
  })
}

/** Of each application: tables of many columns, charts, and a form beside a figure. */
const WIDEST = [
  ...['events', 'facility-statement', 'facility-preview'],
  ...['book-facilities', 'margin-facility', 'stress', 'books'],
]
const WIDTHS = [360, 390, 1280, 1920]
const PATIENT = { timeout: 5_000 }

/** Nothing is wider than the window, and no table is cut off. */
async function expectToFit(page: Page): Promise<void> {
  const before = page.viewportSize()
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 })
    // Charts take their new width a moment later.
    await expect
      .poll(() => page.evaluate(LIST_TOO_WIDE), { message: `${width} px`, ...PATIENT })
      .toEqual([])
  }
  if (before) await page.setViewportSize(before)
}

/** Runs in the page, whose types are not the test's. */
const LIST_TOO_WIDE = `
  [document.documentElement, ...document.querySelectorAll('section:has(> table)')]
    .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth + 1)
    .map((element) => element.getAttribute('aria-label') ?? 'the page')`

/** Runs in the page too. The first column names the row. */
const LIST_LEFT_NUMBERS = `
  [...document.querySelectorAll('table')].flatMap((table) => {
    const bodies = [...table.tBodies].flatMap(({ rows }) => [...rows])
    return [...table.querySelectorAll('thead th')]
      .filter((head) => head.cellIndex > 0 && getComputedStyle(head).textAlign !== 'right')
      .filter((head) => {
        const texts = bodies.map(({ cells }) => cells[head.cellIndex]?.innerText.trim() ?? '')
        const given = texts.filter((text) => text !== '' && text !== '–')
        const isNumber = (text) => /^[-+<]?\\d[\\d,]*([.]\\d+)?( ?%| [A-Z]{3,5}| s)?$/.test(text)
        return given.length > 0 && given.every(isNumber)
      })
      .map((head) => head.innerText)
  })`

type AxeResults = {
  violations: { id: string; nodes: { html: string; failureSummary: string }[] }[]
}

/** Of the rules of axe, on the page as it is drawn. */
export async function findViolations(page: Page): Promise<string[]> {
  // By the debugger: the page's policy allows no script but its own.
  if (!(await page.evaluate(`'axe' in window`))) await page.evaluate(AXE)
  // Colours change in transitions.
  await page.evaluate('Promise.allSettled(document.getAnimations().map((each) => each.finished))')
  const run = `axe.run({ resultTypes: ['violations'] })`
  const { violations } = (await page.evaluate(run)) as AxeResults
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html}\n${failureSummary}`),
  )
}
