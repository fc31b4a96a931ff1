import { type ListRequest, listAfter, mapPage, type Page } from '../../core/page.ts'
import { addMs } from '../../core/time.ts'
import type { Db } from '../../db/database.ts'
import type { LendingPolicy } from '../facilities/policy.ts'
import { UNDERWRITE_FACILITY } from '../facilities/topics.ts'
import { selectWaitingApplications } from './queries.ts'
import { type ApplicationWait, explainWaiting } from './why-waiting.ts'

export type WaitingApplication = {
  tenantId: string
  tenantName: string
  facilityId: string
  borrowerId: string
  limitCents: bigint
  waitingSince: Date
  waitedMs: number
  waitsFor: ApplicationWait
  /** Of the last try, where it failed. */
  error: string | undefined
  /** By then it is decided with what is known. */
  decidedBy: Date
}

type Row = Awaited<ReturnType<typeof selectWaitingApplications>>[number]

/** Of every tenant, longest waiting first. Refuses `cursor_invalid`. */
export async function listWaitingApplications(
  db: Db,
  {
    tenantId,
    policy,
    realNow,
  }: { tenantId?: string | undefined; policy: LendingPolicy; realNow: Date },
  list: Omit<ListRequest, 'context'>,
): Promise<Page<WaitingApplication>> {
  const page = await listAfter(
    { ...list, context: `operator/applications/${tenantId ?? ''}` },
    (stretch) =>
      selectWaitingApplications(db, tenantId, stretch, { realNow, topic: UNDERWRITE_FACILITY }),
    (row) => [row.position, row.facility_id],
  )
  return mapPage(page, (row) => toApplication(row, policy, realNow))
}

function toApplication(row: Row, policy: LendingPolicy, realNow: Date): WaitingApplication {
  const ageOf = (at: Date | null) => (at ? row.tenant_now.getTime() - at.getTime() : undefined)
  const waitsFor = explainWaiting(
    {
      source: row.mode ?? 'push',
      portfolioAgeMs: ageOf(row.received_at),
      readingAgeMs: ageOf(row.read_at),
      work: row.due_at
        ? {
            attempts: row.attempts ?? 0,
            dueInMs: row.due_at.getTime() - realNow.getTime(),
            isRunning: row.lease !== null,
          }
        : undefined,
    },
    policy,
  )
  return {
    tenantId: row.tenant_id,
    tenantName: row.name,
    facilityId: row.facility_id,
    borrowerId: row.borrower_id,
    limitCents: row.limit_cents,
    waitingSince: row.created_at,
    waitedMs: row.tenant_now.getTime() - row.created_at.getTime(),
    waitsFor,
    error: waitsFor === 'attempt_failed' ? (row.last_error ?? undefined) : undefined,
    decidedBy: addMs(row.created_at, policy.underwritingPatienceMs),
  }
}
