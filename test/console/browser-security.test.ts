import { createServer } from 'node:http'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findChromium, launchChromium } from '../support/console/chromium.ts'
import { type ConsoleApi, signInByLink, startConsoleApi } from '../support/console/console-api.ts'
import { listen } from '../support/servers/misbehaving-server.ts'

const START_MS = 180_000

const chromium = await findChromium()

describe.runIf(chromium)('pages of other sites', () => {
  const cleanup = new AsyncDisposableStack()
  let api: ConsoleApi
  let browser: Browser
  beforeAll(async () => {
    api = cleanup.use(await startConsoleApi())
    browser = await launchChromium(chromium ?? '')
    cleanup.defer(() => browser.close())
  }, START_MS)
  afterAll(() => cleanup.disposeAsync())

  async function openBesideConsole(html: (console: string) => string) {
    const server = await listen(
      createServer((_request, response) => {
        response.writeHead(200, { 'content-type': 'text/html' }).end(html(api.origin))
      }),
    )
    const context = await browser.newContext()
    const page = await context.newPage()
    await signInByLink(page, api)
    await page.goto(`http://localhost:${server.port}/`)
    return {
      page,
      async [Symbol.asyncDispose]() {
        await context.close()
        await server[Symbol.asyncDispose]()
      },
    }
  }

  test('another page cannot show the console in a frame', async () => {
    await using opened = await openBesideConsole(
      (origin) => `<!doctype html><iframe src="${origin}/console"></iframe>`,
    )
    const frame = opened.page.frames().find((one) => one !== opened.page.mainFrame())
    await opened.page.waitForLoadState('networkidle')
    expect(frame?.url()).not.toContain('/console')
  })

  test('a form of another origin changes nothing, though the browser sends the cookie', async () => {
    await using opened = await openBesideConsole(
      (origin) =>
        `<!doctype html><form method="post" enctype="text/plain" action="${origin}/console/v1/webhooks"><input name='{"url":"https://evil.example.com/","label":"' value='"}'><button>Go</button></form>`,
    )
    const answered = opened.page.waitForResponse((response) => response.url().includes('/webhooks'))
    await opened.page.getByRole('button').click()
    expect(await (await answered).json()).toMatchObject({ code: 'cross_origin' })
    expect(await api.tenant.client.listWebhooks()).toEqual([])
  })
})
