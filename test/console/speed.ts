// npm run console:speed: what the first load and a list of 10,000 rows cost a browser. The machine
// should be quiet.
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { findChromium, launchChromium } from '../support/console/chromium.ts'
import { type ConsoleApi, signInByLink, startConsoleApi } from '../support/console/console-api.ts'
import { answerLongList, ROWS } from '../support/console/long-list.ts'
import { furnish } from '../support/console/world.ts'

const SPEED_MS = 600_000
const LOADS = 7

/** Tasks of 50 ms and more, as the browser counts them. */
const OBSERVE = `
  window.longTasks = []
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) window.longTasks.push(duration)
  }).observe({ type: 'longtask', buffered: true })`

test(
  'the first load and a long list are measured',
  async () => {
    await using cleanup = new AsyncDisposableStack()
    const api = cleanup.use(await startConsoleApi())
    await furnish(api, cleanup)
    const browser = await launchChromium((await findChromium()) ?? '')
    cleanup.defer(() => browser.close())
    const loads = []
    for (let run = 0; run < LOADS; run += 1) loads.push(await measureLoad(browser, api))
    const list = await measureList(browser, api)
    expect(list.rows).toBe(ROWS)
    console.table({
      'first load, sent (kB)': middle(loads.map(({ sentKb }) => sentKb)),
      'first paint (ms)': middle(loads.map(({ paintMs }) => paintMs)),
      'interactive (ms)': middle(loads.map(({ interactiveMs }) => interactiveMs)),
      'of the main thread until then (ms)': middle(loads.map(({ busyMs }) => busyMs)),
      'longest task of a load (ms)': middle(loads.map(({ longestMs }) => longestMs)),
      'long tasks while 10,000 rows are read': list.tasks,
      'longest of them (ms)': list.longestMs,
      'longest frame while scrolling over them (ms)': list.longestFrameMs,
    })
  },
  SPEED_MS,
)

const middle = (values: readonly number[]) =>
  Math.round(values.toSorted((one, other) => one - other)[values.length >> 1] ?? Number.NaN)

async function openSignedIn(browser: Browser, api: ConsoleApi): Promise<BrowserContext> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
  await context.addInitScript(OBSERVE)
  const page = await context.newPage()
  await signInByLink(page, api)
  await page.close()
  return context
}

/** With an empty cache, until the overview shows its figures and takes a press. */
async function measureLoad(browser: Browser, api: ConsoleApi) {
  const context = await openSignedIn(browser, api)
  const page = await context.newPage()
  const devtools = await context.newCDPSession(page)
  await devtools.send('Network.enable')
  await devtools.send('Network.clearBrowserCache')
  // The thread's own time: what other programs take is no part of it.
  await devtools.send('Performance.enable', { timeDomain: 'threadTicks' })
  let sentBytes = 0
  devtools.on('Network.loadingFinished', ({ encodedDataLength }) => {
    sentBytes += encodedDataLength
  })
  await page.goto(`${api.origin}/console/`, { waitUntil: 'commit' })
  await page.getByRole('heading', { name: 'Latest events' }).waitFor()
  await page.locator('tbody tr').first().waitFor()
  await page.getByRole('button', { name: /^Find by id/ }).click({ trial: true })
  const interactiveMs = Number(await page.evaluate('performance.now()'))
  const { metrics } = await devtools.send('Performance.getMetrics')
  const busyMs = 1_000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN)
  const paintMs = Number(
    await page.evaluate(`performance.getEntriesByName('first-contentful-paint')[0].startTime`),
  )
  const longestMs = await readLongest(page)
  await context.close()
  return { sentKb: sentBytes / 1_000, paintMs, interactiveMs, busyMs, longestMs }
}

async function measureList(browser: Browser, api: ConsoleApi) {
  const context = await openSignedIn(browser, api)
  const page = await context.newPage()
  await answerLongList(page)
  await page.goto(`${api.origin}/console/events`)
  const end = page.getByText(`bor_${ROWS - 1}`)
  while ((await end.count()) === 0) {
    await page.evaluate('window.scrollTo(0, document.body.scrollHeight)')
  }
  const tasks = (await page.evaluate('window.longTasks')) as number[]
  const rows = Number(await page.locator('table').getAttribute('aria-rowcount')) - 1
  const longestFrameMs = Math.round(Number(await page.evaluate(SCROLL_UP)))
  await context.close()
  return { rows, tasks: tasks.length, longestMs: Math.round(Math.max(0, ...tasks)), longestFrameMs }
}

/** From the end to the top in steps of 600 px, one a frame; the longest time between two frames. */
const SCROLL_UP = `new Promise((resolve) => {
  let longest = 0
  let before = performance.now()
  const step = (now) => {
    longest = Math.max(longest, now - before)
    before = now
    window.scrollBy(0, -600)
    if (window.scrollY > 0) requestAnimationFrame(step)
    else resolve(longest)
  }
  requestAnimationFrame(step)
})`

async function readLongest(page: Page): Promise<number> {
  const tasks = (await page.evaluate('window.longTasks')) as number[]
  return Math.max(0, ...tasks)
}
