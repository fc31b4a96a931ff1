import { describe, expect, test } from 'vitest'
import { type Clock, systemClock } from '../../../src/core/time.ts'
import { inTransaction } from '../../../src/db/database.ts'
import { EVALUATE_BORROWER, getBorrower } from '../../../src/domain/onboarding/borrowers.ts'
import type { CheckAnswer, ComplianceProvider } from '../../../src/domain/onboarding/compliance.ts'
import { publishDocument, retireDocument } from '../../../src/domain/onboarding/documents.ts'
import { decideReview } from '../../../src/domain/onboarding/reviews.ts'
import { runWork } from '../../../src/domain/work/run-work.ts'
import {
  addBorrower,
  at,
  contract,
  evaluate,
  openTenant,
  readEvents,
  sign,
} from '../../support/lending/onboarding.ts'
import { databaseForFile } from '../../support/stores/database.ts'

const database = databaseForFile({ maxConnections: 20 })

async function addSigned(rest: { tag?: string; kycAttested?: boolean; fullName?: string } = {}) {
  const { kycAttested = true, ...signature } = rest
  const tenantId = await openTenant(database.db)
  const borrowerId = await addBorrower(database.db, tenantId, { kycAttested })
  await sign(database.db, tenantId, borrowerId, signature)
  return { tenantId, borrowerId }
}

async function isEligible(tenantId: string, borrowerId: string): Promise<boolean> {
  return (await getBorrower(database.db, tenantId, borrowerId)).eligible
}

async function checksOf(borrowerId: string): Promise<string[]> {
  const rows = await database.db
    .selectFrom('compliance_checks')
    .selectAll()
    .where('borrower_id', '=', borrowerId)
    .orderBy('kind')
    .execute()
  return rows.map(({ kind, status }) => `${kind} ${status}`)
}

/** A provider that answers each identity check as given, and passes every screening. */
function answering(verify: (call: number) => CheckAnswer | Promise<CheckAnswer>) {
  const calls: { checkId: string; reference: string | undefined }[] = []
  const provider: ComplianceProvider = {
    identity: {
      async verify({ checkId, reference }) {
        calls.push({ checkId, reference })
        return await verify(calls.length)
      },
    },
    aml: { screen: async () => ({ status: 'passed' }) },
  }
  return { provider, calls }
}

describe('on the sandbox', () => {
  test('on the sandbox a signed borrower becomes eligible, and one event reports it', async () => {
    const { tenantId, borrowerId } = await addSigned()
    expect(await evaluate(database.db, tenantId, borrowerId)).toEqual({ done: true })
    expect(await isEligible(tenantId, borrowerId)).toBe(true)
    expect(await readEvents(database.db, tenantId)).toMatchObject([
      {
        type: 'borrower.eligible',
        resource: { type: 'borrower', id: borrowerId },
        resource_version: 1,
        data: { borrower_id: borrowerId },
      },
    ])
  })

  test.each([
    ['fail', ['aml passed', 'kyc failed']],
    ['review', ['aml passed', 'kyc review']],
    ['FAIL', ['aml passed', 'kyc failed']],
  ])('on the sandbox the tag +%s keeps the borrower from eligibility', async (tag, checks) => {
    const { tenantId, borrowerId } = await addSigned({ tag })
    expect(await evaluate(database.db, tenantId, borrowerId)).toEqual({ done: true })
    expect(await isEligible(tenantId, borrowerId)).toBe(false)
    expect(await checksOf(borrowerId)).toEqual(checks)
    expect(await readEvents(database.db, tenantId)).toEqual([])
  })

  test('on the sandbox the tag +slow answers later, when it is polled', async () => {
    const { tenantId, borrowerId } = await addSigned({ tag: 'slow' })
    const first = await evaluate(database.db, tenantId, borrowerId)
    if (first.done) throw new Error('the slow check was answered at once')
    expect(await checksOf(borrowerId)).toEqual(['aml passed', 'kyc pending'])

    const early: Clock = () => new Date(first.retryAt.getTime() - 1)
    expect(await evaluate(database.db, tenantId, borrowerId, { clock: early })).toEqual(first)
    expect(await isEligible(tenantId, borrowerId)).toBe(false)

    const clock: Clock = () => first.retryAt
    const second = await evaluate(database.db, tenantId, borrowerId, { clock })
    expect(second).toEqual({ done: true })
    expect(await isEligible(tenantId, borrowerId)).toBe(true)
  })

  test('a borrower without the tenant’s attestation waits for the operator', async () => {
    const { tenantId, borrowerId } = await addSigned({ kycAttested: false })
    await evaluate(database.db, tenantId, borrowerId)
    expect(await checksOf(borrowerId)).toEqual(['aml passed', 'kyc review'])
    expect(await isEligible(tenantId, borrowerId)).toBe(false)

    await inTransaction(database.db, (tx) =>
      decideReview({ tx, tenantId, ...at(systemClock()) }, borrowerId, {
        approve: true,
        note: 'Seen in person',
      }),
    )
    await evaluate(database.db, tenantId, borrowerId)
    expect(await isEligible(tenantId, borrowerId)).toBe(true)
  })

  test('a borrower who has signed nothing is not evaluated', async () => {
    const tenantId = await openTenant(database.db)
    const borrowerId = await addBorrower(database.db, tenantId)
    expect(await evaluate(database.db, tenantId, borrowerId)).toEqual({ done: true })
    expect(await checksOf(borrowerId)).toEqual([])
  })
})

