import { Refusal } from '../../../core/errors.ts'
import { type ListRequest, listAfter, mapPage, type Page } from '../../../core/page.ts'
import { HOUR_MS } from '../../../core/time.ts'
import type { Db } from '../../../db/database.ts'
import type { Tables } from '../../../db/schema/tables.ts'
import type { TenantContext } from '../../tenants/tenant-context.ts'
import {
  selectDoubts,
  selectOldestDoubt,
  selectOldestUnanswered,
  selectUnanswered,
  settleDoubt,
  upsertDoubt,
} from './doubt-queries.ts'

// The payments provider is asked again about what it has answered as done. An answer that can be neither
// that nor its return changes nothing: operators look at it.

export type DoubtReason = Tables['doubtful_calls']['reason']

export type Doubt = {
  tenantId: string
  facilityId: string
  /** A repayment, a draw or a refund. */
  subjectId: string
  reason: DoubtReason
  /** What the provider answered, as JSON. */
  answer: unknown
  since: Date
}

/** Keeps it for the operators. */
export async function noteDoubt(
  { tx, tenantId, now }: TenantContext,
  { subjectId, facilityId, reason, answer }: Omit<Doubt, 'tenantId' | 'since'>,
): Promise<void> {
  await upsertDoubt(tx, {
    tenant_id: tenantId,
    subject_id: subjectId,
    facility_id: facilityId,
    reason,
    answer: JSON.stringify(answer),
    since: now,
  })
}

/** A later answer has cleared it. */
export async function clearDoubt(
  { tx, tenantId, now }: TenantContext,
  subjectId: string,
): Promise<void> {
  await settleDoubt(tx, tenantId, subjectId, now)
}

/** Operators have seen to it. Refuses `not_found`. */
export async function dismissDoubt(tenant: TenantContext, subjectId: string): Promise<void> {
  const { tx, tenantId, now } = tenant
  if (await settleDoubt(tx, tenantId, subjectId, now)) return
  throw new Refusal('not_found', `Nothing about ${subjectId} waits for an operator.`)
}

/** How long, in milliseconds, the oldest answer has waited for an operator, and the oldest call for a final
 * answer. */
export async function measurePayments(
  db: Db,
  realNow: Date,
): Promise<{ doubt: number; payment: number }> {
  return {
    doubt: Math.max(0, (await selectOldestDoubt(db, realNow)) ?? 0),
    payment: Math.max(0, (await selectOldestUnanswered(db, realNow)) ?? 0),
  }
}

/** Of every tenant, longest first. Refuses `cursor_invalid`. */
export async function pageDoubts(db: Db, list: Omit<ListRequest, 'context'>): Promise<Page<Doubt>> {
  const page = await listAfter(
    { ...list, context: 'operator/doubts' },
    (stretch) => selectDoubts(db, stretch),
    (row) => [row.position, row.subject_id],
  )
  return mapPage(page, (row) => ({
    tenantId: row.tenant_id,
    facilityId: row.facility_id,
    subjectId: row.subject_id,
    reason: row.reason,
    answer: row.answer,
    since: row.since,
  }))
}

const WAITS_LONG_MS = HOUR_MS

const KINDS = {
  'release-draw': 'draw',
  'pay-refund': 'refund',
  'check-payment': 'receipt',
} as const

/** A payment without a final answer: the provider says "pending", or cannot be asked. */
export type Waiting = {
  tenantId: string
  facilityId: string
  id: string
  kind: (typeof KINDS)[keyof typeof KINDS]
  amount: { asset: string; units: bigint }
  since: Date
  /** Undefined while it is being asked. */
  askedAgainAt: Date | undefined
  /** In a row; at 0 the last answer was "pending". */
  failures: number
  error: string | undefined
}

/** Lists the payments of every tenant that have waited for an hour or more by the tenant's clock, longest first.
 * Refuses `cursor_invalid`. */
export async function pageWaiting(
  db: Db,
  realNow: Date,
  list: Omit<ListRequest, 'context'>,
): Promise<Page<Waiting>> {
  const page = await listAfter(
    { ...list, context: 'operator/waiting-payments' },
    (stretch) => selectUnanswered(db, { realNow, waitedMs: WAITS_LONG_MS }, stretch),
    (row) => [row.position, row.id],
  )
  return mapPage(page, (row) => ({
    ...{ tenantId: row.tenant_id, facilityId: row.facility_id, id: row.id },
    ...{ kind: KINDS[row.topic], amount: { asset: row.asset, units: row.units }, since: row.since },
    askedAgainAt: row.due_at ?? undefined,
    failures: row.attempts ?? 0,
    error: row.attempts ? (row.last_error ?? undefined) : undefined,
  }))
}
