import { createServer } from 'node:http'
import type { Browser, Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { type ConsoleApi, signInByLink } from '../support/console/console-api.ts'
import { describeInBrowser } from '../support/console/in-browser.ts'
import { addEligible } from '../support/lending/lending-api.ts'
import { waitFor } from '../support/process/patience.ts'
import { listen } from '../support/servers/misbehaving-server.ts'

await describeInBrowser('in a browser', (started) => {
  let api: ConsoleApi
  let browser: Browser
  beforeAll(async () => {
    ;({ api, browser } = started)
  })

  async function openSignedIn() {
    const context = await browser.newContext()
    const page = await context.newPage()
    await signInByLink(page, api)
    return { context, page, [Symbol.asyncDispose]: () => context.close() }
  }

  /** Signed in, then on a page of another origin, under `host`. */
  async function openBesideConsole(html: (console: string) => string, host = 'localhost') {
    const server = await listen(
      createServer((_request, response) => {
        response.writeHead(200, { 'content-type': 'text/html' }).end(html(api.origin))
      }),
    )
    const opened = await openSignedIn()
    await opened.page.goto(`http://${host}:${server.port}/`, { waitUntil: 'commit' })
    return {
      page: opened.page,
      async [Symbol.asyncDispose]() {
        await opened[Symbol.asyncDispose]()
        await server[Symbol.asyncDispose]()
      },
    }
  }

  const frameOf = (page: Page) => page.frames().find((one) => one !== page.mainFrame())
  const BLOCKED = 'chrome-error://chromewebdata/'

  test.each(['localhost', '127.0.0.1'])(
    'a page of another origin under %s frames no page of the console',
    async (host) => {
      await using opened = await openBesideConsole(
        (origin) => `<!doctype html><iframe src="${origin}/console/keys"></iframe>`,
        host,
      )
      await waitFor(() => expect(frameOf(opened.page)?.url()).toBe(BLOCKED))
    },
  )

  test('not even a page of the same origin frames one of the console, though it frames others', async () => {
    await using opened = await openSignedIn()
    const { page } = opened
    const framer = (path: string) => `${api.origin}/framer?${path}`
    await page.route(/\/framer\?/, (route) => {
      const [, path] = route.request().url().split('?')
      return route.fulfill({
        contentType: 'text/html',
        body: `<!doctype html><iframe src="${path}"></iframe>`,
      })
    })
    await page.route(`${api.origin}/framed`, (route) =>
      route.fulfill({ contentType: 'text/html', body: '<p>shown</p>' }),
    )
    await page.goto(framer('/framed'))
    await waitFor(() => expect(frameOf(page)?.url()).toBe(`${api.origin}/framed`))
    await page.goto(framer('/console/keys'))
    await waitFor(() => expect(frameOf(page)?.url()).toBe(BLOCKED))
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

  test('what a page reads by itself is marked once no person has been at it for a minute', async () => {
    await using opened = await openSignedIn()
    const { page } = opened
    await page.clock.install()
    await page.goto(`${api.origin}/console/borrowers`)
    await page.getByText('Live figures').waitFor()
    const readAfter = async (act: () => Promise<unknown>) => {
      await act()
      const read = page.waitForRequest((request) => request.url().includes('/v1/borrowers'))
      await addEligible(api.tenant)
      return (await read).headers()['x-svc-unattended']
    }
    expect(await readAfter(() => page.mouse.move(10, 10))).toBeUndefined()
    expect(await readAfter(() => page.clock.fastForward(61_000))).toBe('1')
    expect(await readAfter(() => page.keyboard.press('Shift'))).toBeUndefined()
  })
})
