import { afterAll, expect, test } from 'vitest'
import { createManualCompliance } from '../../src/providers/compliance-manual.ts'
import {
  addBorrower,
  evaluate,
  openTenant,
  readEvents,
  sign,
} from '../support/lending/onboarding.ts'
import { createTestDatabase } from '../support/stores/database.ts'
import { createDatabaseCli } from './database-cli.ts'

type Review = { borrower_id: string; kind: string; full_name: string }
type Shown = {
  eligible: boolean
  blocked_reason?: string
  checks: { kind: string; status: string; note?: string }[]
}

const database = await createTestDatabase()
afterAll(() => database[Symbol.asyncDispose]())
const { db } = database
const cli = createDatabaseCli(database.url)
const provider = createManualCompliance()

const show = (tenantId: string, borrowerId: string) =>
  cli.read<Shown>(`borrowers show ${borrowerId} --tenant ${tenantId}`)
const listReviews = async (tenantId: string) =>
  (await cli.read<{ items: Review[] }>(`borrowers review --tenant ${tenantId}`)).items
const decide = (tenantId: string, borrowerId: string, verdict: string) => [
  ...`borrowers review ${borrowerId} --tenant ${tenantId} --${verdict} --note`.split(' '),
  'passport seen',
]

/** A borrower who has signed, with two checks that wait for the operator. */
async function addBorrowerInReview(fullName = 'Ada Lovelace') {
  const tenantId = await openTenant(db)
  const borrowerId = await addBorrower(db, tenantId)
  await sign(db, tenantId, borrowerId, { fullName })
  await evaluate(db, tenantId, borrowerId, { provider })
  return { tenantId, borrowerId }
}

/** What the sweeper would find: the borrowers with a requested evaluation. */
async function listRequested(tenantId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('work')
    .select('subject_id')
    .where('tenant_id', '=', tenantId)
    .execute()
  return rows.map((row) => row.subject_id)
}

async function clearRequested(tenantId: string): Promise<void> {
  await db.deleteFrom('work').where('tenant_id', '=', tenantId).execute()
}

test('an approved borrower leaves the list, is evaluated again and becomes eligible', async () => {
  const { tenantId, borrowerId } = await addBorrowerInReview()
  const waiting = await listReviews(tenantId)
  expect(waiting.map((review) => review.kind).sort()).toEqual(['aml', 'kyc'])
  expect(waiting[0]).toMatchObject({ borrower_id: borrowerId, full_name: 'Ada Lovelace' })

  await clearRequested(tenantId)
  expect(await cli.read(decide(tenantId, borrowerId, 'approve'))).toEqual({
    borrower_id: borrowerId,
    decision: 'approved',
    checks_decided: 2,
    note: 'passport seen',
  })
  expect(await listReviews(tenantId)).toEqual([])
  expect(await listRequested(tenantId)).toEqual([borrowerId])

  await evaluate(db, tenantId, borrowerId, { provider })
  expect((await show(tenantId, borrowerId)).eligible).toBe(true)
  expect((await readEvents(db, tenantId)).map((event) => event.type)).toEqual(['borrower.eligible'])
})

test('a rejected borrower has failed checks with the reason and stays ineligible', async () => {
  const { tenantId, borrowerId } = await addBorrowerInReview()
  await cli.read(decide(tenantId, borrowerId, 'reject'))
  await evaluate(db, tenantId, borrowerId, { provider })

  const shown = await show(tenantId, borrowerId)
  expect(shown.eligible).toBe(false)
  expect(shown.checks).toMatchObject([
    { status: 'failed', note: 'passport seen' },
    { status: 'failed', note: 'passport seen' },
  ])
})

test('approving a borrower after a rejection replaces the rejection', async () => {
  const { tenantId, borrowerId } = await addBorrowerInReview()
  await cli.read(decide(tenantId, borrowerId, 'reject'))
  await cli.read(decide(tenantId, borrowerId, 'approve'))
  await evaluate(db, tenantId, borrowerId, { provider })
  expect((await show(tenantId, borrowerId)).eligible).toBe(true)
})

test.each([
  ['without a note', '--approve', 'Add the reason for the decision with --note.'],
  ['without a verdict', '--note seen', 'Add --approve or --reject.'],
  ['with two verdicts', '--approve --reject --note seen', 'cannot be used with'],
])('a decision %s is refused and changes nothing', async (_, rest, reason) => {
  const { tenantId, borrowerId } = await addBorrowerInReview()
  const failure = await cli.fail(`borrowers review ${borrowerId} --tenant ${tenantId} ${rest}`)
  expect(failure.message).toContain(reason)
  expect(await listReviews(tenantId)).toHaveLength(2)
})

