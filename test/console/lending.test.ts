import { readFile } from 'node:fs/promises'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { inTransaction } from '../../src/db/database.ts'
import { applySuspense } from '../../src/domain/repayments/suspense.ts'
import { signIn } from '../support/api/console.ts'
import { type ConsoleApi, signInByLink } from '../support/console/console-api.ts'
import { describeInBrowser } from '../support/console/in-browser.ts'
import { addApproved, addDraw, waitUntil } from '../support/lending/lending-api.ts'

const STORY_MS = 120_000

await describeInBrowser('the lending pages', (started) => {
  let api: ConsoleApi
  let browser: Browser
  let page: Page
  let loan: { id: string; borrowerId: string }
  beforeAll(async () => {
    ;({ api, browser } = started)
    page = await (await browser.newContext()).newPage()
    await signInByLink(page, api)
    loan = await addApproved(api.tenant)
    await addDraw(api.tenant, loan.id, '20000.00')
  })

  const open = (path: string, on = page) => on.goto(`${api.origin}/console${path}`)

  test('a downloaded statement is the answer of the API for the period on screen', async () => {
    await open(`/facilities/${loan.id}?tab=statement`)
    await page.getByText('Closing balance').first().waitFor()
    const csv = await download('Download CSV')
    const [, first = '', , last = ''] = csv.split('\r\n')
    const period = `from=${first.split(',')[0]}&to=${last.split(',')[0]}`
    const target = `/v1/facilities/${loan.id}/statement?${period}`
    const answer = await api.tenant.send('GET', target, { headers: { accept: 'text/csv' } })
    expect(csv).toBe(answer.text)
    expect(csv).toContain(',draw,')
    const json = JSON.parse(await download('Download JSON'))
    const { from, to } = json
    const shown = `/v1/facilities/${loan.id}/statement?from=${from}&to=${to}`
    expect(json).toEqual((await api.tenant.send('GET', shown)).json())
  })

  test('a repayment is announced, reported and applied, and its waterfall adds up', async () => {
    await open(`/facilities/${loan.id}?tab=repayments`)
    await page.getByRole('button', { name: 'Announce a repayment' }).click()
    await page.getByLabel('Amount').fill('5000.00')
    await page.getByRole('button', { name: 'Announce', exact: true }).click()
    const drawer = page.getByRole('dialog', { name: 'Repayment' })
    await drawer.getByText('Carry out, in this order').waitFor()
    await drawer.getByLabel('Reference').fill('wire-from-the-console')
    await drawer.getByRole('button', { name: 'Report as completed' }).click()
    const waterfall = drawer.getByRole('region', { name: 'Waterfall' })
    await waterfall.waitFor()
    const { items } = (await api.tenant.client.listRepayments(loan.id)) as Listed
    const [repayment] = items
    expect(repayment).toMatchObject({ status: 'APPLIED', reference: 'wire-from-the-console' })
    const { principal } = repayment?.allocation ?? {}
    await waterfall.getByText(grouped(principal?.amount ?? '')).waitFor()
    await page.goto(`${api.origin}/console/repayments/${repayment?.id}`)
    await page.waitForURL(`**/facilities/${loan.id}?tab=repayments&repayment=${repayment?.id}`)
  })

  test('a preview shows the loan as it is beside what would follow, and changes nothing', async () => {
    await open(`/facilities/${loan.id}?tab=preview`)
    await page.getByLabel('Draw', { exact: true }).fill('1000000.00')
    await page.getByLabel('Then the price is', { exact: true }).fill('21000')
    await page.getByLabel('And days pass').fill('1')
    await page.getByRole('button', { name: 'Preview' }).click()
    await page.getByText('The draw would be refused').waitFor()
    await page.getByText('credit_limit_exceeded').waitFor()
    await page.getByText('Warning 1 would be open at tier').waitFor()
    expect(await page.getByRole('meter').count()).toBe(3)
    expect(await api.tenant.client.getFacility(loan.id)).toMatchObject({ health: 'HEALTHY' })
  })

  test('a borrower with a facility cannot apply for another', async () => {
    await open(`/borrowers/${loan.borrowerId}`)
    const apply = page.getByRole('button', { name: 'Apply for a facility' })
    await page.getByText('Approved').waitFor()
    expect(await apply.getAttribute('aria-disabled')).toBe('true')
    await apply.hover()
    await page.getByText('The borrower already has a facility.').waitFor()
  })

  test('a closed facility shows no error, and the list adds up the debts that it shows', async () => {
    const closed = await addApproved(api.tenant)
    await api.tenant.client.closeFacility(closed.id)
    await waitUntil(api.tenant, `/v1/facilities/${closed.id}`, { state: 'CLOSED' })
    await open(`/facilities/${closed.id}`)
    await page.getByText('Only an approved facility has collateral').waitFor()
    await page.getByText('Nothing is recorded').waitFor()
    await page.getByRole('tab', { name: 'What if' }).click()
    await page.getByText('Only an approved facility has a preview').waitFor()
    expect(await page.getByRole('alert').count()).toBe(0)
    await open('/facilities')
    await page.getByText('2 rows').getByText('of debt').waitFor()
    const [text = ''] = await page.getByRole('main').allInnerTexts()
    const [closedDebt, , debt, , sum, ...others] = text.match(/[\d,]+\.\d\d USD/g) ?? []
    expect([closedDebt, ...others]).toEqual(['0.00 USD'])
    expect(debt).not.toBe('0.00 USD')
    expect(sum).toBe(debt)
  })

  test('a facility of another tenant shows the 404 of the API', async () => {
    const other = await addApproved(await api.addTenant())
    await open(`/facilities/${other.id}`)
    const alert = page.getByRole('alert')
    await alert.getByText('404 not_found').waitFor()
    expect(await page.content()).not.toContain(other.borrowerId)
  })

  test('what a viewer may not write is disabled with the reason, and refused', async () => {
    const context = await asViewer()
    const viewer = await context.newPage()
    await open(`/facilities/${loan.id}?tab=draws`, viewer)
    const button = viewer.getByRole('button', { name: 'Request a draw' })
    expect(await button.getAttribute('aria-disabled')).toBe('true')
    await button.hover()
    await viewer.getByText('Your role does not include facility:write.').waitFor()
    await button.click({ force: true })
    expect(await viewer.getByRole('dialog').count()).toBe(0)
    const before = await api.tenant.client.listDraws(loan.id)
    const refused = await viewer.evaluate(async (address) => {
      const answer = await fetch(address, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'Idempotency-Key': crypto.randomUUID() },
        body: JSON.stringify({ amount: '1.00', asset: 'USD', destination: 'mine' }),
      })
      const { code } = (await answer.json()) as { code: string }
      return { status: answer.status, code }
    }, `/console/v1/facilities/${loan.id}/draws`)
    expect(refused).toEqual({ status: 403, code: 'scope_missing' })
    expect((await api.tenant.client.listDraws(loan.id)).items).toEqual(before.items)
    await open('/sandbox', viewer)
    const play = viewer.getByRole('button', { name: 'Play' }).first()
    await play.waitFor()
    expect(await play.getAttribute('aria-disabled')).toBe('true')
    await context.close()
  })

  test('a portfolio is pushed on the page of its borrower', async () => {
    await open(`/borrowers/${loan.borrowerId}`)
    await page.getByRole('button', { name: 'Push a portfolio' }).click()
    await page.getByLabel('Quantity 1').fill('1.25')
    await page.getByRole('button', { name: 'Push', exact: true }).click()
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    await page.getByRole('cell', { name: '1.25' }).waitFor()
    const positions = [{ asset: 'BTC', quantity: '1.25' }]
    await waitUntil(api.tenant, `/v1/borrowers/${loan.borrowerId}/portfolio`, { positions })
  })

  test('prices and the clock of the sandbox move the gauge of an open page, and a warning appears', async () => {
    const watching = await page.context().newPage()
    await open(`/facilities/${loan.id}?tab=margin`, watching)
    const gauge = watching.getByRole('meter')
    await gauge.and(watching.locator('[aria-valuetext*="below every line"]')).waitFor()
    await open('/sandbox')
    await page.getByLabel('BTC in USD').fill('17000')
    await page.getByRole('button', { name: 'Set the price' }).click()
    await page.getByText('Set by you').waitFor()
    await gauge.and(watching.locator('[aria-valuetext*="above 70 %"]')).waitFor()
    await page.getByRole('button', { name: '+ 61 s' }).click()
    await watching.getByText('Warning 1 is open at tier 1').waitFor()
    await watching.getByText('Warning raised at tier 1').waitFor()
    await watching.getByText(/Deadline, 47 h 5\d min left/).waitFor()
    await open('/margin')
    await page
      .getByRole('row', { name: new RegExp(loan.id) })
      .first()
      .waitFor()
    await watching.close()
  })

  test('a repayment shows what is in suspense, from when it counts and until when it can be taken back, and a part shows of what', async () => {
    const { client } = api.tenant
    const delivered = { amount: '10.00', asset: 'USD' }
    const { id } = await client.createRepayment(loan.id, delivered)
    const reference = 'card-7+over+revocable'
    await client.reportExecution(loan.id, id, { status: 'completed', delivered, reference })
    const target = `/v1/facilities/${loan.id}/repayments`
    const whole = await waitUntil(api.tenant, `${target}/${id}`, { status: 'APPLIED' })
    await open(`/facilities/${loan.id}?tab=repayments&repayment=${id}`)
    const drawer = page.getByRole('dialog', { name: 'Repayment' })
    const fact = (name: string) =>
      drawer.locator('dl > div', { has: page.getByText(name, { exact: true }) })
    await fact('Beyond that, in suspense').getByText('1,000.00').waitFor()
    await fact('Counts from').locator(`time[datetime="${whole.value_date}"]`).waitFor()
    await fact('Can be taken back until').locator(`time[datetime="${whole.final_at}"]`).waitFor()
    await drawer.getByText('More was received than was reported').waitFor()
    const now = new Date()
    const tenant = { tenantId: api.tenant.id, now, realNow: now }
    await inTransaction(api.db, (tx) => applySuspense({ ...tenant, tx }, id))
    await fact('Beyond that, in suspense').waitFor({ state: 'hidden' })
    const { items } = (await client.listRepayments(loan.id)) as Listed
    const part = items.find(({ split_from: from }) => from === id)
    await open(`/facilities/${loan.id}?tab=repayments&repayment=${part?.id}`)
    await fact('Part of').getByRole('link', { name: id }).click()
    await page.waitForURL(`**/facilities/${loan.id}?tab=repayments&repayment=${id}`)
    await drawer.getByText('Carried out').waitFor()
  })

  async function asViewer(): Promise<BrowserContext> {
    const { cookie = '' } = await signIn(api, { role: 'viewer' })
    const context = await browser.newContext()
    // A cookie with this prefix is given for https alone; the browser sends it to localhost too.
    const url = 'https://localhost'
    await context.addCookies([{ name: '__Host-console', value: cookie, url, secure: true }])
    return context
  }

  async function download(button: string): Promise<string> {
    const arriving = page.waitForEvent('download')
    await page.getByRole('button', { name: button }).click()
    return await readFile(await (await arriving).path(), 'utf8')
  }
})

