import { describe, expect, test } from 'vitest'
import { newId } from '../../../src/core/ids.ts'
import { addMs, DAY_MS } from '../../../src/core/time.ts'
import { inTransaction } from '../../../src/db/database.ts'
import { publishDocument, retireDocument } from '../../../src/domain/onboarding/documents.ts'
import { listSignatures } from '../../../src/domain/onboarding/signatures.ts'
import {
  addBorrower,
  at,
  contract,
  GRACE_DAYS,
  openTenant,
  sign,
} from '../../support/lending/onboarding.ts'
import { databaseForFile } from '../../support/stores/database.ts'

const database = databaseForFile()

const NOW = new Date('2026-11-20T10:00:00.000Z')

async function addUnsigned() {
  const tenantId = await openTenant(database.db, NOW)
  const borrowerId = await addBorrower(database.db, tenantId, {}, at(NOW))
  return { tenantId, borrowerId }
}

async function supersede(tenantId: string, now: Date): Promise<void> {
  const next = contract({ contractVersion: '2026-12' })
  await inTransaction(database.db, (tx) => publishDocument(tx, tenantId, next, now))
}

test('signatures are listed oldest first by when they were recorded, not when they were given', async () => {
  const { tenantId, borrowerId } = await addUnsigned()
  const signedAt = [NOW, addMs(NOW, -2 * DAY_MS), addMs(NOW, -DAY_MS)]
  for (const [index, given] of signedAt.entries()) {
    await sign(database.db, tenantId, borrowerId, { signedAt: given }, at(addMs(NOW, index)))
  }
  const listed = await listSignatures(database.db, tenantId, borrowerId)
  expect(listed.map((signature) => signature.signedAt)).toEqual(signedAt)
  expect(listed.map((signature) => signature.recordedAt)).toEqual([
    NOW,
    addMs(NOW, 1),
    addMs(NOW, 2),
  ])
})

test('a borrower can have a hundred signatures, however many are submitted at once', async () => {
  const { tenantId, borrowerId } = await addUnsigned()
  for (let count = 0; count < 97; count += 1) {
    await sign(database.db, tenantId, borrowerId, {}, at(NOW))
  }
  const last = await Promise.allSettled(
    Array.from({ length: 6 }, () => sign(database.db, tenantId, borrowerId, {}, at(NOW))),
  )
  const refused = last.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
  expect(refused).toMatchObject([
    { code: 'limit_reached' },
    { code: 'limit_reached' },
    { code: 'limit_reached' },
  ])
  expect(await listSignatures(database.db, tenantId, borrowerId)).toHaveLength(100)
})

test('a signature is stored exactly as it was sent, and a repeated one is stored too', async () => {
  const { tenantId, borrowerId } = await addUnsigned()
  const given = {
    fullName: 'Zoë  d’Ávila 王',
    email: 'Zoe+Loans@example.com',
    ipAddress: '2001:db8::1',
    signedAt: addMs(NOW, -1),
  }
  await sign(database.db, tenantId, borrowerId, given, at(NOW))
  await sign(database.db, tenantId, borrowerId, given, at(NOW))
  const listed = await listSignatures(database.db, tenantId, borrowerId)
  expect(listed).toMatchObject([given, given])
  expect(new Set(listed.map((signature) => signature.id)).size).toBe(2)
})

test('signatures that arrive at once are all stored, in one order', async () => {
  const { tenantId, borrowerId } = await addUnsigned()
  await Promise.all(
    Array.from({ length: 12 }, (_, index) =>
      sign(database.db, tenantId, borrowerId, { fullName: `Signer ${index}` }, at(NOW)),
    ),
  )
  const first = await listSignatures(database.db, tenantId, borrowerId)
  expect(new Set(first.map((signature) => signature.fullName)).size).toBe(12)
  expect(await listSignatures(database.db, tenantId, borrowerId)).toEqual(first)
})

describe('the time of signing', () => {
  test('the time of signing may be 60 seconds ahead of our clock and not a millisecond more', async () => {
    const { tenantId, borrowerId } = await addUnsigned()
    await sign(database.db, tenantId, borrowerId, { signedAt: addMs(NOW, 60_000) }, at(NOW))
    const future = sign(
      database.db,
      tenantId,
      borrowerId,
      { signedAt: addMs(NOW, 60_001) },
      at(NOW),
    )
    await expect(future).rejects.toMatchObject({
      code: 'validation_failed',
      extras: { errors: [{ pointer: '/signed_at', code: 'in_future' }] },
    })
    expect(await listSignatures(database.db, tenantId, borrowerId)).toHaveLength(1)
  })
})

describe('the version signed', () => {
  test.each([
    { contractType: 'unknown_agreement' },
    { contractVersion: '2025-12' },
    { contractVersion: '' },
  ])('the signed version must be one of the tenant’s: %o', async (rest) => {
    const { tenantId, borrowerId } = await addUnsigned()
    const refused = sign(database.db, tenantId, borrowerId, rest, at(NOW))
    await expect(refused).rejects.toMatchObject({ code: 'contract_version_unknown' })
    expect(await listSignatures(database.db, tenantId, borrowerId)).toEqual([])
  })

  test('the previous version may be signed for 30 days, counted to when the signature is recorded', async () => {
    const { tenantId, borrowerId } = await addUnsigned()
    await supersede(tenantId, NOW)
    const graceEnd = addMs(NOW, GRACE_DAYS * DAY_MS)
    const early = { signedAt: NOW }
    await sign(database.db, tenantId, borrowerId, early, at(graceEnd))
    const late = sign(database.db, tenantId, borrowerId, early, at(addMs(graceEnd, 1)))
    await expect(late).rejects.toMatchObject({ code: 'contract_version_unknown' })
    expect(await listSignatures(database.db, tenantId, borrowerId)).toHaveLength(1)
  })

  test('a retired version cannot be signed', async () => {
    const { tenantId, borrowerId } = await addUnsigned()
    await inTransaction(database.db, (tx) =>
      retireDocument(
        tx,
        tenantId,
        { contractType: 'master_loan_agreement', contractVersion: '2026-01' },
        NOW,
      ),
    )
    const refused = sign(database.db, tenantId, borrowerId, {}, at(NOW))
    await expect(refused).rejects.toMatchObject({ code: 'contract_version_unknown' })
  })
})

test('signing for, or listing of, another tenant’s borrower is refused as unknown', async () => {
  const { tenantId, borrowerId } = await addUnsigned()
  const other = await openTenant(database.db, NOW)
  for (const id of [borrowerId, newId('bor'), 'nonsense']) {
    const signing = sign(database.db, other, id, {}, at(NOW))
    await expect(signing).rejects.toMatchObject({ code: 'not_found' })
    const listing = listSignatures(database.db, other, id)
    await expect(listing).rejects.toMatchObject({ code: 'not_found' })
  }
  expect(await listSignatures(database.db, tenantId, borrowerId)).toEqual([])
})
