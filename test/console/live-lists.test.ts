import type { Browser, Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { type ConsoleApi, signInByLink } from '../support/console/console-api.ts'
import { describeInBrowser } from '../support/console/in-browser.ts'
import { answerLongList } from '../support/console/long-list.ts'
import { addEligible } from '../support/lending/lending-api.ts'

const LONG_LIST_MS = 120_000
const ROWS = 3_000

await describeInBrowser('lists', (started) => {
  let api: ConsoleApi
  let browser: Browser
  beforeAll(async () => {
    ;({ api, browser } = started)
  })

  test('an event appears by the stream, without a reload', async () => {
    await using opened = await open(browser, api)
    const { page } = opened
    await page.getByText('Live figures').waitFor()
    const borrowerId = await addEligible(api.tenant)
    await page.getByText(borrowerId).first().waitFor()
  })

  test('where the stream fails, an event appears by polling', async () => {
    await using opened = await open(browser, api, (page) =>
      page.route('**/console/api/stream', (route) => route.abort()),
    )
    const { page } = opened
    await page.getByText('Polling').waitFor()
    const borrowerId = await addEligible(api.tenant)
    await page.getByText(borrowerId).first().waitFor()
  })

  test(
    'a list of 3,000 rows is read page by page, and draws only rows near the window',
    async () => {
      await using opened = await open(browser, api)
      const { page } = opened
      await answerLongList(page, ROWS)
      await page.goto(`${api.origin}/console/events`)
      const rows = page.locator('tbody tr:not([aria-hidden])')
      await rows.first().waitFor()
      let mostDrawn = 0
      const last = page.getByText(`bor_${ROWS - 1}`)
      while ((await last.count()) === 0) {
        await page.evaluate('window.scrollTo(0, document.body.scrollHeight)')
        mostDrawn = Math.max(mostDrawn, await rows.count())
      }
      await page.getByText('3,000 rows').waitFor()
      expect(mostDrawn).toBeLessThan(200)
    },
    LONG_LIST_MS,
  )
})

async function open(
  browser: Browser,
  api: ConsoleApi,
  prepare: (page: Page) => Promise<unknown> = async () => undefined,
) {
  const context = await browser.newContext()
  const page = await context.newPage()
  await prepare(page)
  await signInByLink(page, api)
  return { page, [Symbol.asyncDispose]: () => context.close() }
}
