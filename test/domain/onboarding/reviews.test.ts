import { describe, expect, test } from 'vitest'
import { newId } from '../../../src/core/ids.ts'
import { inTransaction } from '../../../src/db/database.ts'
import { getBorrower, setBorrowerBlock } from '../../../src/domain/onboarding/borrowers.ts'
import { decideReview, listReviews } from '../../../src/domain/onboarding/reviews.ts'
import {
  addBorrower,
  at,
  evaluate,
  openTenant,
  readEvents,
  sign,
} from '../../support/lending/onboarding.ts'
import { databaseForFile } from '../../support/stores/database.ts'

const database = databaseForFile()

async function addEvaluated(tag?: string) {
  const tenantId = await openTenant(database.db)
  const borrowerId = await addBorrower(database.db, tenantId)
  await sign(database.db, tenantId, borrowerId, tag === undefined ? {} : { tag })
  await evaluate(database.db, tenantId, borrowerId)
  return { tenantId, borrowerId }
}

function decide(tenantId: string, borrowerId: string, approve: boolean): Promise<number> {
  const decision = { approve, note: 'Decided by the operator' }
  return inTransaction(database.db, (tx) =>
    decideReview({ tx, tenantId, ...at(new Date()) }, borrowerId, decision),
  )
}

async function isEligible(tenantId: string, borrowerId: string): Promise<boolean> {
  await evaluate(database.db, tenantId, borrowerId)
  return (await getBorrower(database.db, tenantId, borrowerId)).eligible
}

describe('a check in review', () => {
  test('a check in review is listed with its borrower, for its own tenant alone', async () => {
    const { tenantId, borrowerId } = await addEvaluated('review')
    expect(await listReviews(database.db, tenantId)).toMatchObject([
      { borrowerId, kind: 'kyc', fullName: 'Ada Lovelace' },
    ])
    expect(await listReviews(database.db, await openTenant(database.db))).toEqual([])
  })

  test('a check in review that is approved makes the borrower eligible, with one event', async () => {
    const { tenantId, borrowerId } = await addEvaluated('review')
    expect(await decide(tenantId, borrowerId, true)).toBe(1)
    expect(await isEligible(tenantId, borrowerId)).toBe(true)
    expect(await listReviews(database.db, tenantId)).toEqual([])
    expect(await readEvents(database.db, tenantId)).toHaveLength(1)
  })

  test('a check in review that is rejected keeps the borrower out until the operator overrules it', async () => {
    const { tenantId, borrowerId } = await addEvaluated('review')
    expect(await decide(tenantId, borrowerId, false)).toBe(1)
    expect(await isEligible(tenantId, borrowerId)).toBe(false)
    expect(await decide(tenantId, borrowerId, true)).toBe(1)
    expect(await isEligible(tenantId, borrowerId)).toBe(true)
  })

  test('a check in review that is decided twice at once is decided once', async () => {
    const { tenantId, borrowerId } = await addEvaluated('review')
    const results = await Promise.allSettled([
      decide(tenantId, borrowerId, false),
      decide(tenantId, borrowerId, false),
    ])
    expect(results.map((result) => result.status).sort()).toEqual(['fulfilled', 'rejected'])
  })
})

test('a check that the provider failed is overruled by an approval', async () => {
  const { tenantId, borrowerId } = await addEvaluated('fail')
  expect(await decide(tenantId, borrowerId, true)).toBe(1)
  expect(await isEligible(tenantId, borrowerId)).toBe(true)
})

test('a decision is refused when there is nothing to decide, or the borrower is unknown', async () => {
  const { tenantId, borrowerId } = await addEvaluated()
  const slow = await addEvaluated('slow')
  const failed = await addEvaluated('fail')
  const other = await openTenant(database.db)
  for (const [tenant, borrower, approve] of [
    [tenantId, borrowerId, true],
    [tenantId, newId('bor'), true],
    [other, borrowerId, true],
    [slow.tenantId, slow.borrowerId, true],
    [failed.tenantId, failed.borrowerId, false],
  ] as const) {
    await expect(decide(tenant, borrower, approve)).rejects.toMatchObject({ code: 'not_found' })
  }
})

test('an approved borrower who is blocked stays ineligible', async () => {
  const { tenantId, borrowerId } = await addEvaluated('review')
  await inTransaction(database.db, (tx) =>
    setBorrowerBlock({ tx, tenantId, ...at(new Date()) }, borrowerId, 'Court order'),
  )
  await decide(tenantId, borrowerId, true)
  expect(await isEligible(tenantId, borrowerId)).toBe(false)
})
