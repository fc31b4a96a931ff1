import { MINUTE_MS } from '../../../core/time.ts'
import type { Db } from '../../../db/database.ts'
import type { NoticeChannel } from '../../../db/schema/margin.ts'
import { readKeysOfFacilities } from '../../personal/borrower-key.ts'
import { selectRaisesNoticed } from './notice-queries.ts'

/** A raise without a notice for so long is one that the borrower may not know of. */
export const NOTICE_WITHIN_MS = 15 * MINUTE_MS

/** That the borrower was told of a raise. Times are the tenant's. */
export type Notice = {
  channel: NoticeChannel
  at: Date
  reference: string | undefined
  recordedAt: Date
}

/** A `margin_warning.raised` of a warning. */
export type Raise = { eventId: string; raisedAt: Date; notices: Notice[] }

/** Loads the raises of each facility. The result returns those of a warning by its number, oldest first. */
export async function loadRaises(
  db: Db,
  tenantId: string,
  facilityIds: readonly string[],
  references: 'open' | 'leave out' = 'open',
): Promise<(facilityId: string, warningNumber: number) => Raise[]> {
  const rows = await selectRaisesNoticed(db, { tenantId, facilityIds })
  const opened = rows.filter((row) => row.reference && references === 'open')
  const referring = opened.map((row) => row.facility_id)
  const keys = await readKeysOfFacilities(db, tenantId, referring)
  const raisesOf = new Map<string, Map<string, Raise>>()
  for (const row of rows) {
    const key = `${row.facility_id}/${row.warning_number}`
    const raises = raisesOf.get(key) ?? new Map<string, Raise>()
    raisesOf.set(key, raises)
    const { event_id: eventId, raised_at: raisedAt, channel, at, recorded_at: recordedAt } = row
    const raise = raises.get(eventId) ?? { eventId, raisedAt, notices: [] }
    raises.set(eventId, raise)
    if (!channel || !at || !recordedAt) continue
    const reference =
      row.reference && references === 'open'
        ? keys.of(row.facility_id).open(row.reference, 'reference')
        : undefined
    raise.notices.push({ channel, at, reference, recordedAt })
  }
  return (facilityId, number) => [...(raisesOf.get(`${facilityId}/${number}`)?.values() ?? [])]
}
