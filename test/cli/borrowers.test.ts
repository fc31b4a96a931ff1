import { appendFileSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { makeBorrowerKey } from '../../src/core/personal-text.ts'
import { createManualCompliance } from '../../src/providers/compliance-manual.ts'
import { addBorrower, evaluate, openTenant, sign } from '../support/lending/onboarding.ts'
import { testSealer } from '../support/stores/sealer.ts'
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
  expect(shown).toMatch(/^\S+ +Ada Lovelace +ada@example.com .* master_loan_agreement +2026-01 /m)
  expect(shown).toMatch(/^\S+ +kyc +review /m)

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
  expect(await cli.show(`borrowers export ${of}`)).toContain(
    'Ada\ufffd\\[2J\ufffdLovelace\ufffdrow',
  )
})

test('a page about a person is printed, and an erasure is applied again to a restored database', async () => {
  const { db } = database
  const tenantId = await openTenant(db)
  const borrowerId = await addBorrower(db, tenantId, { externalId: 'ada*lovelace' })
  const of = `${borrowerId} --tenant ${tenantId}`
  const env = { ERASED_FILE: join(mkdtempSync(join(tmpdir(), 'erased-')), 'erased.jsonl') }
  expect(await cli.show(`borrowers export ${of}`)).toContain(String.raw`ada\*lovelace`)
  expect(JSON.parse(await cli.show(`borrowers export ${of} --all`))).toMatchObject({
    borrowers: [{ borrower_id: borrowerId, external_id: 'ada*lovelace' }],
  })
  expect((await cli.fail(`borrowers erase ${of}`)).message).toContain('ERASED_FILE is not set')
  expect((await cli.fail('borrowers erase --replay', { env })).message).toContain('cannot be read')
  await cli.read(`borrowers erase ${of}`, { env })
  expect((await cli.fail(`borrowers export ${of}`)).code).toBe('borrower_erased')
  const replay = (more = {}) =>
    cli.run('borrowers erase --replay --json', { env: { ...env, ...more } })
  expect(await replay()).toMatchObject({ exitCode: 0, out: expect.stringContaining('"known": 1') })

  // As in a backup of before.
  await sql`UPDATE borrower_keys SET erased_at = NULL, sealed_key = ${makeBorrowerKey(testSealer, { tenantId, borrowerId })}
    WHERE borrower_id = ${borrowerId}`.execute(db)
  expect(await replay()).toMatchObject({ exitCode: 0, out: expect.stringContaining('"erased": 1') })
  appendFileSync(env.ERASED_FILE, '{"tenant_id":"ten')
  expect(await replay()).toMatchObject({
    exitCode: 1,
    out: expect.stringContaining('"unreadable": 1'),
  })
})