test('twenty evaluations at once make exactly one event', async () => {
  const { tenantId, borrowerId } = await addSigned()
  await Promise.all(Array.from({ length: 20 }, () => evaluate(database.db, tenantId, borrowerId)))
  expect(await readEvents(database.db, tenantId)).toHaveLength(1)
  expect(await checksOf(borrowerId)).toEqual(['aml passed', 'kyc passed'])
})

test('eligible never reverts, whatever is published, retired or signed afterwards', async () => {
  const { tenantId, borrowerId } = await addSigned()
  await evaluate(database.db, tenantId, borrowerId)
  await inTransaction(database.db, async (tx) => {
    await publishDocument(tx, tenantId, contract({ contractType: 'privacy_notice' }), new Date())
    await retireDocument(
      tx,
      tenantId,
      { contractType: 'privacy_notice', contractVersion: '2026-01' },
      new Date(),
    )
    await publishDocument(tx, tenantId, contract({ contractVersion: '2026-12' }), new Date())
  })
  await sign(database.db, tenantId, borrowerId, { fullName: 'Somebody Else', tag: 'fail' })
  await evaluate(database.db, tenantId, borrowerId)
  expect(await isEligible(tenantId, borrowerId)).toBe(true)
  expect(await readEvents(database.db, tenantId)).toHaveLength(1)
})

describe('a provider', () => {
  test('a provider that answers after the operator has decided changes nothing', async () => {
    const { tenantId, borrowerId } = await addSigned()
    const { provider } = answering(async () => {
      await database.db
        .updateTable('compliance_checks')
        .set({ status: 'failed', decided_at: new Date() })
        .where('borrower_id', '=', borrowerId)
        .where('kind', '=', 'kyc')
        .execute()
      return { status: 'passed' }
    })
    await evaluate(database.db, tenantId, borrowerId, { provider })
    expect(await checksOf(borrowerId)).toEqual(['aml passed', 'kyc failed'])
    expect(await isEligible(tenantId, borrowerId)).toBe(false)
  })

  test('a provider that answers twice is applied once', async () => {
    const { tenantId, borrowerId } = await addSigned()
    const gate = Promise.withResolvers<void>()
    const { provider, calls } = answering(async (call) => {
      if (call === 2) gate.resolve()
      await gate.promise
      return { status: call === 1 ? 'failed' : 'review' }
    })
    await Promise.all([
      evaluate(database.db, tenantId, borrowerId, { provider }),
      evaluate(database.db, tenantId, borrowerId, { provider }),
    ])
    expect(calls).toHaveLength(2)
    expect(calls[0]?.checkId).toBe(calls[1]?.checkId)
    const [before] = (await checksOf(borrowerId)).filter((check) => check.startsWith('kyc'))
    await evaluate(database.db, tenantId, borrowerId, {
      provider: answering(() => ({ status: 'passed' })).provider,
    })
    expect(await checksOf(borrowerId)).toContain(before)
  })

  test('a provider is polled under its own reference until it has decided', async () => {
    const { tenantId, borrowerId } = await addSigned()
    const askAgainAt = new Date(Date.now() + 60_000)
    const { provider, calls } = answering((call) =>
      call === 1 ? { status: 'pending', reference: 'case-7', askAgainAt } : { status: 'passed' },
    )
    expect(await evaluate(database.db, tenantId, borrowerId, { provider })).toEqual({
      done: false,
      retryAt: askAgainAt,
    })
    await evaluate(database.db, tenantId, borrowerId, { provider })
    expect(calls.map((call) => call.reference)).toEqual([undefined, 'case-7'])
    expect(await isEligible(tenantId, borrowerId)).toBe(true)
  })

  test('a provider that fails is polled until it answers', async () => {
    const { tenantId, borrowerId } = await addSigned()
    const { provider, calls } = answering((call) => {
      if (call < 3) throw new Error('the provider is down')
      return { status: 'passed' }
    })
    const item = { tenantId, topic: EVALUATE_BORROWER, subjectId: borrowerId }
    let now = new Date(Date.now() + 1_000)
    const run = () =>
      runWork(
        database.db,
        item,
        () => now,
        () => evaluate(database.db, tenantId, borrowerId, { provider }),
      )
    await expect(run()).rejects.toThrow('the provider is down')
    expect(await run()).toBe(false)
    now = new Date(now.getTime() + 60_000)
    await expect(run()).rejects.toThrow('the provider is down')
    now = new Date(now.getTime() + 120_000)
    expect(await run()).toBe(true)
    expect(calls).toHaveLength(3)
    expect(await isEligible(tenantId, borrowerId)).toBe(true)
  })

  test('a provider that is an object with a state of its own is called as its method', async () => {
    const { tenantId, borrowerId } = await addSigned()
    class Vendor {
      readonly #answer: CheckAnswer = { status: 'passed' }
      async verify() {
        return this.#answer
      }
      async screen() {
        return this.#answer
      }
    }
    const vendor = new Vendor()
    await evaluate(database.db, tenantId, borrowerId, {
      provider: { identity: vendor, aml: vendor },
    })
    expect(await isEligible(tenantId, borrowerId)).toBe(true)
  })
})

test('a name of any script and length that can be signed can be screened', async () => {
  // Square katakana, each of which normalises to up to six letters.
  const letters = Array.from({ length: 200 }, (_, at) =>
    String.fromCodePoint(0x3300 + ((at * 37) % 88)),
  )
  const { tenantId, borrowerId } = await addSigned({ fullName: letters.join('') })
  await evaluate(database.db, tenantId, borrowerId)
  expect(await isEligible(tenantId, borrowerId)).toBe(true)
})
