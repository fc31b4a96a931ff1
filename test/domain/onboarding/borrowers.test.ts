import { describe, expect, test } from 'vitest'
import { newId } from '../../../src/core/ids.ts'
import { inTransaction } from '../../../src/db/database.ts'
import { getBorrower, setBorrowerBlock } from '../../../src/domain/onboarding/borrowers.ts'
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

const NOW = new Date('2026-11-20T10:00:00.000Z')

async function countBorrowers(tenantId: string): Promise<number> {
  const rows = await database.db
    .selectFrom('borrowers')
    .select('borrower_id')
    .where('tenant_id', '=', tenantId)
    .execute()
  return rows.length
}

describe('a new borrower', () => {
  test('a new borrower is not eligible and waits for its first evaluation', async () => {
    const tenantId = await openTenant(database.db, NOW)
    const borrowerId = await addBorrower(database.db, tenantId, { type: 'business' }, at(NOW))
    expect(await getBorrower(database.db, tenantId, borrowerId)).toEqual({
      id: borrowerId,
      type: 'business',
      kycAttested: true,
      residencyCountry: 'DE',
      residencyState: undefined,
      eligible: false,
      isErased: false,
      createdAt: NOW,
      updatedAt: NOW,
    })
    const work = await database.db
      .selectFrom('work')
      .selectAll()
      .where('subject_id', '=', borrowerId)
      .execute()
    expect(work).toMatchObject([{ tenant_id: tenantId, topic: 'evaluate-borrower', due_at: NOW }])
  })

  test('a borrower with a residency that does not exist is refused with the member at fault', async () => {
    const tenantId = await openTenant(database.db)
    const misplaced = addBorrower(database.db, tenantId, { residencyCountry: 'XX' })
    await expect(misplaced).rejects.toMatchObject({
      code: 'validation_failed',
      extras: { errors: [{ pointer: '/residency_country' }] },
    })
    const stateless = addBorrower(database.db, tenantId, { residencyCountry: 'US' })
    await expect(stateless).rejects.toMatchObject({
      code: 'validation_failed',
      extras: { errors: [{ pointer: '/residency_state' }] },
    })
    expect(await countBorrowers(tenantId)).toBe(0)
  })

  test('a borrower from a place without a policy rule is refused and written nowhere', async () => {
    const tenantId = await openTenant(database.db)
    const refused = addBorrower(database.db, tenantId, { residencyCountry: 'FR' })
    await expect(refused).rejects.toMatchObject({ code: 'residency_not_supported' })
    expect(await countBorrowers(tenantId)).toBe(0)
  })
})

test('a borrower of another tenant and one that never existed get the same answer', async () => {
  const [tenantId, other] = [await openTenant(database.db), await openTenant(database.db)]
  const borrowerId = await addBorrower(database.db, other)
  const refusal = { code: 'not_found', message: 'There is no such borrower.' }
  for (const id of [borrowerId, newId('bor'), 'bor_1', '', '\u0000', newId('sig')]) {
    await expect(getBorrower(database.db, tenantId, id)).rejects.toMatchObject(refusal)
  }
})

describe('a block', () => {
  const block = (tenantId: string, borrowerId: string, reason: string | undefined) =>
    inTransaction(database.db, (tx) =>
      setBorrowerBlock({ tx, tenantId, ...at(new Date()) }, borrowerId, reason),
    )

  test('a block keeps a borrower from becoming eligible until it is lifted', async () => {
    const tenantId = await openTenant(database.db)
    const borrowerId = await addBorrower(database.db, tenantId)
    await sign(database.db, tenantId, borrowerId)
    await block(tenantId, borrowerId, 'Under investigation')
    await evaluate(database.db, tenantId, borrowerId)
    expect(await getBorrower(database.db, tenantId, borrowerId)).toMatchObject({ eligible: false })

    await block(tenantId, borrowerId, undefined)
    await evaluate(database.db, tenantId, borrowerId)
    expect(await getBorrower(database.db, tenantId, borrowerId)).toMatchObject({ eligible: true })
  })

  test('a block leaves an eligible borrower eligible and makes no second event when lifted', async () => {
    const tenantId = await openTenant(database.db)
    const borrowerId = await addBorrower(database.db, tenantId)
    await sign(database.db, tenantId, borrowerId)
    await evaluate(database.db, tenantId, borrowerId)
    for (const reason of ['Court order', undefined]) {
      await block(tenantId, borrowerId, reason)
      await evaluate(database.db, tenantId, borrowerId)
    }
    expect(await getBorrower(database.db, tenantId, borrowerId)).toMatchObject({ eligible: true })
    expect(await readEvents(database.db, tenantId)).toHaveLength(1)
  })

  test('a block of an unknown borrower is refused', async () => {
    const tenantId = await openTenant(database.db)
    await expect(block(tenantId, newId('bor'), 'No reason')).rejects.toMatchObject({
      code: 'not_found',
    })
  })
})
