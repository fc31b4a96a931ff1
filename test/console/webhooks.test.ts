import type { Browser, Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { peopleOf } from '../../src/db/sql/people-tables.ts'
import { newConfirmationToken } from '../../src/domain/mails/confirmation-tokens.ts'
import { type ConsoleApi, signInByLink } from '../support/console/console-api.ts'
import { describeInBrowser } from '../support/console/in-browser.ts'
import { addEvents } from '../support/deliveries/deliveries.ts'
import { addEligible } from '../support/lending/lending-api.ts'
import { type SeenAttempt, startEndpoint } from '../support/servers/endpoint.ts'

const FAILURES_TO_DISABLE = 100
const PATIENT = { timeout: 20_000, interval: 50 }

await describeInBrowser('webhooks', (started) => {
  let api: ConsoleApi
  let browser: Browser
  let page: Page
  beforeAll(async () => {
    ;({ api, browser } = started)
    page = await browser.newPage()
    await signInByLink(page, api)
  })

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

  test('what a disabled webhook missed is sent to the one registered in its place', async () => {
    let isBroken = true
    await using endpoint = await startEndpoint(() => ({ status: isBroken ? 500 : 204 }))
    const { client, id: tenantId } = api.tenant
    const id = await client.registerWebhook({
      url: endpoint.url,
      label: 'books',
      event_types: ['borrower.eligible'],
    })
    await addEvents(api.db, tenantId, FAILURES_TO_DISABLE)
    await page.goto(`${api.origin}/console/webhooks/${id}`)
    await page.getByText('Disabled after 100 failed attempts in a row').waitFor()
    isBroken = false
    await page.getByRole('button', { name: 'Register it again' }).click()
    await page.getByText('Disabled after 100').waitFor({ state: 'hidden' })
    const failed = new Set(endpoint.seen.map(({ eventId }) => eventId))

    await page.getByRole('button', { name: 'Resend failed' }).click()
    const dialog = page.getByRole('dialog', { name: 'Resend failed deliveries' })
    await dialog.getByLabel('Missed by').selectOption(id)
    await dialog.getByRole('button', { name: 'Resend', exact: true }).click()
    await dialog.getByText(/^\d+ are on their way\.$/).waitFor()
    const arrived = () =>
      new Set(endpoint.seen.filter(({ status }) => status === 204).map(({ eventId }) => eventId))
    await expect.poll(arrived, PATIENT).toEqual(failed)
    expect(failed.size).toBe(FAILURES_TO_DISABLE)
    await dialog.getByRole('button', { name: 'Close' }).last().click()
    await page.getByText('Delivered').first().waitFor()
  })

  test('a person asks for mails, confirms the address by its link, and finds both kept', async () => {
    await page.goto(`${api.origin}/console/webhooks`)
    const choice = page.getByLabel(/^Write to .* when a webhook fails$/)
    await choice.click()
    await choice.and(page.locator(':checked')).waitFor()
    await page.reload()
    await choice.and(page.locator(':checked')).waitFor()
    const unconfirmed = page.getByText('is not confirmed')
    await unconfirmed.waitFor()
    await page.getByRole('button', { name: 'Mail me a link' }).click()
    // The question of a moment ago is on its way already.
    await page.getByText('rate_limited').waitFor()

    await page.goto(await linkOf(api))
    await page.getByRole('heading', { name: 'Is this address yours?' }).waitFor()
    expect(page.url()).not.toContain('confirm=')
    await page.getByRole('button', { name: 'Confirm the address' }).click()
    await page.getByRole('heading', { name: 'Your address is confirmed' }).waitFor()
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    await page.goto(`${api.origin}/console/webhooks`)
    await choice.and(page.locator(':checked')).waitFor()
    await unconfirmed.waitFor({ state: 'detached' })
    await page.goto(`${api.origin}/console/passkeys`)
    await page.getByRole('heading', { name: 'Mails about your account' }).waitFor()
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

/** As it is mailed to the developer of the stack. */
async function linkOf({ db, origin, tenant, resources: { clock, sealer } }: ConsoleApi) {
  const { person_id: personId, email: address } = await db
    .selectFrom('console_people')
    .select(['person_id', 'email'])
    .where('tenant_id', '=', tenant.id)
    .executeTakeFirstOrThrow()
  const key = { ...peopleOf(tenant.id), personId }
  const token = newConfirmationToken(sealer, { key, address, now: clock() })
  return `${origin}/console/#confirm=${token}`
}

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
