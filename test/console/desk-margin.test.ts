import { sql } from 'kysely'
import type { Browser, Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { inTransaction } from '../../src/db/database.ts'
import { lockFacilityRow } from '../../src/domain/facilities/queries.ts'
import type { TestTenant } from '../support/api/api.ts'
import { signInToDesk } from '../support/console/applications.ts'
import type { ConsoleApi } from '../support/console/console-api.ts'
import { describeInBrowser } from '../support/console/in-browser.ts'
import { addOwing, addSold } from '../support/console/margin-world.ts'

await describeInBrowser('the margin desk', (started) => {
  let api: ConsoleApi
  let browser: Browser
  let page: Page
  beforeAll(async () => {
    ;({ api, browser } = started)
    page = await (await browser.newContext()).newPage()
    await signInToDesk(page, api)
  })

  const open = (path: string, on = page) => on.goto(`${api.deskOrigin}/desk${path}`)

  async function report({ client }: TestTenant, facilityId: string): Promise<string> {
    const { cure_amount_usd: amount } = await client.getMarginWarning(facilityId, 1)
    const money = { amount, asset: 'USD' as const }
    const { id } = await client.createRepayment(facilityId, money)
    await client.setSandboxPayments('delay')
    const reference = `wire-${facilityId}`
    await client.reportExecution(facilityId, id, {
      ...{ status: 'completed', delivered: money, reference },
    })
    return id
  }

  test('a warning appears, counts down, is reported, confirmed and cured, without a reload', async () => {
    const tenant = await api.addTenant()
    await open(`/margin?tenant_id=${tenant.id}`)
    await page.getByText('No open warning passes the filters').waitFor()
    const facilityId = await addOwing(tenant, '56000')
    const row = page.getByRole('row').filter({ hasText: `${facilityId.slice(-6)}/1` })
    await row.waitFor()
    await row.getByText('47 h 59 min left').waitFor()
    await row.getByText('7,440.89').waitFor()

    await row.getByRole('link', { name: /\/1$/ }).click()
    const notice = page.getByRole('status').filter({ hasText: 'Open at tier 1' })
    await notice.getByText('47 h 59 min left').waitFor()
    const custodian = page.getByRole('region', { name: 'What the custodian holds' })
    await custodian.getByRole('cell', { name: 'BTC' }).waitFor()

    const repaymentId = await report(tenant, facilityId)
    const unconfirmed = page.getByRole('region', { name: 'Reported and not confirmed' })
    // The treasury's answer cannot be booked before the page was seen.
    await inTransaction(api.db, async (tx) => {
      await lockFacilityRow(tx, tenant.id, facilityId, new Date(0))
      await unconfirmed.getByText(repaymentId).waitFor()
    })
    await page.getByRole('heading', { name: 'Cured by a repayment' }).waitFor()
    expect(await unconfirmed.getByText(repaymentId).count()).toBe(0)

    await page.getByRole('link', { name: /^Facility/ }).click()
    const timeline = page.getByRole('list', { name: 'Timeline' })
    await timeline.getByText('The treasury confirmed 7,440.89 USD to cure warning 1.').waitFor()
    expect(await timeline.getByRole('heading').allTextContents()).toEqual([
      ...['Cured by a repayment', 'Repayment confirmed', 'Repayment reported'],
      ...['Repayment requested', 'Warning raised at tier 1'],
    ])
  })

  test('the countdown ticks by the clock of the tenant', async () => {
    const tenant = await api.addTenant()
    const facilityId = await addOwing(tenant, '56000')
    await tenant.client.setSandboxCustodian('fail')
    const { cure_deadline: deadline } = await tenant.client.getMarginWarning(facilityId, 1)
    const { now } = await tenant.client.getSandboxClock()
    const leftSeconds = Math.floor((Date.parse(deadline) - Date.parse(now)) / 1_000)
    await tenant.client.advanceSandboxClock(leftSeconds - 30)
    await open(`/margin?tenant_id=${tenant.id}`)
    const row = page.getByRole('row').filter({ hasText: `${facilityId.slice(-6)}/1` })
    const left = row.getByText(/^\d+ s left$/)
    await left.waitFor()
    const first = Number.parseInt((await left.textContent()) ?? '', 10)
    await expect
      .poll(async () => Number.parseInt((await left.textContent()) ?? '', 10), { timeout: 10_000 })
      .toBeLessThan(first)
  })

  test('a facility is put on hold, which a red band shows, and is in the list until it is lifted', async () => {
    const tenant = await api.addTenant()
    const facilityId = await addOwing(tenant, '100000')
    await open(`/margin/${tenant.id}/${facilityId}`)
    await page.getByRole('button', { name: 'Put on hold' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Kind').selectOption('Freeze')
    await dialog.getByRole('textbox').fill('order 12')
    await dialog.getByRole('button', { name: 'Hold' }).click()
    const band = page.getByRole('alert').filter({ hasText: 'On hold' })
    await band.getByText('order 12').waitFor()
    await open('/margin/holds')
    const row = page.getByRole('row').filter({ hasText: facilityId.slice(-6) })
    await row.getByText('Freeze').waitFor()
    await tenant.client.setSandboxHold(facilityId, false)
    await open(`/margin/${tenant.id}/${facilityId}`)
    await page.getByRole('button', { name: 'Put on hold' }).waitFor()
    expect(await page.getByRole('alert').count()).toBe(0)
  })

  test('a correction is seen before it is booked, and in the list afterwards', async () => {
    const tenant = await api.addTenant()
    const facilityId = await addOwing(tenant, '100000')
    await open(`/margin/${tenant.id}/${facilityId}`)
    await page.getByRole('button', { name: 'Correct' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('What').selectOption('Credit principal')
    await dialog.getByLabel('Amount, USD').fill('50.00')
    await dialog.getByRole('button', { name: 'Preview' }).click()
    const changed = dialog.getByRole('row').filter({ hasText: '40,000.00' })
    await changed.filter({ hasText: '39,950.00' }).first().waitFor()
    await dialog.getByLabel('Reason').fill('agreed with the borrower')
    await dialog.getByRole('button', { name: 'Correct' }).click()
    await dialog.getByText('Corrected.').waitFor()
    await dialog.getByRole('button', { name: 'Close', exact: true }).last().click()
    await page.getByRole('row').filter({ hasText: 'Credit principal' }).waitFor()
  })

  test('a margin call shows its orders and fills, and the record of each decision agrees', async () => {
    const { tenantId, facilityId } = await addSold(api)
    await open(`/margin/calls?tenant_id=${tenantId}`)
    await page.getByText('No margin call is running').waitFor()
    await page.getByLabel('Show').selectOption('ended')
    const row = page.getByRole('row').filter({ hasText: `${facilityId.slice(-6)}/1` })
    await row.getByText('0.00', { exact: false }).first().waitFor()
    const [owed, deficit] = (await row.getByRole('cell').allTextContents()).slice(4)
    const owedNow = /^[1-9],\d{3}\.\d\d ?USD$/
    expect([owed, deficit]).toEqual([
      expect.stringMatching(owedNow),
      expect.stringMatching(/^0\.00 ?USD$/),
    ])
    await page.getByRole('link', { name: `${facilityId.slice(-6)}/1` }).click()
    const fact = (name: string) =>
      page.locator('dl > div').filter({ has: page.getByText(name, { exact: true }) })
    expect(await fact('Deficit').locator('dd').textContent()).toMatch(/^0\.00 ?USD$/)
    expect(await fact('The loan owes now').locator('dd').textContent()).toMatch(owedNow)
    const orders = page.getByRole('region', { name: 'Orders, one a row' })
    await orders.getByText('Filled', { exact: true }).first().waitFor()
    await page.getByText('As much was sold as makes the loan safe again').waitFor()

    await open(`/margin/${tenantId}/${facilityId}`)
    const escalated = page.getByRole('listitem').filter({ hasText: 'Escalated' })
    await escalated.getByRole('button', { name: 'Why?' }).click()
    await escalated.getByText('Recomputed: the same').waitFor()
    expect(await page.getByText('The record is wrong').count()).toBe(0)
  })

  test('a decision whose record was altered is marked, with what comes out of it', async () => {
    const tenant = await api.addTenant()
    const facilityId = await addOwing(tenant, '56000')
    await sql`
      UPDATE margin_decisions
      SET facts = jsonb_set(facts, '{positions,0,units}', '{"$int": "500000000"}')
      WHERE facility_id = ${facilityId}`.execute(api.db)
    await open(`/margin/${tenant.id}/${facilityId}/warnings/1`)
    const alert = page.getByRole('alert').filter({ hasText: 'The record is wrong' })
    await alert.getByText('Decided again from the recorded inputs: nothing').waitFor()
  })

  test('a slider shows the stressed book beside that of today, and sends the next when one has ended', async () => {
    const tenant = await api.addTenant()
    await addOwing(tenant, '100000')
    await open('/margin/stress')
    const book = page.getByRole('region', { name: 'The book' })
    const line = book.getByRole('row').filter({ hasText: 'Escalated as critical' })
    await line.waitFor()
    const slider = page.getByRole('slider', { name: 'Change of BTC in percent' })
    await slider.press('Home')
    for (let step = 0; step < 5; step += 1) await slider.press('ArrowRight')
    await book.getByText('BTC (-90 %)').waitFor()
    const [today, stressed] = (await line.getByRole('cell').allTextContents()).slice(1)
    expect(Number(stressed)).toBeGreaterThan(Number(today))
    const bound = page.getByLabel('As if every loan were bound to')
    const [answer] = await Promise.all([
      page.waitForResponse((response) =>
        /"policy_version":0/.test(response.request().postData() ?? ''),
      ),
      bound.selectOption({ label: "version 0, the service's own" }),
    ])
    expect(answer.status()).toBe(200)
    expect(await page.getByRole('alert').count()).toBe(0)

    await page.getByLabel('Cured at or below').fill('75')
    await page.getByRole('button', { name: 'Compare by these terms' }).click()
    await page.getByRole('alert').getByText('floor_ltv (0.7) must be above cure_ltv').waitFor()
    await page.getByRole('button', { name: 'As they are' }).last().click()
    await page.getByRole('alert').waitFor({ state: 'detached' })
    expect(await page.getByLabel('Cured at or below').inputValue()).toBe('60')
  })

  test('tenants are links by name and never bare ids, in lists, facts and the stressed book', async () => {
    const { tenantId, facilityId } = await addSold(api)
    await sql`UPDATE tenants SET name = 'Aurora Credit' WHERE tenant_id = ${tenantId}`.execute(
      api.db,
    )
    const of = `/margin/${tenantId}/${facilityId}`
    for (const path of [
      `/margin/calls?status=ended&tenant_id=${tenantId}`,
      ...[of, `${of}/warnings/1`, `${of}/calls/1`, '/margin/stress'],
      `/book/facilities?tenant_id=${tenantId}`,
    ]) {
      await open(path)
      const main = page.getByRole('main')
      await main.getByRole('link', { name: 'Aurora Credit' }).first().waitFor()
      expect({ path, text: await main.textContent() }).toEqual({
        path,
        text: expect.not.stringContaining('ten_'),
      })
    }
  })

  test('every role may read the margin desk', async () => {
    const { tenantId, facilityId } = await addSold(api)
    await api.db.updateTable('operators').set({ role: 'viewer' }).execute()
    try {
      await open(`/margin/${tenantId}/${facilityId}/calls/1`)
      await page.getByRole('region', { name: 'Orders, one a row' }).waitFor()
      await open('/margin/stress')
      await page.getByRole('region', { name: 'Stressed, by tenant' }).waitFor()
      expect(await page.getByRole('alert').count()).toBe(0)
    } finally {
      await api.db.updateTable('operators').set({ role: 'admin' }).execute()
    }
  })
})