test('a decision must name its borrower', async () => {
  const { tenantId } = await addBorrowerInReview()
  const failure = await cli.fail(`borrowers review --tenant ${tenantId} --approve --note seen`)
  expect(failure.message).toBe('Name the borrower to decide on.')
  expect(await listReviews(tenantId)).toHaveLength(2)
})

test("a tenant's borrowers are neither shown, decided nor blocked under another tenant", async () => {
  const { tenantId, borrowerId } = await addBorrowerInReview()
  const other = await openTenant(db)
  expect(await listReviews(other)).toEqual([])
  for (const command of [
    `borrowers show ${borrowerId} --tenant ${other}`,
    `borrowers review ${borrowerId} --tenant ${other}`,
    `borrowers block ${borrowerId} --tenant ${other} --reason fraud`,
    decide(other, borrowerId, 'approve'),
  ]) {
    expect((await cli.fail(command)).code).toBe('not_found')
  }
  expect(await listReviews(tenantId)).toHaveLength(2)
  expect((await show(tenantId, borrowerId)).blocked_reason).toBeUndefined()
})

test('a blocked borrower shows the reason and becomes eligible only after the block is lifted', async () => {
  const { tenantId, borrowerId } = await addBorrowerInReview()
  await cli.read([
    ...`borrowers block ${borrowerId} --tenant ${tenantId} --reason`.split(' '),
    'court order 12/2026',
  ])
  await cli.read(decide(tenantId, borrowerId, 'approve'))
  await evaluate(db, tenantId, borrowerId, { provider })
  expect(await show(tenantId, borrowerId)).toMatchObject({
    eligible: false,
    blocked_reason: 'court order 12/2026',
  })

  await clearRequested(tenantId)
  await cli.read(`borrowers unblock ${borrowerId} --tenant ${tenantId}`)
  expect(await listRequested(tenantId)).toEqual([borrowerId])
  await evaluate(db, tenantId, borrowerId, { provider })
  const shown = await show(tenantId, borrowerId)
  expect(shown.eligible).toBe(true)
  expect(shown.blocked_reason).toBeUndefined()
})

test('the reviews of every tenant are one list, which names the tenant to decide them in', async () => {
  const added = [
    await addBorrowerInReview('Grace Hopper'),
    await addBorrowerInReview('Alan Turing'),
  ]
  type Item = Review & { tenant_id: string }
  const { items } = await cli.read<{ items: Item[] }>('borrowers review')
  for (const { tenantId, borrowerId } of added) {
    const theirs = items.filter((item) => item.borrower_id === borrowerId)
    expect(theirs.map((item) => item.tenant_id)).toEqual([tenantId, tenantId])
    const one = await cli.read<{ items: Item[] }>(`borrowers review ${borrowerId}`)
    expect(one.items).toEqual(theirs)
    expect(await cli.show('borrowers review')).toContain(tenantId)
  }
  const [{ tenantId, borrowerId } = { tenantId: '', borrowerId: '' }] = added
  expect((await listReviews(tenantId)).map((review) => review.borrower_id)).toEqual([
    borrowerId,
    borrowerId,
  ])
  const decision = ['borrowers', 'review', borrowerId, '--approve', '--note', 'seen']
  expect(await cli.fail(decision)).toEqual({
    code: 'validation_failed',
    message: "Name the borrower's tenant with --tenant.",
  })
  await cli.read(decide(tenantId, borrowerId, 'approve'))
  expect((await cli.read<{ items: Item[] }>(`borrowers review ${borrowerId}`)).items).toEqual([])
})

test('a name cannot write control characters to the terminal', async () => {
  const { tenantId, borrowerId } = await addBorrowerInReview('Ada\u001b[2J\u202eLovelace\nrow')
  for (const command of ['borrowers review', `borrowers show ${borrowerId}`]) {
    const shown = await cli.show(`${command} --tenant ${tenantId}`)
    expect(shown).toContain('Ada\ufffd[2J\ufffdLovelace\ufffdrow')
  }
})

test('the borrower, its signatures and its checks are shown as text', async () => {
  const { tenantId, borrowerId } = await addBorrowerInReview()
  const shown = await cli.show(`borrowers show ${borrowerId} --tenant ${tenantId}`)
  expect(shown).toMatch(/^eligible +no$/m)
  expect(shown).toMatch(/^Ada Lovelace +ada@example.com +master_loan_agreement +2026-01 /m)
  expect(shown).toMatch(/^kyc +review /m)
})
