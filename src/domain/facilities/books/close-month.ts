import { Refusal } from '../../../core/errors.ts'
import { type ListRequest, listPage, mapPage, type Page } from '../../../core/page.ts'
import { addMs, monthEnd } from '../../../core/time.ts'
import type { Db } from '../../../db/database.ts'
import type { TenantContext } from '../../tenants/tenant-context.ts'
import { SETTLED_MS } from '../ledger/month-end.ts'
import { hasAccruing } from '../queries.ts'
import { insertClosedMonth, lockMonths, selectClosedUntil } from './books-queries.ts'

/** And every month before. False where it was closed. Refuses `validation_failed` until it is settled. */
export async function closeMonth(
  { tx, tenantId, now }: Pick<TenantContext, 'tx' | 'tenantId' | 'now'>,
  month: Date,
): Promise<boolean> {
  const name = month.toISOString().slice(0, 7)
  const end = monthEnd(month)
  if (now < addMs(end, SETTLED_MS)) {
    const until = addMs(end, SETTLED_MS).toISOString()
    throw new Refusal('validation_failed', `${name} cannot be closed before ${until}.`)
  }
  await lockMonths(tx, tenantId)
  if (await hasAccruing(tx, tenantId, end)) {
    throw new Refusal('validation_failed', `Interest of ${name} is not booked yet. Retry later.`)
  }
  return await insertClosedMonth(tx, tenantId, `${name}-01`, now)
}

/** The last month that is closed, `2026-10`, of one tenant or of each, newest first. Refuses
 * `cursor_invalid`. */
export async function pageClosedMonths(
  db: Db,
  tenantId: string | undefined,
  list: Omit<ListRequest, 'context'>,
): Promise<Page<{ tenantId: string; month: string | undefined }>> {
  const page = await listPage(
    { ...list, context: `operator/months ${tenantId ?? ''}`, parseKey: String },
    (stretch) => selectClosedUntil(db, tenantId, stretch),
    (row) => row.tenant_id,
  )
  return mapPage(page, (row) => ({ tenantId: row.tenant_id, month: row.month ?? undefined }))
}
