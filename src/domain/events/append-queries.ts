import { type RawBuilder, sql } from 'kysely'
import { currentTrace, type Tx } from '../../db/database.ts'
import { isDistributed } from '../../db/distribution.ts'
import { builtOnce } from '../../db/transactions/built-once.ts'

export type Raise = { resourceType: string; resourceId: string; by: number }

export type UnnumberedEvent = {
  entryId: string
  /** In one call. */
  place: number
  type: string
  resourceType: string
  resourceId: string
  /** Of the same resource in the same call. */
  later: number
  facilityId: string | null
  /** Whether it binds what was recorded about the facility. */
  binds: boolean
  /** Null: that of the facility. */
  borrowerId: string | null
  occurredAt: Date
  data: string
}

export type ToAppend = {
  raises: readonly Raise[]
  facilityIds: readonly string[]
  events: readonly UnnumberedEvent[]
}

/** Raises the versions of the resources, in the order given, and binds records that no event binds yet. */
export async function insertUnnumbered(
  tx: Tx,
  tenantId: string,
  { raises, facilityIds, events }: ToAppend,
): Promise<void> {
  if (await isDistributed(tx)) {
    await insertInSteps(tx, tenantId, { raises, facilityIds, events })
    return
  }
  const [event, other] = events
  if (event && !other) {
    const insert = event.facilityId === null ? insertLone : insertLoneOfFacility
    tx.send(insert({ ...toLone(tenantId, event, currentTrace(tx)), facilityIds }))
    return
  }
  const column = <T>(pick: (event: UnnumberedEvent) => T) => events.map(pick)
  tx.send(sql`
    WITH raised AS (${raiseVersions(tenantId, raises)}),
    taken AS (${takeRecords(tenantId, facilityIds)}),
    taken_of AS (
      SELECT facility_id, array_agg(record ORDER BY record) AS records FROM taken GROUP BY facility_id
    ), made AS MATERIALIZED (
      -- After the wait for a transaction that raises the same versions.
      SELECT clock_timestamp() AS at FROM (SELECT count(*) FROM raised) AS waited
    )
    INSERT INTO unnumbered_events (tenant_id, entry_id, made_at, place, type, resource_type, resource_id,
      resource_version, facility_id, borrower_id, occurred_at, data, records, traceparent)
    SELECT ${tenantId}, given.entry_id, made.at, given.place, given.type, given.resource_type,
      given.resource_id, raised.version - given.later, given.facility_id,
      coalesce(given.borrower_id, f.borrower_id),
      given.occurred_at, given.data, taken_of.records, ${currentTrace(tx)}
    FROM unnest(
      ${column((e) => e.entryId)}::uuid[], ${column((e) => e.place)}::integer[],
      ${column((e) => e.type)}::text[], ${column((e) => e.resourceType)}::text[],
      ${column((e) => e.resourceId)}::text[], ${column((e) => e.later)}::bigint[],
      ${column((e) => e.facilityId)}::text[], ${column((e) => e.binds)}::boolean[],
      ${column((e) => e.borrowerId)}::text[], ${column((e) => e.occurredAt)}::timestamptz[],
      ${column((e) => e.data)}::text[]
    ) AS given (entry_id, place, type, resource_type, resource_id, later, facility_id, binds,
                borrower_id, occurred_at, data)
    CROSS JOIN made
    JOIN raised USING (resource_type, resource_id)
    LEFT JOIN facilities f ON f.tenant_id = ${tenantId} AND f.facility_id = given.facility_id
    LEFT JOIN taken_of ON given.binds AND taken_of.facility_id = given.facility_id
  `)
}

type LoneEvent = ReturnType<typeof toLone> & { facilityIds: readonly string[] }

const toLone = (
  tenantId: string,
  { entryId, type, resourceType, resourceId, facilityId, ...event }: UnnumberedEvent,
  trace: string | null,
) => ({
  ...{ tenantId, entryId, type, resourceType, resourceId, facilityId, trace },
  borrowerId: event.borrowerId,
  occurredAt: event.occurredAt,
  data: event.data,
})

/** Most calls have one event: without lists, whose joins cost more than its rows. */
const insertLone = builtOnce(
  (_tx, event: LoneEvent) => sql`
    WITH raised AS (${raiseVersion(event)})
    ${insertRaised(event, sql`${event.borrowerId}`, sql`NULL`)}`,
)

const insertLoneOfFacility = builtOnce(
  (_tx, event: LoneEvent) => sql`
    WITH raised AS (${raiseVersion(event)}),
    taken AS (${takeRecords(event.tenantId, event.facilityIds)})
    ${insertRaised(
      event,
      sql`coalesce(${event.borrowerId}, (
        SELECT borrower_id FROM facilities
        WHERE tenant_id = ${event.tenantId} AND facility_id = ${event.facilityId}))`,
      sql`(SELECT array_agg(record ORDER BY record) FROM taken)`,
    )}`,
)

const raiseVersion = ({ tenantId, resourceType, resourceId }: LoneEvent) => sql`
      INSERT INTO resource_versions AS v (tenant_id, resource_type, resource_id, version)
      VALUES (${tenantId}, ${resourceType}, ${resourceId}, 1)
      ON CONFLICT (tenant_id, resource_type, resource_id) DO UPDATE SET version = v.version + 1
      RETURNING version`

