import type { CursorCodec } from '../../core/cursor.ts'
import { Refusal } from '../../core/errors.ts'
import { newId } from '../../core/ids.ts'
import { listPage, mapPage, type Page, type PageRequest } from '../../core/page.ts'
import type { Db, Tx } from '../../db/database.ts'
import {
  insertTenant,
  selectTenant,
  selectTenantPage,
  selectTenants,
  tenantExists,
} from './queries.ts'

export type Tenant = {
  id: string
  name: string
  createdAt: Date
  /** Undefined while it may write. */
  suspended: { at: Date; reason: string } | undefined
  /** For good; a closed tenant is suspended too. */
  closedAt: Date | undefined
}

/** Refuses `validation_failed` for a name that is blank or over 200 characters. */
export async function createTenant(tx: Tx, name: string, now: Date): Promise<Tenant> {
  if (name.trim() === '' || name.length > 200) {
    throw new Refusal('validation_failed', 'The name of a tenant must have 1 to 200 characters.')
  }
  const tenant = {
    id: newId('ten'),
    name,
    createdAt: now,
    suspended: undefined,
    closedAt: undefined,
  }
  await insertTenant(tx, { tenantId: tenant.id, name, createdAt: now })
  return tenant
}

export async function listTenants(db: Db): Promise<Tenant[]> {
  const rows = await selectTenants(db)
  return rows.map(toTenant)
}

function toTenant(row: Awaited<ReturnType<typeof selectTenants>>[number]): Tenant {
  const { suspended_at: at, suspension_reason: reason } = row
  return {
    id: row.tenant_id,
    name: row.name,
    createdAt: row.created_at,
    suspended: at === null ? undefined : { at, reason: reason ?? '' },
    closedAt: row.closed_at ?? undefined,
  }
}

/** Newest first. Refuses `cursor_invalid`. */
export async function pageTenants(
  db: Db,
  request: PageRequest,
  cursors: CursorCodec,
): Promise<Page<Tenant>> {
  const page = await listPage(
    { request, cursors, context: 'operator/tenants', parseKey: String },
    (stretch) => selectTenantPage(db, stretch),
    (row) => row.tenant_id,
  )
  return mapPage(page, toTenant)
}

/** Refuses `not_found`. */
export async function getTenant(db: Db, tenantId: string): Promise<Tenant> {
  const row = await selectTenant(db, tenantId)
  if (!row) throw new Refusal('not_found', `There is no tenant ${tenantId}.`)
  return toTenant(row)
}

export async function isTenant(db: Db, tenantId: string): Promise<boolean> {
  return await tenantExists(db, tenantId)
}
