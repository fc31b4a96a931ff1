import { sql } from 'kysely'
import { arrayLiteral } from '../../../db/as-text.ts'
import { type Db, inTransaction } from '../../../db/database.ts'
import { isDistributed } from '../../../db/distribution.ts'
import { builtOnce } from '../../../db/transactions/built-once.ts'
import { execute } from '../../../db/transactions/execute.ts'

export type PushedRow = {
  tenantId: string
  borrowerId: string
  asOfMicros: bigint
  digest: Buffer
  positions: Record<string, string>
  /** Of the request. */
  trace: string | null
}

export type StoredPush = {
  applied: boolean
  /** Its deadline has passed unevaluated: nothing was stored. */
  overdue_facility_id: string | null
  topic: string | null
}

/** The same for every push: in the text of the statement, where nothing encodes and reads them again. */
export type PushConstants = {
  assets: readonly string[]
  topics: Record<'PENDING' | 'APPROVED', { topic: string; rank: number }>
}

export type PushTerms = {
  realNow: Date
  futureToleranceMs: number
  isEvaluated: boolean
}

/** Of each of `assets` the smaller of both, keyed as the new push. Citus takes only a literal there. */
const leastOf = (assets: readonly string[]) => sql`(
          SELECT coalesce(jsonb_object_agg(asset, CASE
            WHEN asset = ANY (${sql.lit(arrayLiteral(assets))}::text[]) THEN least(units::numeric,
              coalesce((coalesce(existing.least, existing.positions) ->> asset)::numeric, 0))::text
            ELSE units END), '{}')
          FROM jsonb_each_text(excluded.positions) AS pushed (asset, units))`

export const replacedBy = (assets: readonly string[]) => sql`
      ON CONFLICT (tenant_id, borrower_id) DO UPDATE SET
        as_of = excluded.as_of, digest = excluded.digest,
        positions = excluded.positions, received_at = excluded.received_at,
        is_new = existing.is_new OR (excluded.is_new AND existing.digest <> excluded.digest),
        changed_at = CASE WHEN existing.digest = excluded.digest THEN existing.changed_at
                          ELSE excluded.changed_at END,
        -- An answer of the same millisecond was about the push before.
        confirmed_at = CASE WHEN existing.digest <> excluded.digest
                              AND existing.confirmed_at >= excluded.changed_at
                            THEN (excluded.changed_at AT TIME ZONE 'UTC'
                                    - interval '1 microsecond') AT TIME ZONE 'UTC'
                            ELSE existing.confirmed_at END,
        least = CASE WHEN existing.digest = excluded.digest THEN existing.least
                     WHEN excluded.is_new THEN nullif(${leastOf(assets)}, excluded.positions) END
      WHERE existing.as_of < excluded.as_of`

export const ASKED_AGAIN = sql`
      ON CONFLICT (tenant_id, topic, subject_id) DO UPDATE
      SET generation = work.generation + 1, due_at = least(work.due_at, excluded.due_at),
          ready = work.ready OR work.lease IS NULL, traceparent = excluded.traceparent`

type PushValues = PushedRow & {
  realNow: Date
  latestMs: number
  isEvaluated: boolean
}

