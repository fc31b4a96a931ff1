import { type Clock, type Instant, systemClock } from '../../../src/core/time.ts'
import { type Db, inTransaction } from '../../../src/db/database.ts'
import { createBorrower, type NewBorrower } from '../../../src/domain/onboarding/borrowers.ts'
import type { ComplianceProvider } from '../../../src/domain/onboarding/compliance.ts'
import { type NewDocument, publishDocument } from '../../../src/domain/onboarding/documents.ts'
import { evaluateBorrower } from '../../../src/domain/onboarding/evaluate-borrower.ts'
import { setResidencyRule } from '../../../src/domain/onboarding/residency.ts'
import { type NewSignature, submitSignature } from '../../../src/domain/onboarding/signatures.ts'
import { createTenant } from '../../../src/domain/tenants/tenants.ts'
import { createSandboxCompliance } from '../../../src/providers/sandbox/compliance-sandbox.ts'

export const GRACE_DAYS = 30

/** Domain time and real time alike. */
export function at(time: Date | string): Instant {
  const now = new Date(time)
  return { now, realNow: now }
}

export function contract(rest: Partial<NewDocument> = {}): NewDocument {
  return {
    contractType: 'master_loan_agreement',
    contractVersion: '2026-01',
    title: 'Master Loan Agreement',
    downloadUrl: 'https://documents.example.com/agreement.pdf',
    contentType: 'application/pdf',
    ...rest,
  }
}

/** A tenant that can onboard individuals and businesses resident in Germany under one contract. */
export async function openTenant(db: Db, now: Date = systemClock()): Promise<string> {
  return await inTransaction(db, async (tx) => {
    const tenant = await createTenant(tx, 'Test tenant', now)
    for (const borrowerType of ['individual', 'business'] as const) {
      await setResidencyRule(
        tx,
        {
          country: 'DE',
          state: undefined,
          borrowerType,
          allowed: true,
          ratePpm: undefined,
          maxLimitCents: undefined,
        },
        now,
      )
    }
    await publishDocument(tx, tenant.id, contract(), now)
    return tenant.id
  })
}

export async function addBorrower(
  db: Db,
  tenantId: string,
  rest: Partial<NewBorrower> = {},
  instant: Instant = at(systemClock()),
): Promise<string> {
  const borrower: NewBorrower = {
    type: 'individual',
    kycAttested: true,
    residencyCountry: 'DE',
    residencyState: undefined,
    ...rest,
  }
  const created = await inTransaction(db, (tx) => createBorrower(tx, tenantId, borrower, instant))
  return created.id
}

/** Signs the one contract, by a signer with an e-mail tag that chooses the sandbox's answer. */
export async function sign(
  db: Db,
  tenantId: string,
  borrowerId: string,
  rest: Partial<NewSignature> & { tag?: string } = {},
  instant: Instant = at(systemClock()),
): Promise<void> {
  const { tag, ...given } = rest
  const signature: NewSignature = {
    fullName: 'Ada Lovelace',
    email: tag === undefined ? 'ada@example.com' : `ada+${tag}@example.com`,
    ipAddress: '203.0.113.9',
    signedAt: instant.now,
    contractType: 'master_loan_agreement',
    contractVersion: '2026-01',
    ...given,
  }
  const options = { graceDays: GRACE_DAYS }
  await inTransaction(db, (tx) =>
    submitSignature({ tx, tenantId, ...instant }, borrowerId, signature, options),
  )
}

/** One evaluation of the borrower, as the job makes it. */
export async function evaluate(
  db: Db,
  tenantId: string,
  borrowerId: string,
  options: { provider?: ComplianceProvider; clock?: Clock } = {},
) {
  const { provider = createSandboxCompliance(), clock = systemClock } = options
  const instant = async () => at(clock())
  const context = { db, provider, instant, graceDays: GRACE_DAYS }
  return await evaluateBorrower(context, tenantId, borrowerId)
}

/** The tenant's events, in order, as tenants see them. */
export async function readEvents(db: Db, tenantId: string) {
  const rows = await db
    .selectFrom('events')
    .select('body')
    .where('tenant_id', '=', tenantId)
    .orderBy('sequence')
    .execute()
  return rows.map((row) => JSON.parse(row.body))
}
