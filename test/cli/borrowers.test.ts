import { expect, test } from 'vitest'
import { createManualCompliance } from '../../src/providers/compliance-manual.ts'
import { addBorrower, evaluate, openTenant, sign } from '../support/lending/onboarding.ts'
import { databaseCliForFile } from './database-cli.ts'

type Review = { tenant_id: string; borrower_id: string; kind: string; full_name: string }

const { database, cli } = databaseCliForFile()

const listReviews = async (rest = '') =>
  (await cli.read<{ items: Review[] }>(`borrowers review${rest}`)).items

/** A borrower who has signed, with two checks that wait for the operator. */
async function addBorrowerInReview(fullName = 'Ada Lovelace') {
  const { db } = database
  const tenantId = await openTenant(db)
  const borrowerId = await addBorrower(db, tenantId)
  await sign(db, tenantId, borrowerId, { fullName })
  await evaluate(db, tenantId, borrowerId, { provider: createManualCompliance() })
  return { tenantId, borrowerId, of: `${borrowerId} --tenant ${tenantId}` }
}

test('a review is listed with who signed, decided with a note, and shows on the borrower', async () => {
  const { tenantId, borrowerId, of } = await addBorrowerInReview()
  const waiting = await listReviews(` --tenant ${tenantId}`)
  expect(waiting.map((review) => review.kind).sort()).toEqual(['aml', 'kyc'])
  expect(waiting[0]).toMatchObject({ borrower_id: borrowerId, full_name: 'Ada Lovelace' })
  const shown = await cli.show(`borrowers show ${of}`)
  expect(shown).toMatch(/^eligible +no$/m)
  expect(shown).toMatch(/^Ada Lovelace +ada@example.com +master_loan_agreement +2026-01 /m)
  expect(shown).toMatch(/^kyc +review /m)

  const decide = (verdict: string) => [
    ...`borrowers review ${of} ${verdict} --note`.split(' '),
    'seen',
  ]
  for (const [verdict, decision, status] of [
    ['--reject', 'rejected', 'failed'],
    ['--approve', 'approved', 'passed'],
  ] as const) {
    expect(await cli.read(decide(verdict))).toEqual({
      ...{ borrower_id: borrowerId, decision, checks_decided: 2, note: 'seen' },
    })
    const { checks } = await cli.read<{ checks: object[] }>(`borrowers show ${of}`)
    expect(checks).toMatchObject([
      { status, note: 'seen' },
      { status, note: 'seen' },
    ])
  }
  expect(await listReviews(` --tenant ${tenantId}`)).toEqual([])
  await cli.read(`borrowers block ${of} --reason order`)
  expect(await cli.read(`borrowers show ${of}`)).toMatchObject({ blocked_reason: 'order' })
})

test.each([
  ['without a note', 'OF --approve', 'Add the reason for the decision with --note.'],
  ['without a verdict', 'OF --note seen', 'Add --approve or --reject.'],
  ['with two verdicts', 'OF --approve --reject --note seen', 'cannot be used with'],
  ['of no borrower', '--approve --note seen', 'Name the borrower to decide on.'],
  ['of no tenant', 'ID --approve --note seen', "Name the borrower's tenant with --tenant."],
])('a decision %s is refused and changes nothing', async (_, rest, reason) => {
  const { tenantId, borrowerId, of } = await addBorrowerInReview()
  const command = `borrowers review ${rest.replace('OF', of).replace('ID', borrowerId)}`
  expect((await cli.fail(command)).message).toContain(reason)
  expect(await listReviews(` --tenant ${tenantId}`)).toHaveLength(2)
})

test('the reviews of every tenant are one list, which names the tenant to decide them in', async () => {
  const added = [await addBorrowerInReview(), await addBorrowerInReview('Alan Turing')]
  const all = await listReviews()
  const text = await cli.show('borrowers review')
  for (const { tenantId, borrowerId } of added) {
    const theirs = all.filter((item) => item.borrower_id === borrowerId)
    expect(theirs.map((item) => item.tenant_id)).toEqual([tenantId, tenantId])
    expect(await listReviews(` ${borrowerId}`)).toEqual(theirs)
    expect(await listReviews(` --tenant ${tenantId}`)).toHaveLength(2)
    expect(text).toContain(tenantId)
  }
})

test('a name cannot write control characters to the terminal', async () => {
  const { of } = await addBorrowerInReview('Ada\u001b[2J\u202eLovelace\nrow')
  for (const command of ['borrowers review', 'borrowers show']) {
    expect(await cli.show(`${command} ${of}`)).toContain('Ada\ufffd[2J\ufffdLovelace\ufffdrow')
  }
})
