import { sql } from 'kysely'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '../../src/core/ids.ts'
import { inTransaction } from '../../src/db/database.ts'
import { showTerms } from '../../src/domain/margin/margin-terms.ts'
import { DEFAULT_MARGIN_POLICY } from '../../src/domain/margin/policy.ts'
import { makeReceiptKey } from '../../src/domain/margin/receipts/receipt-key.ts'
import { AMEND_FACILITIES } from '../../src/domain/operators/acts/amendment-acts.ts'
import { doOrPropose } from '../../src/domain/operators/approvals/propose.ts'
import { signInToDesk } from '../support/console/applications.ts'
import type { ConsoleApi } from '../support/console/console-api.ts'
import { furnishBook } from '../support/console/desk-book.ts'
import { describeInBrowser } from '../support/console/in-browser.ts'
import { sealOf } from '../support/lending/sealed.ts'
import { inviteOperator } from '../support/people.ts'

const MONTH = '2026-08'

/** Bitcoin counts a tenth. */
const OWN = showTerms(DEFAULT_MARGIN_POLICY)
const STRICTER = { ...OWN, haircuts: { ...OWN.haircuts, BTC: '0.9' } }

await describeInBrowser('work, books and amendments', (started) => {
  let api: ConsoleApi
  let browser: Browser
  let page: Page
  let tenantId: string
  let facilityId: string
  let breakId: string
  beforeAll(async () => {
    ;({ api, browser } = started)
    tenantId = await furnishBook(api)
    const { facility_id } = await api.db
      .selectFrom('facilities')
      .select('facility_id')
      .where('tenant_id', '=', tenantId)
      .where('principal_cents', '=', 24_000_00n)
      .executeTakeFirstOrThrow()
    facilityId = facility_id
    breakId = await furnishWork(api, { tenantId, facilityId })
    page = await browser.newPage({ reducedMotion: 'reduce' })
    await signInToDesk(page, api)
  })
  afterAll(() => page?.close())

  const dialog = () => page.getByRole('dialog')
  const press = (name: string) => page.getByRole('button', { name, exact: true }).first().click()
  const decide = async (act: string, reason: string) => {
    await dialog().getByLabel('Reason').fill(reason)
    await dialog().getByRole('button', { name: act, exact: true }).click()
  }
  const open = async (path: string, heading: string) => {
    await page.goto(`${api.deskOrigin}/desk${path}`)
    await page.getByRole('heading', { name: heading, level: 1 }).waitFor()
  }

  test('a break is opened, taken with a note, and closed with a reason', async () => {
    await open('/operations/work', 'Work')
    const breaks = page.getByRole('region', { name: 'Breaks, one a row' })
    const row = breaks.getByRole('row').filter({ hasText: 'Missing here' })
    await row.getByText('nobody').waitFor()
    await row.getByText('50,000.00 USD').waitFor()
    await row.getByRole('link', { name: 'Meridian Credit' }).waitFor()
    await press(`Take: ${breakId}`)
    await decide('Take', 'asked the bank')
    await row.getByText(/: asked the bank$/).waitFor()
    await press(`Resolve: ${breakId}`)
    await dialog().getByText('Nothing is booked.', { exact: false }).waitFor()
    await decide('Resolve', 'capital of the lender')
    await page.getByText('Books, bank and custodian agree.').waitFor()
    await page.getByLabel('State').selectOption('Resolved')
    await breaks.getByText(/: capital of the lender$/).waitFor()
    expect(await page.getByRole('button', { name: `Resolve: ${breakId}` }).count()).toBe(0)
  })

  test('a payment that waits shows what, whose and since when, under the name of its facility', async () => {
    await open('/operations/work', 'Work')
    const row = page
      .getByRole('region', { name: 'Payments that wait, one a row' })
      .getByRole('row')
      .filter({ hasText: 'Draw' })
    await row.getByRole('link', { name: 'loan-7' }).waitFor()
    await row.getByText('5,000.00 USD').waitFor()
    await row.getByText('pending').waitFor()
  })

  test('a trial balance is of the chosen month, and the ledger and the pack are saved', async () => {
    await open(`/books?month=${MONTH}&tenant_id=${tenantId}`, 'Books')
    const accounts = page.getByRole('region', { name: 'Accounts, one a row' })
    const bank = accounts.getByRole('row').filter({ hasText: '1000' })
    await bank.waitFor()
    expect(await bank.getByText('1,234.56 USD').count()).toBe(2)
    const ledger = page.waitForEvent('download')
    await press('Ledger (CSV)')
    expect((await ledger).suggestedFilename()).toBe(`ledger-${MONTH}.csv`)
    await press('Make the month-end pack')
    const files = page.getByRole('region', { name: 'Files of the pack, one a row' })
    await files.waitFor()
    expect(await files.getByRole('button', { name: /^Save / }).count()).toBe(10)
    const tape = page.waitForEvent('download')
    await press('Save loan-tape.csv')
    expect((await tape).suggestedFilename()).toBe('loan-tape.csv')
    await page.getByLabel('Month (UTC)').fill('2026-07')
    await page.getByText('Nothing was booked').waitFor()
  })

  test('a month is closed for all tenants after a question, with a reason', async () => {
    await open(`/books?month=${MONTH}`, 'Books')
    await press('Close for all')
    await dialog().getByText('stay closed', { exact: false }).waitFor()
    await decide('Close for all', 'agreed with the accountant')
    await dialog()
      .getByText(/^Closed for \d+ tenants\.$/)
      .waitFor()
    await dialog().getByRole('button', { name: 'Close', exact: true }).last().click()
    const months = page.getByRole('region', { name: 'Closed months, a tenant a row' })
    await months.getByRole('row').filter({ hasText: MONTH }).first().waitFor()
    expect(await months.getByRole('button', { name: 'Close', exact: true }).count()).toBe(0)
    const { rows } = await sql`SELECT reason FROM operator_actions WHERE action = 'books.close'
      AND tenant = ${tenantId}`.execute(api.db)
    expect(rows).toEqual([{ reason: 'agreed with the accountant' }])
  })

  const effect = () => page.getByRole('region', { name: 'Effect of the amendment' })
  const expectEffect = async () => {
    const haircut = effect().getByRole('row').filter({ hasText: 'Haircut BTC' })
    await haircut.waitFor()
    expect(await haircut.textContent()).toBe('Haircut BTC3 %90 %')
    const sold = effect()
      .getByRole('row')
      .filter({ hasText: /^Newly sold\d/ })
    expect(await sold.textContent()).toBe('Newly sold1')
  }

  test('an amendment shows what it changes and its effect on the book before it is proposed', async () => {
    await open(`/margin/${tenantId}/${facilityId}`, 'Facility')
    await press('Amend the terms')
    expect(await effect().count()).toBe(0)
    await dialog().getByLabel('Version of the margin policy').fill('1')
    await expectEffect()
    await dialog().getByLabel('Version of the margin policy').fill('9')
    await effect().getByText('There is no version 9 of the margin policy.').waitFor()
  })

  test('and again before it is confirmed', async () => {
    await open(
      `/approvals?id=${await proposeAmendment(api, { tenantId, facilityId })}`,
      'Approvals',
    )
    await expectEffect()
  })
})

