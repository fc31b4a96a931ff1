import { type ListRequest, listAfter, mapPage, type Page } from '../../../core/page.ts'
import type { Db } from '../../../db/database.ts'
import { type PendingRow, selectNotices, selectPending } from './amendment-queries.ts'

/** An amendment that waits, for its instant or for the end of a warning or call. */
export type PendingAmendment = {
  tenantId: string
  facilityId: string
  /** The terms after it; `boundVersion` is in force until then. */
  version: number
  ratePpm: bigint
  boundVersion: number
  effectiveAt: Date
  /** The operator who proposed it; undefined: a tenant on its sandbox, or a build that did not note it. */
  askedBy: string | undefined
  /** The event that gave notice; undefined: no longer kept. */
  eventId: string | undefined
}

/** Of every tenant, the next to take effect first. Refuses `cursor_invalid`. */
export async function pagePending(
  db: Db,
  list: Omit<ListRequest, 'context'>,
): Promise<Page<PendingAmendment>> {
  const page = await listAfter(
    { ...list, context: 'operator/amendments' },
    (stretch) => selectPending(db, stretch),
    (row) => [row.position, row.facilityId],
  )
  const notices = await selectNotices(db, page.items)
  const eventOf = new Map(notices.map(({ facilityId, eventId }) => [facilityId, eventId]))
  return mapPage(page, (row: PendingRow) => ({
    tenantId: row.tenantId,
    facilityId: row.facilityId,
    version: row.nextVersion ?? row.boundVersion,
    ratePpm: BigInt(row.nextRatePpm ?? row.ratePpm),
    boundVersion: row.boundVersion,
    effectiveAt: row.at,
    askedBy: row.askedBy ?? undefined,
    eventId: eventOf.get(row.facilityId),
  }))
}
