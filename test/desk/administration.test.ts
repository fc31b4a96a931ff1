import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { listKeys } from '../../src/domain/auth/keys.ts'
import { generateKeyPair } from '../../src/domain/auth/public-key.ts'
import { signIn } from '../support/api/console.ts'
import { signInToDesk } from '../support/console/applications.ts'
import type { ConsoleApi } from '../support/console/console-api.ts'
import { furnishDesk } from '../support/console/desk-world.ts'
import { describeInBrowser } from '../support/console/in-browser.ts'

await describeInBrowser('administration', (started) => {
  let api: ConsoleApi
  let browser: Browser
  let page: Page
  beforeAll(async () => {
    ;({ api, browser } = started)
    await furnishDesk(api)
    page = await browser.newPage({ reducedMotion: 'reduce' })
    await signInToDesk(page, api)
  })
  afterAll(() => page?.close())
  beforeEach(async () => {
    await page.goto(`${api.deskOrigin}/desk/administration`)
    await page.getByRole('heading', { name: 'Tenants', level: 1 }).waitFor()
  })

  const press = (name: string) => page.getByRole('button', { name, exact: true }).first().click()
  const go = async (tab: string, heading: string) => {
    const tabs = page.getByRole('navigation', { name: 'Administration' })
    await tabs.getByRole('link', { name: tab }).click()
    await page.getByRole('heading', { name: heading, level: 1 }).waitFor()
  }
  const dialog = () => page.getByRole('dialog')
  /** In the dialog that is open: fills the fields and sends it. */
  const send = async (act: string, fields: Record<string, string>) => {
    for (const [label, text] of Object.entries(fields)) {
      await dialog().getByLabel(label).first().fill(text)
    }
    await dialog().getByLabel('Reason').fill('as agreed')
    await dialog().getByRole('button', { name: act, exact: true }).click()
  }

  test('a tenant is created, suspended and resumed, and its page shows which', async () => {
    await press('Create a tenant')
    await send('Create a tenant', { Name: 'Northwind' })
    await page.getByRole('link', { name: 'Northwind' }).click()
    await page.getByRole('heading', { name: 'Northwind', level: 1 }).waitFor()
    await page.getByText('No keys').waitFor()
    await press('Register a key')
    const { publicKeyPem } = generateKeyPair()
    await send('Register a key', { 'Public key': publicKeyPem, Label: 'billing server' })
    await page.getByRole('cell', { name: 'billing server' }).waitFor()
    await press('Suspend')
    await send('Suspend', {})
    await page.getByText('This tenant is suspended.').waitFor()
    await press('Resume')
    await send('Resume', {})
    await page.getByText('This tenant is suspended.').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Suspend', exact: true }).waitFor()
  })

  test('a person is invited with a link that is shown once', async () => {
    await page.getByRole('region', { name: 'Tenants, one a row' }).getByRole('link').first().click()
    await press('Invite a person')
    await send('Invite a person', { Name: 'Iris', 'E-mail': 'iris@example.com' })
    await dialog()
      .getByText(/\/console\//)
      .waitFor()
    await dialog().getByRole('button', { name: 'Close', exact: true }).last().click()
    await page.getByRole('cell', { name: 'Iris', exact: true }).waitFor()
    expect(await page.getByText(/\/console\/.*#/).count()).toBe(0)
  })

  test('a person is removed together with the keys that they made', async () => {
    const leaver = await signIn(api, { role: 'developer' })
    const { publicKeyPem: pem } = generateKeyPair()
    const body = { name: 'nightly job', public_key_pem: pem, scopes: ['borrower:read'] }
    const made = await leaver.send('POST', '/console/api/keys', { body })
    await page.goto(`${api.deskOrigin}/desk/administration/tenants/${api.tenant.id}`)
    const row = page.getByRole('row').filter({ hasText: `${leaver.personId}@example.com` })
    await row.getByRole('button', { name: 'Remove' }).click()
    const revoking = dialog().getByLabel('Revoke the keys that they made: nightly job')
    await revoking.waitFor()
    expect(await revoking.isChecked()).toBe(true)
    await send('Remove', {})
    await row.waitFor({ state: 'detached' })
    const keys = await listKeys(api.db, api.tenant.id, api.resources.clock())
    expect(keys.find(({ id }) => id === made.json().id)?.state).toBe('revoked')
  })

  test('a form without a reason is not sent', async () => {
    await press('Create a tenant')
    await dialog().getByLabel('Name').first().fill('Nameless')
    await dialog().getByRole('button', { name: 'Create a tenant', exact: true }).click()
    await dialog().getByText('Enter the reason.').waitFor()
    await page.keyboard.press('Escape')
    expect(await page.getByText('Nameless').count()).toBe(0)
  })

  test('a rule shows what it was before, who set it and why', async () => {
    await go('Residency', 'Residency policy')
    const rule = page.getByRole('row').filter({ hasText: 'FR' })
    await rule.getByRole('link', { name: 'Show' }).click()
    const history = page.getByRole('region', { name: 'Changes of FR/business, newest first' })
    await history.getByText('grace@lender.example').waitFor()
    expect(await history.getByRole('row').nth(1).textContent()).toContain('no rule')
  })

  test('a version shows beside the terms in force, and what it would change when it is proposed', async () => {
    await go('Margin policy', 'Margin policy')
    const terms = page.getByRole('region', { name: 'Terms' })
    const ether = terms.getByRole('row').filter({ hasText: 'Haircut ETH' })
    expect(await ether.textContent()).toContain('5 %12 %')
    await page.getByText('No amendment waits.').waitFor()
    await press('Propose a version')
    const from = new Date(Date.now() + 30 * 86_400_000).toISOString()
    await dialog().getByLabel('Haircut BTC').fill('60')
    const change = dialog().getByRole('row').filter({ hasText: 'Haircut BTC' })
    expect(await change.textContent()).toBe('Haircut BTC3 %60 %')
    await dialog().getByLabel('Haircut ETH').fill('')
    const dropped = dialog().getByRole('row').filter({ hasText: 'Haircut ETH' })
    expect(await dropped.textContent()).toBe('Haircut ETH12 %–')
    const effect = dialog().getByRole('region', { name: 'Effect', exact: true })
    await effect.waitFor()
    const sold = effect.getByRole('row').filter({ hasText: /^Newly sold/ })
    expect(await sold.textContent()).not.toBe('Newly sold0')
    await send('Propose a version', { 'Effective from (UTC)': from })
    await dialog().getByText('It takes effect at').waitFor()
  })

  test('lines out of order are refused in the words of the service', async () => {
    await go('Margin policy', 'Margin policy')
    await press('Propose a version')
    const from = new Date(Date.now() + 60 * 86_400_000).toISOString()
    await send('Propose a version', { 'Effective from (UTC)': from, 'Critical above': '50' })
    await dialog()
      .getByText(/critical_ltv \(0\.5\) must be above the third tier/)
      .first()
      .waitFor()
  })
})