type Of = { tenantId: string; facilityId: string }

/** A break and a payment that waits, of a facility with a name; books of a month; a stricter version. */
async function furnishWork({ db, resources }: ConsoleApi, { tenantId, facilityId }: Of) {
  await inTransaction(db, (tx) => makeReceiptKey(tx, resources.sealer, resources.clock()))
  await sql`UPDATE facilities SET external_id = 'loan-7' WHERE facility_id = ${facilityId}`.execute(
    db,
  )
  await sql`UPDATE facilities SET terms_version = 0 WHERE tenant_id = ${tenantId}`.execute(db)
  const breakId = newId('brk')
  await sql`INSERT INTO reconciliation_breaks (tenant_id, break_id, kind, area, item_id, facility_id,
      day, theirs, found_at, written_at)
    VALUES (${tenantId}, ${breakId}, 'missing_here', 'bank', 'wire-1', ${facilityId}, '2026-11-20',
      '{"asset":"USD","units":"5000000"}', now(), now())`.execute(db)
  const account = await sealOf(db, { tenantId, facilityId }, 'a', 'destination')
  await sql`INSERT INTO draws (tenant_id, draw_id, facility_id, status, asset, amount_units, debt_cents,
      destination, payout_sent_at, requested_at)
    VALUES (${tenantId}, ${newId('drw')}, ${facilityId}, 'PENDING', 'USD', 500000, 500000, ${account},
      now() - interval '3 hours', now() - interval '3 hours')`.execute(db)
  await sql`WITH key AS (INSERT INTO journal_entries VALUES (${tenantId}, ${facilityId}, 'suspense/1'))
    INSERT INTO journal (tenant_id, facility_id, entry_id, kind, accounts, assets, amounts, value_at,
      booked_at)
    VALUES (${tenantId}, ${facilityId}, 'suspense/1', 'suspense', '{bank,suspense}', '{USD,USD}',
      '{123456,-123456}', ${`${MONTH}-10`}, ${`${MONTH}-10`})`.execute(db)
  await sql`INSERT INTO margin_policy_versions
      (number, terms, effective_from, note, proposed_by, signed_by, created_at)
    VALUES (1, ${JSON.stringify(STRICTER)}, now() - interval '1 day', 'risk', 'ada', 'grace',
      now() - interval '2 days')`.execute(db)
  return breakId
}

async function proposeAmendment({ db, resources }: ConsoleApi, of: Of): Promise<string> {
  const { prices, termsAt, hasRounds } = resources
  const now = resources.clock()
  return await inTransaction(db, async (tx) => {
    const grace = { email: 'grace@lender.example', name: 'Grace', role: 'risk' } as const
    const { operator } = await inviteOperator(tx, grace, now)
    const acting = { actor: { kind: 'operator' as const, ...operator }, now }
    const desk = { tx, stack: 'sandbox' as const, now, acting, isFourEyes: true, maxActiveKeys: 10 }
    const request = { version: 1, facilities: [{ ...of, isStricter: true }] }
    const lending = { prices, termsAt, hasRounds }
    const { result } = await doOrPropose({ ...desk, lending }, AMEND_FACILITIES, request, 'risk')
    if (result.kind === 'done') throw new Error('it was done at once')
    return result.proposed.approvalId
  })
}
