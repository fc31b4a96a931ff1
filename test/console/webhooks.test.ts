import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findChromium, launchChromium } from '../support/console/chromium.ts'
import { type ConsoleApi, signInByLink, startConsoleApi } from '../support/console/console-api.ts'
import { addEligible } from '../support/lending/lending-api.ts'
import { LONG_SCENARIO_MS } from '../support/process/patience.ts'
import { type SeenAttempt, startEndpoint } from '../support/servers/endpoint.ts'

const START_MS = 180_000

const chromium = await findChromium()

describe.runIf(chromium)('webhooks', { timeout: LONG_SCENARIO_MS }, () => {
  const cleanup = new AsyncDisposableStack()
  let api: ConsoleApi
  let browser: Browser
  let page: Page
  beforeAll(async () => {
    api = cleanup.use(await startConsoleApi())
    browser = await launchChromium(chromium ?? '')
    cleanup.defer(() => browser.close())
    page = await browser.newPage()
    await signInByLink(page, api)
  }, START_MS)
  afterAll(() => cleanup.disposeAsync())

  test('an endpoint is registered, breaks, is repaired, and gets its event again by one press', async () => {
    let isBroken = true
    await using endpoint = await startEndpoint(() =>
      isBroken ? { status: 500, body: 'out of order' } : { status: 204 },
    )
    await page.goto(`${api.origin}/console/webhooks`)
    await page.getByRole('button', { name: 'Register a webhook' }).first().click()
    await page.getByLabel('Address').fill(endpoint.url)
    await page.getByLabel('Label').fill('ledger')
    await page.getByRole('button', { name: 'Register', exact: true }).click()
    await page.getByRole('heading', { name: 'ledger', level: 1 }).waitFor()
    await api.tenant.client.createSigningSecret()

    await page.getByRole('button', { name: 'Send it' }).click()
    await page.getByText('Answered 500').waitFor()
    await page.getByRole('region', { name: 'Answer’s body' }).getByText('out of order').waitFor()
    expect(endpoint.seen).toHaveLength(1)

    await addEligible(api.tenant)
    await page.getByRole('link', { name: 'borrower.eligible' }).click()
    const first = page.getByText('#1')
    await first.click()
    await page.getByText('out of order').waitFor()
    await expectHeaders(page, endpoint.seen.at(-1)?.headers ?? {})
    isBroken = false
    await page.getByRole('button', { name: 'Send it again now' }).click()
    await page.getByText('Answered 204').waitFor()
    await page.getByText('Delivered').first().waitFor()
    expect(endpoint.seen.at(-1)).toMatchObject({ attempt: 2, status: 204 })
  })

  test('a new signing secret is shown once, and is gone after a reload', async () => {
    await page.goto(`${api.origin}/console/webhooks`)
    await page.getByRole('button', { name: 'Create a new secret' }).click()
    await page.getByRole('button', { name: 'Create the secret' }).click()
    await page.getByText(/^whsec_/).waitFor()
    await page.reload()
    await page.getByRole('button', { name: 'Create a new secret' }).waitFor()
    expect(await page.getByText(/^whsec_/).count()).toBe(0)
  })
})

/** What HTTP adds by itself. */
const OF_HTTP = ['host', 'connection', 'content-length']

/** The page shows every header that arrived; of the signatures, how they begin. */
async function expectHeaders(page: Page, arrived: SeenAttempt['headers']): Promise<void> {
  const shown = await Promise.all(
    ['Headers of attempt 1', 'Signatures of attempt 1'].map(async (name) =>
      page.getByRole('region', { name, exact: true }).textContent(),
    ),
  )
  const lines = shown.flatMap((text) => (text ?? '').trim().split('\n'))
  const headers = Object.fromEntries(
    lines.map((line) => {
      const [name = '', value = ''] = line.split(/: (.*)/)
      return [name.toLowerCase(), value]
    }),
  )
  const cut = ([name, value]: [string, unknown]) =>
    [name, String(value).replace(/^(sha256=|v1,).*/, '$1')] as const
  const expected = Object.entries(arrived).filter(([name]) => !OF_HTTP.includes(name))
  expect(Object.fromEntries(Object.entries(headers).map(cut))).toEqual(
    Object.fromEntries(expected.map(cut)),
  )
}
