import { type RawBuilder, sql } from 'kysely'
import { firstIdAt, parseId } from '../../core/ids.ts'
import type { Db } from '../../db/database.ts'
import type { RequestRow } from '../../db/schema/history.ts'
import { arrayLiteral } from '../../db/sql/as-text.ts'
import { scopeOf, tenantOf } from '../../db/tenant-scope.ts'
import type { RequestEntry } from './entry.ts'

export async function insertRequests(db: Db, entries: readonly RequestEntry[]): Promise<void> {
  const list = (pick: (entry: RequestEntry) => string | number | undefined) =>
    arrayLiteral(entries.map(pick))
  // @one server: a batch has requests of several tenants.
  await sql`
    INSERT INTO request_log (tenant_id, request_id, received_at, method, route, path, status, code,
      key_id, person_id, duration_us, idempotency_key, resource_id, details)
    SELECT ${tenantOf(scopeOf(entries), 'given.tenant_id')}, given.request_id, given.received_at,
      given.method, given.route, given.path, given.status, given.code, given.key_id, given.person_id,
      given.duration_us, given.idempotency_key, given.resource_id, given.details FROM unnest(
      ${list(({ tenantId }) => tenantId)}::text[], ${list(({ requestId }) => requestId)}::text[],
      ${list(({ requestId }) => parseId('req', requestId)?.madeAt.toISOString())}::timestamptz[],
      ${list(({ method }) => method)}::text[], ${list(({ route }) => route)}::text[],
      ${list(({ path }) => path)}::text[], ${list(({ status }) => status)}::smallint[],
      ${list(({ code }) => code)}::text[], ${list(({ keyId }) => keyId)}::text[],
      ${list(({ personId }) => personId)}::text[],
      ${list(({ durationMs }) => Math.round(durationMs * 1_000))}::int[],
      ${list(({ idempotencyKey }) => idempotencyKey)}::text[],
      ${list(({ resourceId }) => resourceId)}::text[],
      ${list(({ details }) => details && JSON.stringify(details))}::json[]
    ) AS given (tenant_id, request_id, received_at, method, route, path, status, code, key_id,
                person_id, duration_us, idempotency_key, resource_id, details)`.execute(db)
}

export type RequestFilters = {
  method?: string | undefined
  /** Of 100 to 599, both included. */
  statuses?: { from: number; to: number } | undefined
  code?: string | undefined
  keyId?: string | undefined
  /** A route, or how a path begins. */
  path?: string | undefined
  resourceId?: string | undefined
  since?: Date | undefined
  until?: Date | undefined
}

export type RequestPosition = { requestId: string; receivedAt: Date }

type RequestStretch = {
  before: RequestPosition | undefined
  limit: number
  /** The most that are read for those that pass the filters without an index. */
  maxRead: number
}

export type RequestSummaryRow = Omit<RequestRow, 'tenant_id' | 'details'>

/** Newest first. */
export async function selectRequests(
  db: Db,
  tenantId: string,
  filters: RequestFilters,
  stretch: RequestStretch,
): Promise<RequestSummaryRow[]> {
  const { method, statuses, keyId, path } = filters
  // @plan reads request_log: where no index serves the filter, a bounded number of the newest.
  const { rows } = await sql<RequestSummaryRow>`
    SELECT request_id, received_at, method, route, path, status, code, key_id, person_id,
      duration_us, idempotency_key, resource_id
    FROM (${newest(tenantId, filters, stretch)} LIMIT ${stretch.maxRead}) newest
    WHERE ${every([
      method === undefined ? undefined : sql`method = ${method}`,
      statuses && sql`status BETWEEN ${statuses.from} AND ${statuses.to}`,
      keyId === undefined ? undefined : sql`key_id = ${keyId}`,
      path === undefined ? undefined : sql`(route = ${path} OR starts_with(path, ${path}))`,
    ])}
    ORDER BY request_id DESC LIMIT ${stretch.limit}`.execute(db)
  return rows
}

/** Where a bounded read ended; undefined where it came to the end of the log. */
export async function selectReadEnd(
  db: Db,
  tenantId: string,
  filters: RequestFilters,
  stretch: Omit<RequestStretch, 'limit'>,
): Promise<RequestPosition | undefined> {
  // @plan reads request_log: as many as the read before it.
  const { rows } = await sql<RequestPosition>`
    SELECT request_id AS "requestId", received_at AS "receivedAt"
    FROM (${newest(tenantId, filters, stretch)} LIMIT 1 OFFSET ${stretch.maxRead - 1}) newest
  `.execute(db)
  return rows[0]
}

/** By what has an index. */
function newest(
  tenantId: string,
  { code, resourceId, statuses, since, until }: RequestFilters,
  { before }: Pick<RequestStretch, 'before'>,
): RawBuilder<unknown> {
  const isRefusal = statuses !== undefined && statuses.from >= 400
  return sql`
    SELECT * FROM request_log
    WHERE ${every([
      sql`tenant_id = ${tenantId}`,
      code === undefined ? undefined : sql`code = ${code}`,
      resourceId === undefined ? undefined : sql`resource_id = ${resourceId}`,
      isRefusal ? sql`status >= 400` : undefined,
      // Ids are in the order of time; the instant lets the planner leave out days.
      since && sql`received_at >= ${since} AND request_id >= ${firstIdAt('req', since)}`,
      until && sql`received_at < ${until} AND request_id < ${firstIdAt('req', until)}`,
      before && sql`received_at <= ${before.receivedAt} AND request_id < ${before.requestId}`,
    ])}
    ORDER BY request_id DESC`
}

function every(conditions: readonly (RawBuilder<unknown> | undefined)[]): RawBuilder<unknown> {
  const given = conditions.filter((condition) => condition !== undefined)
  return given.length === 0 ? sql`true` : sql.join(given, sql` AND `)
}

export async function selectRequest(
  db: Db,
  tenantId: string,
  { requestId, receivedAt }: RequestPosition,
): Promise<RequestRow | undefined> {
  return await db
    .selectFrom('request_log')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('received_at', '=', receivedAt)
    .where('request_id', '=', requestId)
    .executeTakeFirst()
}
