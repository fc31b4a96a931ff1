import { randomUUID } from 'node:crypto'
import type { Browser, Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { addMs, DAY_MS } from '../../src/core/time.ts'
import { inTransaction } from '../../src/db/database.ts'
import { advanceClock, beginAdvance, leaveAdvance } from '../../src/domain/work/advance-clock.ts'
import { type ConsoleApi, signInByLink } from '../support/console/console-api.ts'
import { describeInBrowser } from '../support/console/in-browser.ts'

const ADVANCE_MS = 180_000
const DAY_SECONDS = 86_400

await describeInBrowser('the sandbox page', (started) => {
  let api: ConsoleApi
  let browser: Browser
  let page: Page
  beforeAll(async () => {
    ;({ api, browser } = started)
    page = await browser.newPage()
    await signInByLink(page, api)
  })

  test('the chart begins with the prices that were set before the page was opened', async () => {
    const { client } = api.tenant
    await page.goto(`${api.origin}/console/sandbox`)
    await page.getByText('Nobody has set it yet').waitFor()
    await client.setSandboxPrice('BTC', '80000')
    await client.advanceSandboxClock(60)
    await client.setSandboxPrice('BTC', '61000')
    await page.goto(`${api.origin}/console/`)
    await page.goto(`${api.origin}/console/sandbox`)
    const chart = page.getByRole('img', { name: /^Price of BTC/ })
    await chart.and(page.locator('[aria-label*="Now 61000 USD"]')).waitFor()
    await chart.and(page.locator('[aria-label*="as it was since"]')).waitFor()
    // The market before, one for each change, and one for now.
    await expect.poll(() => chart.locator('.recharts-dot').count()).toBe(4)
  })

  test('an advance that the worker carries on is shown with its progress until it has arrived', async () => {
    const { resources, tenant } = api
    await page.goto(`${api.origin}/console/sandbox`)
    await page.getByText(/real time$/).waitFor()
    const advance = await beginAdvance(resources, tenant.id, {
      seconds: 30 * DAY_SECONDS,
      key: randomUUID(),
    })
    const progress = page.getByRole('progressbar', { name: 'Advance of the clock' })
    await progress.waitFor()
    await page.getByText(/ of (30 d|29 d 23 h)/).waitFor()
    const jump = page.getByRole('button', { name: '+ 61 s' })
    expect(await jump.getAttribute('aria-disabled')).toBe('true')

    const half = addMs(advance.target, -15 * DAY_MS)
    await advanceClock(resources, { ...advance, target: half }, addMs(new Date(), ADVANCE_MS))
    await page.getByText(/^(15 d|14 d 23 h) of /).waitFor()

    await page.goto(`${api.origin}/console/`)
    await page.goto(`${api.origin}/console/sandbox`)
    await progress.waitFor()
    await inTransaction(resources.db, async (tx) => {
      const realNow = resources.clock()
      await leaveAdvance(tx, advance, { now: half, realNow })
    })
    await progress.waitFor({ state: 'hidden' })
    await page.getByText(/^(30 d|29 d 23 h).* ahead of real time$/).waitFor()
    expect(await jump.getAttribute('aria-disabled')).toBeNull()
  })
})
