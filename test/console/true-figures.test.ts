import type { Browser, Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { type ConsoleApi, signInByLink } from '../support/console/console-api.ts'
import { describeInBrowser } from '../support/console/in-browser.ts'
import { addApproved, addDraw, addEligible, waitUntil } from '../support/lending/lending-api.ts'
import { startEndpoint } from '../support/servers/endpoint.ts'

await describeInBrowser('what the console shows', (started) => {
  let api: ConsoleApi
  let browser: Browser
  let page: Page
  let loan: { id: string; borrowerId: string }
  beforeAll(async () => {
    ;({ api, browser } = started)
    page = await browser.newPage()
    await signInByLink(page, api)
    loan = await addApproved(api.tenant)
    await addDraw(api.tenant, loan.id, '40000.00')
    await api.db
      .updateTable('facilities')
      .set({ external_id: 'loan-4711' })
      .where('facility_id', '=', loan.id)
      .execute()
  })

  const open = (path: string, on = page) => on.goto(`${api.origin}/console${path}`)

  test('lists and the search show what the tenant calls a loan, and the search as one types', async () => {
    await open('/facilities')
    await page.getByRole('link', { name: 'loan-4711' }).waitFor()
    await open('/events')
    await page.getByRole('link', { name: 'loan-4711' }).first().waitFor()
    await page.keyboard.press('/')
    await page.locator('[role=dialog] input:focus').waitFor()
    await page.keyboard.insertText('loan-47')
    await page.getByRole('link', { name: `loan-4711, facility ${loan.id}` }).click()
    await page.waitForURL(`**/facilities/${loan.id}`)
  })

  test('the state of a loan is there on a narrow screen', async () => {
    const narrow = await browser.newPage({ viewport: { width: 390, height: 800 } })
    await signInByLink(narrow, api)
    await open('/facilities', narrow)
    const list = narrow.getByRole('region', { name: 'All facilities' })
    await list.getByText('Approved', { exact: true }).waitFor()
  })

  test('a story that would sell another loan says so first', async () => {
    await open('/sandbox')
    const story = page.locator('div', {
      has: page.getByRole('heading', { name: 'A margin day' }),
    })
    await story.last().getByRole('button', { name: 'Play' }).click()
    const dialog = page.getByRole('dialog', { name: 'Other loans are open' })
    await dialog.getByText('1 loan owes money now.').waitFor()
    await dialog.getByText('Collateral of 1 would be sold').waitFor()
    await dialog.getByRole('listitem').filter({ hasText: 'loan-4711' }).getByText('BTC').waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await dialog.waitFor({ state: 'hidden' })
    expect(await page.getByRole('list', { name: 'Steps' }).count()).toBe(0)
  })

  test('a check that has failed and one under review look different', async () => {
    const borrowerId = await addEligible(api.tenant)
    const decideAll = async (status: 'review' | 'failed') => {
      await api.db
        .updateTable('borrowers')
        .set({ eligible: false })
        .where('borrower_id', '=', borrowerId)
        .execute()
      await api.db
        .updateTable('compliance_checks')
        .set({ status, decided_at: status === 'failed' ? new Date() : null })
        .where('borrower_id', '=', borrowerId)
        .execute()
      await open(`/borrowers/${borrowerId}`)
    }
    await decideAll('review')
    await page.getByText('Under review', { exact: true }).first().waitFor()
    expect(await page.getByText('Failed', { exact: true }).count()).toBe(0)
    await decideAll('failed')
    await page.getByText('Failed', { exact: true }).first().waitFor()
  })

  test('a figure that was not read is no 0, and a browser that calls itself offline reads what it reaches', async () => {
    const other = await browser.newPage()
    await other.addInitScript(() =>
      Object.defineProperty(navigator, 'onLine', { get: () => false }),
    )
    await signInByLink(other, api)
    await other.evaluate("dispatchEvent(new Event('offline'))")
    await other.route('**/console/v1/webhooks', (route) => route.abort())
    await other.getByRole('link', { name: 'Facilities' }).click()
    const list = other.getByRole('region', { name: 'All facilities' })
    await list.getByRole('link', { name: 'loan-4711' }).waitFor()
    await open('/', other)
    const disabled = other.getByRole('link', { name: /^Webhooks disabled/ })
    await expect.poll(() => disabled.textContent(), { timeout: 20_000 }).toMatch(/Not read$/)
    await other.unroute('**/console/v1/webhooks')
    await expect.poll(() => disabled.textContent(), { timeout: 20_000 }).toMatch(/disabled0$/)
  })

  test('two webhooks with one address differ, and a resend to one that still refuses shows that', async () => {
    await using endpoint = await startEndpoint(() => ({ status: 500 }))
    const { client } = api.tenant
    const id = await client.registerWebhook({ url: endpoint.url, label: 'first' })
    await client.registerWebhook({ url: endpoint.url, label: 'second' })
    await addEligible(api.tenant)
    await expect.poll(() => endpoint.seen.length).toBeGreaterThan(1)
    await open('/webhooks')
    for (const label of ['first', 'second']) {
      const row = page.getByRole('row').filter({ hasText: label })
      await row.getByText(endpoint.url).waitFor()
      expect(await row.locator('time').count()).toBe(1)
    }
    await open(`/webhooks/${id}`)
    await page.getByRole('button', { name: 'Resend failed' }).click()
    const dialog = page.getByRole('dialog', { name: 'Resend failed deliveries' })
    await dialog.getByRole('button', { name: 'Resend', exact: true }).click()
    await dialog.getByText(/^The endpoint has refused \d+ in a row\.$/).waitFor()
    await api.db
      .updateTable('webhooks')
      .set({ state: 'disabled', disabled_at: new Date() })
      .where('webhook_id', '=', id)
      .execute()
    await dialog.getByText('It has stopped: the webhook was disabled.').waitFor()
  })

  test('the sentence of what cures agrees with the preview, to the smallest unit', async () => {
    await api.db
      .updateTable('facilities')
      .set({ rate_ppm: 0 })
      .where('facility_id', '=', loan.id)
      .execute()
    await api.tenant.client.setSandboxPrice('BTC', '55000')
    await api.tenant.client.advanceSandboxClock(61)
    await waitUntil(api.tenant, `/v1/facilities/${loan.id}`, { health: 'WARNING' })
    await open(`/facilities/${loan.id}`)
    const sentence = page.getByText(/or adding [\d.]+ BTC, worth [\d,.]+ USD in the market/)
    const text = (await sentence.first().textContent()) ?? ''
    const [, quantity = ''] = /adding ([\d.]+)\s+BTC/.exec(text) ?? []
    const preview = async (amount: string, outcome: string | RegExp) => {
      await open(`/facilities/${loan.id}?tab=preview`)
      await page.getByLabel('Deposit', { exact: true }).fill(amount)
      await page.getByRole('button', { name: 'Preview', exact: true }).click()
      await page.getByText(outcome).waitFor()
    }
    await preview(quantity, 'No warning would be open')
    const less = (BigInt(quantity.replace('.', '').padEnd(9, '0')) - 1n).toString().padStart(9, '0')
    await preview(`${less.slice(0, -8)}.${less.slice(-8)}`, /^Warning 1 would be open/)
  })
})
