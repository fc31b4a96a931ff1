import { createServer } from 'node:http'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { deskLink } from '../../src/config/page-address.ts'
import { addMs } from '../../src/core/time.ts'
import { inTransaction } from '../../src/db/database.ts'
import { LENDER } from '../../src/db/sql/people-tables.ts'
import { actInvite } from '../../src/domain/operators/people-acts.ts'
import type { OperatorRole } from '../../src/domain/operators/roles.ts'
import { findPerson } from '../../src/domain/people/people.ts'
import { signInToDesk } from '../support/console/applications.ts'
import { addAuthenticator, type ConsoleApi } from '../support/console/console-api.ts'
import { furnishDesk } from '../support/console/desk-world.ts'
import { describeInBrowser } from '../support/console/in-browser.ts'
import { addApproved, addDraw, waitUntil } from '../support/lending/lending-api.ts'
import { openOf } from '../support/lending/sealed.ts'
import { changeRoleRecorded } from '../support/people.ts'
import { listen } from '../support/servers/misbehaving-server.ts'

await describeInBrowser('the desk', (started) => {
  let api: ConsoleApi
  let browser: Browser
  beforeAll(() => {
    ;({ api, browser } = started)
  })

  async function invite(email: string, role: OperatorRole): Promise<string> {
    const now = api.resources.clock()
    const given = { email, name: email.split('@')[0] ?? '', role }
    const { result } = await inTransaction(api.db, (tx) =>
      actInvite(tx, given, { now, isTrusted: true }),
    )
    return deskLink(api.deskOrigin, result.token)
  }

  /** In a browser of their own, with a passkey that they have just added. */
  async function signUp(email: string, role: OperatorRole) {
    const context = await browser.newContext()
    const page = await context.newPage()
    await addAuthenticator(context, page)
    await page.goto(await invite(email, role))
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await page.getByRole('navigation', { name: 'Desk' }).waitFor()
    return { context, page, [Symbol.asyncDispose]: () => context.close() }
  }

  async function signOut(page: Page): Promise<void> {
    await page.getByRole('button', { name: /^Account of/ }).click()
    await page.getByRole('menuitem', { name: 'Sign out', exact: true }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  }

  const tokenOf = async (context: BrowserContext) =>
    (await context.cookies()).find(({ name }) => name === '__Host-desk')?.value

  test('an invitation opens once and asks for a passkey, which then signs in', async () => {
    await using ada = await signUp('ada@lender.example', 'admin')
    const first = await tokenOf(ada.context)
    await signOut(ada.page)
    await ada.page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    const menu = ada.page.getByRole('navigation', { name: 'Desk' })
    await menu.getByText(`Version ${api.resources.build}`, { exact: true }).waitFor()
    expect(await tokenOf(ada.context)).not.toBe(first)
    const link = await invite('late@lender.example', 'viewer')
    for (const isFirst of [true, false]) {
      const context = await browser.newContext()
      const page = await context.newPage()
      await page.goto(link)
      const shown = isFirst ? page.getByText('Welcome, late') : page.getByText('401 link_invalid')
      await shown.waitFor()
      expect(page.url()).toBe(`${api.deskOrigin}/desk/`)
      await context.close()
    }
  })

  test('what one proposes another confirms in a browser of their own, and not the proposer', async () => {
    const approvalId = await furnishDesk(api)
    const address = `${api.deskOrigin}/desk/approvals?id=${approvalId}`
    await using proposer = await signUp('grace@lender.example', 'risk')
    await proposer.page.goto(address)
    const own = proposer.page.getByRole('dialog', { name: 'Proposal' })
    await own.getByText('You proposed this').waitFor()
    await own.getByRole('button', { name: 'Confirm' }).click({ force: true })
    await using viewer = await signUp('view@lender.example', 'viewer')
    await viewer.page.goto(address)
    const seen = viewer.page.getByRole('dialog', { name: 'Proposal' })
    await seen.getByRole('button', { name: 'Confirm' }).click({ force: true })
    expect(await statusOf(approvalId)).toBe('PENDING')

    await using second = await signUp('second@lender.example', 'risk')
    await second.page.goto(address)
    const proposal = second.page.getByRole('dialog', { name: 'Proposal' })
    await proposal.getByText('The board decided on 20 November').waitFor()
    const change = proposal.getByRole('row').filter({ hasText: 'May borrow' })
    expect(await change.getByRole('cell').allTextContents()).toEqual(['May borrow', 'no', 'yes'])
    await proposal.getByText('It holds for new applications.').waitFor()
    await proposal.getByRole('button', { name: 'Confirm' }).click()
    await proposal.getByText('Confirmed').waitFor()
    expect(await statusOf(approvalId)).toBe('CONFIRMED')
    await second.page.goto(`${api.deskOrigin}/desk/approvals`)
    await second.page.getByRole('link', { name: 'Margin policy: set' }).click()
    const ether = proposal.getByRole('row').filter({ hasText: 'In force from' })
    await ether.waitFor()
    const effect = proposal.getByRole('region', { name: 'Effect', exact: true })
    await effect.getByRole('columnheader', { name: 'Now' }).waitFor()
    await second.page.goto(`${api.deskOrigin}/desk/actions?actor=second@lender.example`)
    await second.page.getByRole('link', { name: 'Residency: set' }).click()
    const action = second.page.getByRole('dialog', { name: /^Action/ })
    await action.getByRole('region', { name: 'What changes' }).getByText('May borrow').waitFor()
  })

  test('what is in suspense is returned to the destination that an operator enters', async () => {
    const { tenant } = api
    const { id: facilityId } = await addApproved(tenant)
    await addDraw(tenant, facilityId, '20000.00')
    const delivered = { amount: '10.00', asset: 'USD' }
    const { id } = await tenant.client.createRepayment(facilityId, delivered)
    await tenant.client.reportExecution(facilityId, id, {
      status: 'completed',
      ...{ delivered, reference: 'wire-9+over' },
    })
    const target = `/v1/facilities/${facilityId}/repayments/${id}`
    await waitUntil(tenant, target, { status: 'APPLIED' })
    await using risk = await signUp('returns@lender.example', 'risk')
    await risk.page.goto(`${api.deskOrigin}/desk/operations/work`)
    await risk.page.getByRole('button', { name: `Return: ${id}` }).click()
    const dialog = risk.page.getByRole('dialog', { name: 'Pay it back?' })
    await dialog.getByLabel('Destination').fill('account-of-the-payer')
    await dialog.getByLabel('Reason').fill('sent twice')
    await dialog.getByRole('button', { name: 'Return' }).click()
    await dialog.waitFor({ state: 'hidden' })
    const refund = await api.db
      .selectFrom('refunds')
      .select(['tenant_id', 'facility_id', 'destination'])
      .where('source_id', '=', `${id}/suspense`)
      .executeTakeFirstOrThrow()
    const of = { tenantId: refund.tenant_id, facilityId: refund.facility_id }
    expect(await openOf(api.db, of, refund.destination)).toBe('account-of-the-payer')
    await risk.page.getByText('No receipt waits for a decision.').waitFor()
  })

  const statusOf = async (approvalId: string) =>
    (
      await api.db
        .selectFrom('approvals')
        .select('status')
        .where('approval_id', '=', approvalId)
        .executeTakeFirstOrThrow()
    ).status

  test('an admin invites, makes a token that is shown once, and removes, whose page then ends', async () => {
    await using admin = await signUp('root@lender.example', 'admin')
    await using leaving = await signUp('leaving@lender.example', 'viewer')
    const { page } = admin
    await page.goto(`${api.deskOrigin}/desk/operators`)
    await page.getByRole('button', { name: 'Invite an operator' }).click()
    const dialog = page.getByRole('dialog', { name: 'Invite an operator' })
    await dialog.getByLabel('Name').fill('New')
    await dialog.getByLabel('E-mail').fill('new@lender.example')
    await dialog.getByRole('button', { name: 'Make an invitation' }).click()
    await dialog.getByText(`${api.deskOrigin}/desk/#token=opi.`).waitFor()
    await dialog.getByRole('button', { name: 'Done' }).click()

    await page.getByRole('button', { name: 'Make a token' }).click()
    const making = page.getByRole('dialog', { name: 'Make a token' })
    await making.getByLabel('Name').fill('month end')
    await making.getByRole('button', { name: 'Make a token' }).click()
    await making.getByText(/^opt\./).waitFor()
    await making.getByRole('button', { name: 'Done' }).click()
    await page.getByText('month end').waitFor()

    const row = page.getByRole('row').filter({ hasText: 'leaving@lender.example' })
    await row.getByRole('button', { name: 'Remove' }).click()
    const removal = page.getByRole('dialog', { name: 'Remove leaving?' })
    await removal.getByLabel('Reason').fill('left')
    await removal.getByRole('button', { name: 'Remove' }).click()
    await row.waitFor({ state: 'detached' })
    await leaving.page.reload()
    await leaving.page.getByRole('heading', { name: 'Sign in' }).waitFor()
  })

  test('what was done to an account is marked as seen once all of it was shown', async () => {
    await using owner = await signUp('noted@lender.example', 'viewer')
    const { id } = (await findPerson(api.db, LENDER, 'noted@lender.example')) ?? { id: '' }
    const start = api.resources.clock()
    for (let made = 0; made < 30; made += 1) {
      const role = made % 2 === 0 ? 'reviewer' : 'viewer'
      const at = addMs(start, made)
      await inTransaction(api.db, (tx) => changeRoleRecorded(tx, id, role, at))
    }
    await owner.page.reload()
    const notice = owner.page.getByText('This was done to your account')
    await notice.waitFor()
    const roles = owner.page.getByText('Your role was changed')
    expect(await roles.count()).toBe(20)
    const seen = owner.page.getByRole('button', { name: 'I have seen this' })
    expect(await seen.count()).toBe(0)
    await owner.page.getByRole('button', { name: /^Show older ones/ }).click()
    await seen.waitFor()
    expect(await roles.count()).toBe(30)
    await seen.click()
    await notice.waitFor({ state: 'detached' })
  })

  test('a stolen cookie makes no access that outlives it', async () => {
    await using owner = await signUp('owner@lender.example', 'admin')
    const thief = await browser.newContext()
    await thief.addCookies(await owner.context.cookies())
    const page = await thief.newPage()
    await page.goto(`${api.deskOrigin}/desk/operators`)
    await page.getByRole('heading', { name: 'Operators', level: 1 }).waitFor()
    const body = { email: 'stolen@lender.example', name: 'Stolen', role: 'admin' }
    const code = await page.evaluate(
      `fetch('/operator/v1/operators', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: ${JSON.stringify(JSON.stringify(body))},
      }).then(async (answer) => (await answer.json()).code)`,
    )
    expect(code).toBe('passkey_required')
    await signOut(owner.page)
    await page.reload()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await thief.close()
  })

  test.each(['localhost', '127.0.0.1'])(
    'a page of another origin under %s frames no page of the desk, and changes nothing',
    async (host) => {
      const context = await browser.newContext()
      const page = await context.newPage()
      await signInToDesk(page, api)
      await using server = await listen(
        createServer((_request, response) => {
          const attack = `<iframe src="${api.deskOrigin}/desk/"></iframe>`
          response.writeHead(200, { 'content-type': 'text/html' }).end(attack)
        }),
      )
      await page.goto(`http://${host}:${server.port}/`, { waitUntil: 'commit' })
      const frame = () => page.frames().find((one) => one !== page.mainFrame())
      await expect.poll(() => frame()?.url()).toBe('chrome-error://chromewebdata/')
      const readChallenges = () => api.db.selectFrom('operator_challenges').selectAll().execute()
      const before = await readChallenges()
      await page.evaluate(
        `fetch('${api.deskOrigin}/operator/v1/passkeys/options', { method: 'POST', mode: 'no-cors', credentials: 'include' }).catch(() => undefined)`,
      )
      expect(await readChallenges()).toEqual(before)
      await page.goto(`${api.deskOrigin}/desk/passkeys`)
      await page.getByRole('heading', { name: 'Passkeys', level: 1 }).waitFor()
      await context.close()
    },
  )
})
