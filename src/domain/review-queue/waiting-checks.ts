import { type ListRequest, listAfter, mapPage, type Page } from '../../core/page.ts'
import type { Db } from '../../db/database.ts'
import type { BorrowerType, CheckKind } from '../../db/schema/onboarding.ts'
import { selectWaitingChecks } from './queries.ts'

export type WaitingCheck = {
  tenantId: string
  tenantName: string
  borrowerId: string
  borrowerType: BorrowerType
  residencyCountry: string
  residencyState: string | undefined
  checkId: string
  kind: CheckKind
  waitingSince: Date
  /** By the tenant's own clock. */
  waitedMs: number
}

/** Of every tenant, longest waiting first, and nothing of who signed. Refuses `cursor_invalid`. */
export async function listWaitingChecks(
  db: Db,
  filter: { tenantId?: string | undefined; kind?: CheckKind | undefined },
  list: Omit<ListRequest, 'context'>,
  realNow: Date,
): Promise<Page<WaitingCheck>> {
  const { tenantId, kind } = filter
  const context = `operator/reviews/${tenantId ?? ''}/${kind ?? ''}`
  const page = await listAfter(
    { ...list, context },
    (stretch) => selectWaitingChecks(db, { tenantId, kind }, stretch, realNow),
    (row) => [row.position, row.check_id],
  )
  return mapPage(page, (row) => ({
    tenantId: row.tenant_id,
    tenantName: row.name,
    borrowerId: row.borrower_id,
    borrowerType: row.type,
    residencyCountry: row.residency_country,
    residencyState: row.residency_state ?? undefined,
    checkId: row.check_id,
    kind: row.kind,
    waitingSince: row.created_at,
    waitedMs: row.tenant_now.getTime() - row.created_at.getTime(),
  }))
}