type Listed = {
  items: { id: string; split_from?: string; allocation?: { principal: { amount: string } } }[]
}

const grouped = (amount: string) => amount.replace(/\B(?=(\d{3})+\.)/g, ',')

await describeInBrowser('a margin day of the sandbox page', (started) => {
  test(
    'each step ticks off, the gauge moves, and warnings and the call arrive with their reasons',
    async () => {
      const { api, browser } = started
      const page = await browser.newPage()
      await signInByLink(page, api)
      await page.goto(`${api.origin}/console/sandbox`)
      await page.getByText('No loan owes money now.').waitFor()
      const story = page.locator('div', {
        has: page.getByRole('heading', { name: 'A margin day' }),
      })
      await story.last().getByRole('button', { name: 'Play' }).click()
      await page.locator('[role=meter][aria-valuetext*="above 70 %"]').waitFor()
      await page.getByText('Warning 1 is open at tier').waitFor()
      const steps = page.getByRole('list', { name: 'Steps' })
      await page.getByRole('button', { name: 'All stories' }).waitFor({ timeout: STORY_MS })
      expect(await steps.locator('li:not([data-state=done])').allInnerTexts()).toEqual([])
      await page.getByRole('link', { name: 'margin_call.completed' }).waitFor()

      await page.getByRole('link', { name: /^fac_/ }).first().click()
      await page.getByRole('tab', { name: 'Margin' }).click()
      const third = page.getByRole('region', { name: 'Warning 3' })
      await third.getByText('Escalated: the deadline had passed').waitFor()
      await third.getByRole('heading', { name: 'Margin call 1' }).waitFor()
      await third.getByRole('region', { name: 'Fills' }).getByText('BTC').waitFor()
      await page.getByText('Cured by collateral').waitFor()
      await page.getByText('Cured by a repayment').waitFor()
      const whys = page.getByRole('button', { name: 'Why?' })
      const count = await whys.count()
      expect(count).toBe(8)
      for (let opened = 0; opened < count; opened += 1) await whys.first().click()
      expect(await page.getByText('Recomputed: the same').count()).toBe(count)
    },
    2 * STORY_MS,
  )

  test(
    'a payment that is returned, a hold, a correction and an amendment are played to their end',
    async () => {
      const { api, browser } = started
      const page = await browser.newPage()
      await signInByLink(page, api)
      await page.goto(`${api.origin}/console/sandbox`)
      for (const title of ['A payment is returned', 'A hold', 'A correction', 'An amendment']) {
        const story = page.locator('div', { has: page.getByRole('heading', { name: title }) })
        await story.last().getByRole('button', { name: 'Play' }).click()
        const steps = page.getByRole('list', { name: 'Steps' })
        const all = page.getByRole('button', { name: 'All stories' })
        await all.waitFor({ timeout: STORY_MS })
        expect(await steps.locator('li:not([data-state=done])').allInnerTexts()).toEqual([])
        await all.click()
      }
    },
    2 * STORY_MS,
  )
})
