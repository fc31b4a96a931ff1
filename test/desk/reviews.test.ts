import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { inTransaction } from '../../src/db/database.ts'
import { readOperatorActions } from '../../src/domain/operators/actions.ts'
import { signInToDesk } from '../support/console/applications.ts'
import type { ConsoleApi } from '../support/console/console-api.ts'
import { addReviewed, addStuckWork } from '../support/console/desk-operations.ts'
import { describeInBrowser } from '../support/console/in-browser.ts'
import { addBorrower, openTenant, sign } from '../support/lending/onboarding.ts'
import { inviteOperator } from '../support/people.ts'
import { waitFor } from '../support/process/patience.ts'

await describeInBrowser('reviews and operations at the desk', (started) => {
  let api: ConsoleApi
  let page: Page
  let tenantId = ''
  beforeAll(async () => {
    ;({ api } = started)
    tenantId = await openTenant(api.db)
    const context = await started.browser.newContext({ reducedMotion: 'reduce' })
    page = await context.newPage()
    await signInToDesk(page, api)
  })

  const open = async (path: string, heading: string) => {
    await page.goto(`${api.deskOrigin}/desk${path}`)
    await page.getByRole('heading', { name: heading, level: 1 }).waitFor()
  }
  const answer = async (button: string, reason: string) => {
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Reason').fill(reason)
    await dialog.getByRole('button', { name: button, exact: true }).click()
    await dialog.waitFor({ state: 'detached' })
  }
  const actionsOn = async (subjectId: string) =>
    (await readOperatorActions(api.db, { subjectId }, 10)).map(({ action, reason }) => ({
      ...{ action, reason },
    }))
  const setRole = async (role: 'viewer' | 'admin') => {
    const [admin] = await api.db.selectFrom('operators').selectAll().orderBy('created_at').execute()
    if (!admin) throw new Error('there is no operator')
    await inTransaction(api.db, async (tx) => {
      const { email, name } = admin
      const more = { email: 'other@lender.example', name: 'Other', role: 'admin' as const }
      await inviteOperator(tx, more, new Date())
      await inviteOperator(tx, { email, name, role }, new Date())
    })
  }

  test('a check that waits is opened from the queue, its signer is shown on demand, and it is approved', async () => {
    const borrowerId = await addReviewed(api.db, tenantId)
    await open(`/reviews?tenant_id=${tenantId}`, 'Reviews')
    await page.getByRole('link', { name: 'Identity of a person' }).click()
    await page.getByRole('heading', { name: 'Borrower', level: 1 }).waitFor()
    const table = page.getByRole('region', { name: 'Signatures, one a row' })
    await table.getByText('hidden').first().waitFor()
    expect(await page.content()).not.toContain('Hopper')

    await page.getByRole('button', { name: 'Show who signed' }).click()
    await answer('Show', 'compared with the passport')
    await table.getByText('Grace Hopper').waitFor()
    expect(await actionsOn(borrowerId)).toEqual([
      { action: 'borrowers.reveal', reason: 'compared with the passport' },
    ])

    await page.getByRole('button', { name: 'Approve' }).click()
    await answer('Approve', 'passport seen')
    await page.getByText('Waits for a decision').waitFor({ state: 'detached' })
    const record = page.getByRole('region', { name: 'Acts about the borrower, one a row' })
    await record.getByText('passport seen').waitFor()
    await record.getByText('borrowers.reveal').waitFor()
    expect(await actionsOn(borrowerId)).toEqual([
      { action: 'borrowers.approve', reason: 'passport seen' },
      { action: 'borrowers.reveal', reason: 'compared with the passport' },
    ])
    const checks = await api.db
      .selectFrom('compliance_checks')
      .select('status')
      .where('borrower_id', '=', borrowerId)
      .execute()
    expect(checks.every(({ status }) => status === 'passed')).toBe(true)
  })

  test('a borrower who is blocked is in the list, with who blocked them', async () => {
    const borrowerId = await addReviewed(api.db, tenantId)
    await open(`/reviews/${tenantId}/${borrowerId}`, 'Borrower')
    await page.getByRole('button', { name: 'Block', exact: true }).click()
    await answer('Block', 'court order')
    await page.getByText('Blocked', { exact: true }).waitFor()
    await page.getByRole('link', { name: 'Reviews' }).first().click()
    await page.getByRole('link', { name: 'Blocked borrowers' }).click()
    await page.getByText('court order').waitFor()
  })

  test('a borrower is exported for the person, and erased: nobody reads who signed', async () => {
    const borrowerId = await addBorrower(api.db, tenantId)
    await sign(api.db, tenantId, borrowerId, { fullName: 'Grace Hopper' })
    await open(`/reviews/${tenantId}/${borrowerId}`, 'Borrower')
    await page.getByRole('button', { name: 'Export', exact: true }).click()
    const saving = page.waitForEvent('download')
    await answer('Export', 'asked by letter')
    const saved = await (await saving).path()
    expect(readFileSync(saved, 'utf8')).toContain('Grace Hopper')
    await page.getByRole('button', { name: 'Erase', exact: true }).click()
    await answer('Erase', 'asked by letter')
    await page.getByRole('button', { name: 'Show who signed' }).click()
    await answer('Show', 'to see that it is gone')
    await page.getByText('erased', { exact: true }).first().waitFor()
    expect(await page.content()).not.toContain('Hopper')
    expect((await actionsOn(borrowerId)).map(({ action }) => action)).toEqual([
      'borrowers.reveal',
      'borrowers.erase',
      'borrowers.export',
    ])
  })

  test('stuck work is retried, under the name of the operator', async () => {
    const borrowerId = await addStuckWork(api.db, tenantId)
    await open(`/operations/work?tenant_id=${tenantId}`, 'Work')
    await page.getByRole('button', { name: `Retry evaluate-borrower of ${borrowerId}` }).click()
    await answer('Retry', 'the provider is back')
    await page.getByText('No stuck work matches.').waitFor()
    expect(await actionsOn(borrowerId)).toEqual([
      { action: 'work.retry', reason: 'the provider is back' },
    ])
    await waitFor(async () => {
      const rows = await api.db
        .selectFrom('work')
        .select('attempts')
        .where('subject_id', '=', borrowerId)
        .execute()
      expect(rows).toEqual([])
    })
  })

  test('a viewer reads the queue and the work, and is offered no act', async () => {
    const borrowerId = await addReviewed(api.db, tenantId)
    await addStuckWork(api.db, tenantId)
    await setRole('viewer')
    try {
      await open(`/reviews/${tenantId}/${borrowerId}`, 'Borrower')
      await page.getByText('Waits for a decision').waitFor()
      for (const name of ['Approve', 'Reject', 'Block', 'Show who signed']) {
        expect(await page.getByRole('button', { name, exact: true }).count(), name).toBe(0)
      }
      await open(`/operations/work?tenant_id=${tenantId}`, 'Work')
      await page.getByText('evaluate-borrower').first().waitFor()
      expect(await page.getByRole('button', { name: /^Retry/ }).count()).toBe(0)
      await open('/operations/audit', 'Audit')
      expect(await page.getByRole('button', { name: 'Check now' }).count()).toBe(0)
    } finally {
      await setRole('admin')
    }
  })
})
