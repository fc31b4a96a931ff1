import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { expect } from 'vitest'
import { newId } from '../../../src/core/ids.ts'
import { addMs, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../src/core/time.ts'
import { recordAudit } from '../../../src/domain/audit/runs.ts'
import { type ProcessReport, reportProcess } from '../../../src/domain/operations/processes.ts'
import { CALL_BOUNDS_MS } from '../../../src/domain/operations/provider-calls.ts'
import { addBorrower, openTenant, sign } from '../lending/onboarding.ts'
import { sealOf } from '../lending/sealed.ts'
import { waitFor } from '../process/patience.ts'
import type { ConsoleApi } from './console-api.ts'

export type DeskOperations = {
  reviewTenantId: string
  /** Signed, with a check that waits. */
  reviewedId: string
  blockedId: string
}

/** What reviews and operations have to show: one of each kind. */
export async function furnishOperations({ db }: ConsoleApi): Promise<DeskOperations> {
  const tenantId = await openTenant(db)
  const reviewedId = await addReviewed(db, tenantId)
  const blockedId = await addBorrower(db, tenantId)
  const blocked = { tenantId, borrowerId: blockedId }
  await sql`UPDATE borrowers SET blocked_at = now() - interval '2 days',
      blocked_reason = ${await sealOf(db, blocked, 'Court order 12/2026')} WHERE borrower_id = ${blockedId}`.execute(
    db,
  )
  const facilityId = await addFacility(db, { tenantId, borrowerId: blockedId, state: 'PENDING' })
  await addRefusedRefund(db, tenantId, facilityId)
  await addStuckWork(db, tenantId)
  await addReports(db)
  await addPrices(db)
  await recordAudit(
    db,
    [
      {
        ...{ invariant: 'I4', name: 'nothing-forgotten', hasMore: false, timedOut: false },
        ...{ subjects: 1, progress: {} },
        violations: [{ tenantId, subject: facilityId, detail: 'is PENDING and has no work' }],
      },
    ],
    new Date(),
  )
  return { reviewTenantId: tenantId, reviewedId, blockedId }
}

type Db = ConsoleApi['db']

/** A borrower of Grace Hopper's, with an identity check that the worker leaves to a person. */
export async function addReviewed(db: Db, tenantId: string): Promise<string> {
  const borrowerId = await addBorrower(db, tenantId, { kycAttested: false })
  const signer = { fullName: 'Grace Hopper', email: 'grace@navy.example' }
  await sign(db, tenantId, borrowerId, signer)
  await waitFor(async () => {
    const { rows } = await sql`SELECT FROM compliance_checks
      WHERE borrower_id = ${borrowerId} AND status = 'review'`.execute(db)
    expect(rows).toHaveLength(1)
  })
  return borrowerId
}

async function addFacility(
  db: Db,
  facility: { tenantId: string; borrowerId: string; state: string },
): Promise<string> {
  const id = newId('fac')
  await sql`INSERT INTO facilities (tenant_id, facility_id, borrower_id, state, limit_cents, rate_ppm,
      accrued_at, created_at, updated_at)
    VALUES (${facility.tenantId}, ${id}, ${facility.borrowerId}, ${facility.state}, 2500000, 95000,
      now(), now() - interval '3 hours', now())`.execute(db)
  return id
}

async function addRefusedRefund(db: Db, tenantId: string, facilityId: string): Promise<void> {
  const account = 'DE89 3704 0044 0532 0130 00'
  const destination = await sealOf(db, { tenantId, facilityId }, account, 'destination')
  await sql`INSERT INTO refunds (tenant_id, refund_id, facility_id, source_id, asset, amount_units,
      cents, destination, status, refusals, created_at)
    VALUES (${tenantId}, ${newId('rfd')}, ${facilityId}, 'rep_1', 'USD', 50000, 50000,
      ${destination}, 'PENDING', 3, now() - interval '1 hour')`.execute(db)
}

/** Evaluating a borrower who is well: a retry succeeds. Returns the borrower's id. */
export async function addStuckWork(db: Db, tenantId: string): Promise<string> {
  const borrowerId = await addBorrower(db, tenantId)
  await waitFor(async () => {
    const { rows } = await sql`SELECT FROM work WHERE subject_id = ${borrowerId}`.execute(db)
    expect(rows).toHaveLength(0)
  })
  await sql`INSERT INTO work (tenant_id, topic, subject_id, clock, priority, due_at, attempts,
      failing_since, last_error)
    VALUES (${tenantId}, 'evaluate-borrower', ${borrowerId}, 'real', 5, now() + interval '8 minutes',
      14, now() - interval '2 hours', 'VendorFailure timeout at guarded-http.ts:104')`.execute(db)
  return borrowerId
}

async function addReports(db: Db): Promise<void> {
  const now = new Date()
  const seen = (provider: string, breaker: 'closed' | 'open', failed: number) => ({
    ...{ provider, breaker, breakerSince: addMs(now, -HOUR_MS), answered: 812 - failed * 10 },
    ...{ failed, heldBack: breaker === 'open' ? 41 : 0 },
    durations: CALL_BOUNDS_MS.map((_, at) => (at === 3 ? 780 : at)).concat(0),
    ...(failed > 0 && { lastFailure: { outcome: 'timeout', at: addMs(now, -MINUTE_MS) } }),
  })
  const report = (more: Partial<ProcessReport>): ProcessReport => ({
    ...{ schema: '0037-desk', keyIds: ['k2', 'k1'], redis: 'ok', providers: [] },
    ...{ connections: { used: 3, idle: 7, waiting: 0 }, ...more },
  })
  const process = (kind: 'api' | 'worker', host: string) => ({
    ...{ processId: randomUUID(), kind, host, version: '1.0.0', startedAt: addMs(now, -HOUR_MS) },
  })
  // Ahead of now, so that they are not silent however long the pictures take.
  const later = addMs(now, 30 * MINUTE_MS)
  const providers = [seen('custodian', 'open', 12), seen('kyc', 'closed', 0)]
  await reportProcess(db, process('worker', 'worker-1'), report({ providers }), later)
  await reportProcess(db, process('api', 'api-1'), report({}), later)
  const silent = addMs(now, -4 * MINUTE_MS)
  await reportProcess(db, process('api', 'api-2'), report({ keyIds: ['k2'] }), silent)
}

async function addPrices(db: Db): Promise<void> {
  const at = addMs(new Date(), -12 * SECOND_MS).toISOString()
  const quotes = (...prices: number[]) =>
    ['coinbase', 'kraken', 'bitstamp'].map((source, number) => ({
      ...{ source, price: String((prices[number] ?? 0) * 1e8), at },
    }))
  const prices = { BTC: { price: '6512000000000', at }, ETH: { price: '341250000000', at } }
  const sources = { BTC: quotes(65_118, 65_120, 65_131), ETH: quotes(3_380, 3_412, 3_431) }
  await sql`INSERT INTO price_rounds (accepted_at, prices, sources)
    VALUES (${at}, ${JSON.stringify(prices)}::jsonb, ${JSON.stringify(sources)}::jsonb)`.execute(db)
}