const createStoreAtOnce = ({ assets, topics: { PENDING, APPROVED } }: PushConstants) =>
  builtOnce(
    (_db, push: PushValues) => sql<StoredPush>`
    WITH instant AS (
      SELECT ${push.realNow}::timestamptz + clock_offset_ms * interval '1 millisecond' AS now,
             (${push.latestMs}::bigint + clock_offset_ms) * 1000 AS latest
      FROM tenants WHERE tenant_id = ${push.tenantId}
    ), holder AS MATERIALIZED (
      SELECT tenant_id, borrower_id, latest_facility_id FROM borrowers
      WHERE tenant_id = ${push.tenantId} AND borrower_id = ${push.borrowerId}
      FOR NO KEY UPDATE
    ), overdue AS (
      SELECT w.facility_id
      FROM holder h
      JOIN margin_warnings w ON w.tenant_id = ${push.tenantId} AND w.facility_id = h.latest_facility_id
      CROSS JOIN instant i
      WHERE w.status = 'OPEN' AND coalesce(w.window_deadline, w.cure_deadline) < i.now AND NOT ${push.isEvaluated}::boolean
    ), stored AS (
      INSERT INTO portfolios AS existing
        (tenant_id, borrower_id, as_of, digest, positions, received_at, changed_at, is_new)
      SELECT ${push.tenantId}, h.borrower_id, ${push.asOfMicros}::bigint, ${push.digest}::bytea,
             ${push.positions}::jsonb, i.now, i.now, coalesce(f.state = 'APPROVED', false)
      FROM holder h CROSS JOIN instant i
      LEFT JOIN facilities f
        ON f.tenant_id = ${push.tenantId} AND f.facility_id = h.latest_facility_id
      WHERE ${push.asOfMicros}::bigint <= i.latest AND NOT EXISTS (SELECT FROM overdue)
      ${replacedBy(assets)}
      RETURNING tenant_id
    ), asked AS (
      INSERT INTO work (tenant_id, traceparent, clock, topic, priority, subject_id, due_at, ready)
      SELECT ${push.tenantId}, ${push.trace}, 'real',
             CASE f.state WHEN 'APPROVED' THEN ${sql.lit(APPROVED.topic)}
                          ELSE ${sql.lit(PENDING.topic)} END,
             CASE f.state WHEN 'APPROVED' THEN ${sql.lit(APPROVED.rank)}
                          ELSE ${sql.lit(PENDING.rank)} END,
             h.latest_facility_id, ${push.realNow}::timestamptz, true
      FROM stored
      JOIN holder h USING (tenant_id)
      LEFT JOIN facilities f
        ON f.tenant_id = ${push.tenantId} AND f.facility_id = h.latest_facility_id
      WHERE h.latest_facility_id IS NOT NULL
        AND (f.state IS NULL OR f.state IN ('PENDING', 'APPROVED'))
      ${ASKED_AGAIN}
      RETURNING topic
    )
    SELECT EXISTS (SELECT FROM stored) AS applied,
           (SELECT facility_id FROM overdue) AS overdue_facility_id,
           asked.topic
    FROM (VALUES (1)) AS one LEFT JOIN asked ON true`,
  )

/** Stores a snapshot and requests its work in one statement, because pushes are most of the
 * traffic. Other positions than before are new to an approved facility; the custodian's answer about
 * those before is kept, and so is the least of each asset until it answers about these. It stores
 * nothing for an unknown borrower, too far in the future, or, unless `isEvaluated`, where a deadline
 * has passed. The lock shows the borrower's row as it is now; a facility committed while waiting for
 * it is not in the statement's snapshot, and counts as pending, which it is. */
export function createStoreSnapshot(constants: PushConstants) {
  const storeAtOnce = createStoreAtOnce(constants)
  return async (db: Db, row: PushedRow, terms: PushTerms): Promise<StoredPush> => {
    if (await isDistributed(db)) return await storeInSteps(db, row, { ...terms, ...constants })
    const { realNow, futureToleranceMs, isEvaluated } = terms
    const latestMs = realNow.getTime() + futureToleranceMs
    const [stored] = await execute(db, storeAtOnce({ ...row, realNow, latestMs, isEvaluated }))
    if (!stored) throw new Error('a push returned no row')
    return stored
  }
}

/** The same on a cluster: Citus sends the rows of a part that an insert reads to every node. */
async function storeInSteps(
  db: Db,
  row: PushedRow,
  terms: PushTerms & PushConstants,
): Promise<StoredPush> {
  const inSteps = async (tx: Db) => {
    const holder = await lockHolder(tx, row, terms)
    const isTooFar = holder === undefined || row.asOfMicros > holder.latest
    const overdue_facility_id = holder?.overdue_facility_id ?? null
    const nothing = { applied: false, overdue_facility_id, topic: null }
    if (isTooFar || overdue_facility_id !== null) return nothing
    if (!(await upsertSnapshot(tx, row, holder, terms.assets))) return nothing
    const topic = await askAfterPush(tx, row, holder, terms)
    return { applied: true, overdue_facility_id, topic }
  }
  return db.isTransaction ? await inSteps(db) : await inTransaction(db, inSteps)
}

