import type { CursorCodec } from '../../../core/cursor.ts'
import {
  describeFilters,
  listPage,
  mapPage,
  type Page,
  type PageRequest,
} from '../../../core/page.ts'
import type { Db } from '../../../db/database.ts'
import { findSequences } from './find-sequences.ts'
import { selectNewestEvents } from './newest-queries.ts'
import { toChainedText } from './read-log.ts'

export type EventFilters = {
  type?: string | undefined
  resourceId?: string | undefined
  since?: Date | undefined
  until?: Date | undefined
}

/** The log for a person: newest first, each as stored, with its hashes. Refuses `cursor_invalid`. */
export async function listEvents(
  db: Db,
  tenantId: string,
  { filters, ...request }: PageRequest & { filters: EventFilters },
  cursors: CursorCodec,
): Promise<Page<string>> {
  const { type, resourceId } = filters
  const context = `newest/${tenantId}/${describeFilters(filters)}`
  const wanted = { type, resourceId, sequences: await findSequences(db, tenantId, filters) }
  const page = await listPage(
    { request, cursors, context, parseKey: BigInt },
    (stretch) => selectNewestEvents(db, tenantId, wanted, stretch),
    (row) => row.sequence,
  )
  return mapPage(page, toChainedText)
}
