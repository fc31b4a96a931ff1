import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { signInToDesk } from '../support/console/applications.ts'
import type { ConsoleApi } from '../support/console/console-api.ts'
import { furnishBook } from '../support/console/desk-book.ts'
import { describeInBrowser } from '../support/console/in-browser.ts'

await describeInBrowser('the book', (started) => {
  let api: ConsoleApi
  let browser: Browser
  let page: Page
  let tenantId: string
  beforeAll(async () => {
    ;({ api, browser } = started)
    tenantId = await furnishBook(api)
    page = await browser.newPage({ reducedMotion: 'reduce' })
    await signInToDesk(page, api)
  })
  afterAll(() => page?.close())

  const open = async (path: string, heading: string) => {
    await page.goto(`${api.deskOrigin}/desk${path}`)
    await page.getByRole('heading', { name: heading, level: 1 }).waitFor()
  }
  const rows = () => page.getByRole('region', { name: 'Facilities, one a row' }).locator('tbody tr')
  const facility = (name: string | RegExp) => page.getByRole('link', { name })

  test('is the first page after a sign-in, shows its figures and of what instant they are', async () => {
    await open('/', 'Book')
    await page.getByText(/^What facilities owe, against what\. Read at .* UTC/).waitFor()
    expect(await facility(/^Exposure/).textContent()).toContain('8 facilities')
    expect(await facility(/^Open warnings/).textContent()).toContain('3')
    const bands = page.getByRole('list', { name: 'Exposure by ratio' }).getByRole('listitem')
    expect(await bands.count()).toBe(10)
    const countries = page.getByRole('list', { name: 'Exposure by country' }).getByRole('listitem')
    expect(await countries.first().textContent()).toContain('DE3 facilities')
  })

  test('leads from a figure to the facilities that make it up, whose sum it shows', async () => {
    await open('/', 'Book')
    await facility(/^Deficits/).click()
    await page.getByRole('heading', { name: 'Deficits', level: 1 }).waitFor()
    await page.getByText(/^1 facility, 101\.\d\d ?USD in all\. Read at/).waitFor()
    expect(await rows().count()).toBe(1)
    await page.getByRole('link', { name: 'Book' }).first().click()
    await facility(/^Tier 3/).click()
    await page.getByRole('heading', { name: 'Open warnings', level: 1 }).waitFor()
    await expect.poll(() => rows().count()).toBe(1)
    expect(page.url()).toContain('tier=3')
    await page.getByLabel('Tier').selectOption('')
    await expect.poll(() => rows().count()).toBe(3)
  })

  test('of one tenant is chosen by a filter that stays in the address', async () => {
    await open('/', 'Book')
    await page.getByLabel('Tenant', { exact: true }).selectOption(tenantId)
    await expect.poll(() => page.url()).toContain(`tenant_id=${tenantId}`)
    await facility(/^Undrawn/).click()
    await page.getByRole('heading', { name: 'Undrawn', level: 1 }).waitFor()
    await expect.poll(() => rows().count()).toBe(9)
    expect(page.url()).toContain(`tenant_id=${tenantId}`)
  })

  test('says what to do where a list is empty, and why a filter is refused', async () => {
    await open('/book/facilities?figure=margin_calls', 'Margin calls')
    await page.getByText('No facility is in this list').waitFor()
    await page.getByLabel('Country').fill('Germany')
    await page.getByLabel('Country').press('Enter')
    await page.getByText(/Expected a country such as DE/).waitFor()
    await page.getByText(/^req_/).first().waitFor()
  })
})