/** The time is taken for the row that is raised, so after the wait for a transaction that raises it too. */
const insertRaised = (
  event: LoneEvent,
  borrowerId: RawBuilder<unknown>,
  records: RawBuilder<unknown>,
) => sql`
    INSERT INTO unnumbered_events (tenant_id, entry_id, made_at, place, type, resource_type, resource_id,
      resource_version, facility_id, borrower_id, occurred_at, data, records, traceparent)
    SELECT ${event.tenantId}, ${event.entryId}::uuid, clock_timestamp(), 0, ${event.type},
      ${event.resourceType}, ${event.resourceId}, raised.version, ${event.facilityId}, ${borrowerId},
      ${event.occurredAt}::timestamptz, ${event.data}, ${records}, ${event.trace}
    FROM raised`

const raiseVersions = (tenantId: string, raises: readonly Raise[]) => sql`
      INSERT INTO resource_versions AS v (tenant_id, resource_type, resource_id, version)
      SELECT ${tenantId}, * FROM unnest(
        ${raises.map((raise) => raise.resourceType)}::text[],
        ${raises.map((raise) => raise.resourceId)}::text[],
        ${raises.map((raise) => raise.by)}::bigint[])
      ON CONFLICT (tenant_id, resource_type, resource_id) DO UPDATE
      SET version = v.version + excluded.version
      RETURNING resource_type, resource_id, version`

const takeRecords = (tenantId: string, facilityIds: readonly string[]) => sql`
      DELETE FROM unbound_records
      WHERE tenant_id = ${tenantId} AND facility_id = ANY (${facilityIds}::text[])
      RETURNING facility_id, record`

/** Citus sends the rows of an insert that another one reads to every node, and copies those of a SELECT
 * to their shard, which costs more than the statement itself. */
async function insertInSteps(
  tx: Tx,
  tenantId: string,
  { raises, facilityIds, events }: ToAppend,
): Promise<void> {
  const raised = await tx
    .insertInto('resource_versions')
    .values(
      raises.map(({ resourceType, resourceId, by }) => ({
        tenant_id: tenantId,
        resource_type: resourceType,
        resource_id: resourceId,
        version: BigInt(by),
      })),
    )
    .onConflict((conflict) =>
      conflict
        .columns(['tenant_id', 'resource_type', 'resource_id'])
        .doUpdateSet({ version: sql`resource_versions.version + excluded.version` }),
    )
    .returning(['resource_type', 'resource_id', 'version'])
    .execute()
  const nameOf = (type: string, id: string) => `${type} ${id}`
  const versionOf = new Map(
    raised.map((row) => [nameOf(row.resource_type, row.resource_id), row.version]),
  )
  const takenOf = await takeRecordsOf(tx, tenantId, facilityIds)
  const borrowerOf = await selectBorrowersOf(tx, tenantId, events)
  await tx
    .insertInto('unnumbered_events')
    .values(
      events.map((event) => ({
        tenant_id: tenantId,
        entry_id: event.entryId,
        place: event.place,
        type: event.type,
        resource_type: event.resourceType,
        resource_id: event.resourceId,
        resource_version:
          (versionOf.get(nameOf(event.resourceType, event.resourceId)) ?? 0n) - BigInt(event.later),
        facility_id: event.facilityId,
        borrower_id: event.borrowerId ?? borrowerOf.get(event.facilityId ?? '') ?? null,
        occurred_at: event.occurredAt,
        data: event.data,
        records: recordsOf(event, takenOf),
        traceparent: currentTrace(tx),
      })),
    )
    .execute()
}

async function takeRecordsOf(tx: Tx, tenantId: string, facilityIds: readonly string[]) {
  if (facilityIds.length === 0) return new Map<string, { record: string }[]>()
  const { rows } = await sql<{ facility_id: string; record: string }>`
    ${takeRecords(tenantId, facilityIds)}`.execute(tx)
  return Map.groupBy(rows, (row) => row.facility_id)
}

/** Of the facilities whose events do not name them. */
async function selectBorrowersOf(tx: Tx, tenantId: string, events: readonly UnnumberedEvent[]) {
  const unnamed = events.flatMap((e) => (e.borrowerId === null ? (e.facilityId ?? []) : []))
  if (unnamed.length === 0) return new Map<string, string>()
  const rows = await tx
    .selectFrom('facilities')
    .select(['facility_id', 'borrower_id'])
    .where('tenant_id', '=', tenantId)
    .where('facility_id', '=', sql<string>`ANY (${[...new Set(unnamed)]}::text[])`)
    .execute()
  return new Map(rows.map((row) => [row.facility_id, row.borrower_id]))
}

function recordsOf(
  { binds, facilityId }: UnnumberedEvent,
  takenOf: ReadonlyMap<string, readonly { record: string }[]>,
): string[] | null {
  const taken = binds ? takenOf.get(facilityId ?? '') : undefined
  return taken ? taken.map(({ record }) => record).sort() : null
}