type Holder = {
  now: Date
  latest: bigint
  facility_id: string | null
  state: string | null
  overdue_facility_id: string | null
}

async function lockHolder(
  tx: Db,
  { tenantId, borrowerId }: PushedRow,
  { realNow, futureToleranceMs, isEvaluated }: PushTerms,
): Promise<Holder | undefined> {
  const borrower = await tx
    .selectFrom('borrowers')
    .select('latest_facility_id')
    .where('tenant_id', '=', tenantId)
    .where('borrower_id', '=', borrowerId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!borrower) return undefined
  const facility_id = borrower.latest_facility_id
  const instant = await sql<{ now: Date; latest: bigint }>`
    SELECT ${realNow}::timestamptz + clock_offset_ms * interval '1 millisecond' AS now,
           (${realNow.getTime() + futureToleranceMs}::bigint + clock_offset_ms) * 1000 AS latest
    FROM tenants WHERE tenant_id = ${tenantId}`.execute(tx)
  const [terms] = instant.rows
  if (!terms) return undefined
  const holder = { ...terms, facility_id, state: null, overdue_facility_id: null }
  // A comparison with null would hide the tenant from Citus.
  if (facility_id === null) return holder
  const { rows } = await sql<Pick<Holder, 'state' | 'overdue_facility_id'>>`
    SELECT f.state, w.facility_id AS overdue_facility_id
    FROM facilities f
    LEFT JOIN margin_warnings w ON w.tenant_id = ${tenantId} AND w.facility_id = f.facility_id
      AND w.status = 'OPEN' AND coalesce(w.window_deadline, w.cure_deadline) < ${terms.now}
    WHERE f.tenant_id = ${tenantId} AND f.facility_id = ${facility_id}`.execute(tx)
  const found = { ...holder, ...rows[0] }
  // Not a condition of the join: Citus refuses a join that is never true.
  return isEvaluated ? { ...found, overdue_facility_id: null } : found
}

async function upsertSnapshot(
  tx: Db,
  row: PushedRow,
  { now, state }: Holder,
  assets: readonly string[],
): Promise<boolean> {
  const { rows } = await sql`
    INSERT INTO portfolios AS existing
      (tenant_id, borrower_id, as_of, digest, positions, received_at, changed_at, is_new)
    SELECT ${row.tenantId}, given.borrower_id, ${row.asOfMicros}::bigint, ${row.digest}::bytea,
      ${row.positions}::jsonb, ${now}::timestamptz, ${now}::timestamptz,
      ${state === 'APPROVED'}::boolean
    FROM unnest(${[row.borrowerId]}::text[]) AS given (borrower_id)
    ${replacedBy(assets)}
    RETURNING tenant_id`.execute(tx)
  return rows.length > 0
}

async function askAfterPush(
  tx: Db,
  { tenantId, trace }: PushedRow,
  { facility_id, state }: Holder,
  { realNow, topics }: PushTerms & PushConstants,
): Promise<string | null> {
  const expected = state ?? 'PENDING'
  if (facility_id === null || (expected !== 'PENDING' && expected !== 'APPROVED')) return null
  const { topic, rank } = topics[expected]
  await sql`
    INSERT INTO work (tenant_id, traceparent, clock, topic, priority, subject_id, due_at, ready)
    VALUES (${tenantId}, ${trace}, 'real', ${topic}, ${rank}, ${facility_id},
            ${realNow}::timestamptz, true)
    ${ASKED_AGAIN}`.execute(tx)
  return topic
}
