import { sql } from 'kysely'
import { currentTrace, type Db } from '../../../db/database.ts'

export type PushedRow = {
  tenantId: string
  borrowerId: string
  asOfMicros: bigint
  digest: Buffer
  positions: Record<string, string>
}

export type StoredPush = {
  applied: boolean
  /** Its deadline has passed unevaluated: nothing was stored. */
  overdue_facility_id: string | null
  topic: string | null
}

/** Of each of `assets` the smaller of both, keyed as the new push. */
const leastOf = (assets: readonly string[]) => sql`(
          SELECT coalesce(jsonb_object_agg(asset, CASE
            WHEN asset = ANY (${[...assets]}::text[]) THEN least(units::numeric,
              coalesce((coalesce(existing.least, existing.positions) ->> asset)::numeric, 0))::text
            ELSE units END), '{}')
          FROM jsonb_each_text(excluded.positions) AS pushed (asset, units))`

/** Stores a snapshot and requests its work in one statement, because pushes are most of the
 * traffic. Other positions than before are new to an approved facility; the custodian's answer about
 * those before is kept, and so is the least of each asset until it answers about these. It stores
 * nothing for an unknown borrower, too far in the future, or, unless `isEvaluated`, where a deadline
 * has passed. The lock shows the borrower's row as it is now; a facility committed while waiting for
 * it is not in the statement's snapshot, and counts as pending, which it is. */
export async function storeSnapshot(
  db: Db,
  row: PushedRow,
  terms: {
    realNow: Date
    futureToleranceMs: number
    isEvaluated: boolean
    assets: readonly string[]
    topics: Record<'PENDING' | 'APPROVED', { topic: string; rank: number }>
  },
): Promise<StoredPush> {
  const { realNow, topics } = terms
  const { rows } = await sql<StoredPush>`
    WITH instant AS (
      SELECT ${realNow}::timestamptz + clock_offset_ms * interval '1 millisecond' AS now,
             (${realNow.getTime() + terms.futureToleranceMs}::bigint + clock_offset_ms) * 1000 AS latest
      FROM tenants WHERE tenant_id = ${row.tenantId}
    ), holder AS MATERIALIZED (
      SELECT tenant_id, borrower_id, latest_facility_id FROM borrowers
      WHERE tenant_id = ${row.tenantId} AND borrower_id = ${row.borrowerId}
      FOR NO KEY UPDATE
    ), overdue AS (
      SELECT w.facility_id
      FROM holder h
      JOIN margin_warnings w ON w.tenant_id = ${row.tenantId} AND w.facility_id = h.latest_facility_id
      CROSS JOIN instant i
      WHERE w.status = 'OPEN' AND coalesce(w.window_deadline, w.cure_deadline) < i.now AND NOT ${terms.isEvaluated}::boolean
    ), stored AS (
      INSERT INTO portfolios AS existing
        (tenant_id, borrower_id, as_of, digest, positions, received_at, changed_at, is_new)
      SELECT ${row.tenantId}, h.borrower_id, ${row.asOfMicros}::bigint, ${row.digest}::bytea,
             ${row.positions}::jsonb, i.now, i.now, coalesce(f.state = 'APPROVED', false)
      FROM holder h CROSS JOIN instant i
      LEFT JOIN facilities f
        ON f.tenant_id = ${row.tenantId} AND f.facility_id = h.latest_facility_id
      WHERE ${row.asOfMicros}::bigint <= i.latest AND NOT EXISTS (SELECT FROM overdue)
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
                     WHEN excluded.is_new THEN nullif(${leastOf(terms.assets)}, excluded.positions) END
      WHERE existing.as_of < excluded.as_of
      RETURNING tenant_id
    ), asked AS (
      INSERT INTO work (tenant_id, traceparent, clock, topic, priority, subject_id, due_at, ready)
      SELECT ${row.tenantId}, ${currentTrace(db)}, 'real',
             CASE f.state WHEN 'APPROVED' THEN ${topics.APPROVED.topic} ELSE ${topics.PENDING.topic} END,
             CASE f.state WHEN 'APPROVED' THEN ${topics.APPROVED.rank}::int
                          ELSE ${topics.PENDING.rank}::int END,
             h.latest_facility_id, ${realNow}::timestamptz, true
      FROM stored
      JOIN holder h USING (tenant_id)
      LEFT JOIN facilities f
        ON f.tenant_id = ${row.tenantId} AND f.facility_id = h.latest_facility_id
      WHERE h.latest_facility_id IS NOT NULL
        AND (f.state IS NULL OR f.state IN ('PENDING', 'APPROVED'))
      ON CONFLICT (tenant_id, topic, subject_id) DO UPDATE
      SET generation = work.generation + 1, due_at = least(work.due_at, excluded.due_at),
          ready = work.ready OR work.lease IS NULL, traceparent = excluded.traceparent
      RETURNING topic
    )
    SELECT EXISTS (SELECT FROM stored) AS applied,
           (SELECT facility_id FROM overdue) AS overdue_facility_id,
           asked.topic
    FROM (VALUES (1)) AS one LEFT JOIN asked ON true`.execute(db)
  const [stored] = rows
  if (!stored) throw new Error('a push returned no row')
  return stored
}
