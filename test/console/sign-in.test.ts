import type { Browser, BrowserContext } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { makeConsoleLink } from '../../src/local/page-links.ts'
import { type ConsoleApi, signInByLink } from '../support/console/console-api.ts'
import { describeInBrowser } from '../support/console/in-browser.ts'

await describeInBrowser('a link', (started) => {
  let api: ConsoleApi
  let browser: Browser
  beforeAll(async () => {
    ;({ api, browser } = started)
  })

  const makeLink = () => {
    const local = { tenantId: api.tenant.id, baseUrl: api.origin }
    return makeConsoleLink(api.db, local, api.resources.clock())
  }
  const readSession = async (context: BrowserContext) => (await context.cookies())[0]?.value

  test('a link signs in also where the answer that no one was signed in comes after that', async () => {
    const context = await browser.newContext()
    const page = await context.newPage()
    const signedIn = Promise.withResolvers<void>()
    const late = Promise.withResolvers<void>()
    page.on('response', (response) => {
      if (response.url().endsWith('/session/link')) signedIn.resolve()
    })
    await page.route(
      '**/console/api/session',
      async (route) => {
        const answer = await route.fetch()
        await signedIn.promise
        await route.fulfill({ response: answer }).catch(() => undefined)
        late.resolve()
      },
      { times: 1 },
    )
    await page.goto(await makeLink())
    await late.promise
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    await page.getByText(`Version ${api.resources.build}`, { exact: true }).waitFor()
    await page.getByRole('button', { name: /^Account of/ }).click()
    await page.getByRole('menuitem', { name: 'Sign out', exact: true }).waitFor()
    await context.close()
  })

  test('signing out shows the ways to sign in also where a read had noticed first that the session was over', async () => {
    const context = await browser.newContext()
    const page = await context.newPage()
    await signInByLink(page, api)
    const signedOut = Promise.withResolvers<void>()
    await page.route('**/console/api/session', async (route) => {
      const answer = await route.fetch()
      if (route.request().method() !== 'DELETE') return await route.fulfill({ response: answer })
      // Back at the tab, the page reads the session again.
      await page.evaluate("window.dispatchEvent(new Event('visibilitychange'))")
      await asked.promise
      await route.fulfill({ response: answer })
      signedOut.resolve()
    })
    const asked = Promise.withResolvers<void>()
    await page.route('**/console/api/sign-in', async (route) => {
      asked.resolve()
      await signedOut.promise
      await page.evaluate('new Promise((resolve) => setTimeout(resolve))')
      await route.continue()
    })
    await page.getByRole('button', { name: /^Account of/ }).click()
    await page.getByRole('menuitem', { name: 'Sign out', exact: true }).click()
    await page.getByRole('button', { name: 'Sign in with a passkey' }).waitFor()
    await context.close()
  })

  test('pasted into a tab that shows the console it signs in again where someone is signed in, and leaves no token in the address', async () => {
    const context = await browser.newContext()
    const page = await context.newPage()
    await signInByLink(page, api)
    const before = await readSession(context)
    await page.evaluate('window.isSameDocument = true')
    await page.goto(await makeLink())
    await expect.poll(() => readSession(context)).not.toBe(before)
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    expect(await page.evaluate('window.isSameDocument')).toBe(true)
    expect(page.url()).toBe(`${api.origin}/console/`)
    await context.close()
  })

  test('pasted into a tab that shows the console it signs in where no one is, and one that was used shows the refusal', async () => {
    const context = await browser.newContext()
    const page = await context.newPage()
    await page.goto(`${api.origin}/console/`)
    await page.getByRole('button', { name: 'Sign in with a passkey' }).waitFor()
    const link = await makeLink()
    await page.goto(link)
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    await page.getByRole('button', { name: /^Account of/ }).click()
    await page.getByRole('menuitem', { name: 'Sign out', exact: true }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await page.goto(link)
    await page.getByText('401 link_invalid').waitFor()
    expect(page.url()).toBe(`${api.origin}/console/`)
    await context.close()
  })
})
