import { sql } from 'kysely'
import type { Db } from '../../../db/database.ts'
import { ofUnseenLength } from '../../../db/planned-once.ts'
import { builtOnce } from '../../../db/transactions/built-once.ts'
import { execute } from '../../../db/transactions/execute.ts'
import {
  ASKED_AGAIN,
  type PushConstants,
  type PushedRow,
  type PushTerms,
  replacedBy,
  type StoredPush,
} from './push-queries.ts'

type PushColumns = {
  tenantId: string
  borrowerIds: readonly string[]
  asOfMicros: readonly bigint[]
  digests: readonly Buffer[]
  positions: readonly Record<string, string>[]
  traces: readonly (string | null)[]
  realNow: Date
  latestMs: number
}

type StoredRow = StoredPush & { borrower_id: string }

const createStoreAllFree = ({ assets, topics: { PENDING, APPROVED } }: PushConstants) =>
  builtOnce(
    (_db, { tenantId, ...pushes }: PushColumns) => sql<StoredRow>`
    WITH instant AS (
      SELECT ${pushes.realNow}::timestamptz + clock_offset_ms * interval '1 millisecond' AS now,
             (${pushes.latestMs}::bigint + clock_offset_ms) * 1000 AS latest
      FROM tenants WHERE tenant_id = ${tenantId}
    ), given AS (
      SELECT * FROM unnest(
        ${ofUnseenLength(pushes.borrowerIds, 'text')}, ${pushes.asOfMicros}::bigint[],
        ${pushes.digests}::bytea[], ${pushes.positions}::jsonb[], ${pushes.traces}::text[]
      ) AS g (borrower_id, as_of, digest, positions, trace)
    ), holder AS MATERIALIZED (
      SELECT g.*, b.latest_facility_id FROM given g CROSS JOIN LATERAL (
        SELECT latest_facility_id FROM borrowers
        WHERE tenant_id = ${tenantId} AND borrower_id = g.borrower_id
        FOR NO KEY UPDATE SKIP LOCKED) b
    ), replaced AS MATERIALIZED (
      SELECT h.borrower_id FROM holder h CROSS JOIN LATERAL (
        SELECT FROM portfolios WHERE tenant_id = ${tenantId} AND borrower_id = h.borrower_id
        FOR NO KEY UPDATE SKIP LOCKED) p
    ), free AS MATERIALIZED (
      -- Not a join, which may be planned over all facilities of the tenant.
      SELECT h.*, (SELECT state FROM facilities
                   WHERE tenant_id = ${tenantId} AND facility_id = h.latest_facility_id) AS state
      FROM holder h
      WHERE EXISTS (SELECT FROM replaced r WHERE r.borrower_id = h.borrower_id)
        OR NOT EXISTS (
          SELECT FROM portfolios WHERE tenant_id = ${tenantId} AND borrower_id = h.borrower_id)
    ), overdue AS (
      SELECT h.borrower_id, w.facility_id FROM free h CROSS JOIN instant i CROSS JOIN LATERAL (
        SELECT facility_id FROM margin_warnings
        WHERE tenant_id = ${tenantId} AND facility_id = h.latest_facility_id
          AND status = 'OPEN' AND coalesce(window_deadline, cure_deadline) < i.now OFFSET 0) w
    ), stored AS (
      INSERT INTO portfolios AS existing
        (tenant_id, borrower_id, as_of, digest, positions, received_at, changed_at, is_new)
      SELECT ${tenantId}, h.borrower_id, h.as_of, h.digest, h.positions, i.now, i.now,
             coalesce(h.state = 'APPROVED', false)
      FROM free h CROSS JOIN instant i
      WHERE h.as_of <= i.latest
        AND NOT EXISTS (SELECT FROM overdue o WHERE o.borrower_id = h.borrower_id)
      ${replacedBy(assets)}
      RETURNING borrower_id
    ), asked AS (
      INSERT INTO work (tenant_id, traceparent, clock, topic, priority, subject_id, due_at, ready)
      SELECT ${tenantId}, h.trace, 'real',
             CASE h.state WHEN 'APPROVED' THEN ${sql.lit(APPROVED.topic)}
                          ELSE ${sql.lit(PENDING.topic)} END,
             CASE h.state WHEN 'APPROVED' THEN ${sql.lit(APPROVED.rank)}
                          ELSE ${sql.lit(PENDING.rank)} END,
             h.latest_facility_id, ${pushes.realNow}::timestamptz, true
      FROM stored JOIN free h USING (borrower_id)
      WHERE h.latest_facility_id IS NOT NULL
        AND (h.state IS NULL OR h.state IN ('PENDING', 'APPROVED'))
      -- As upsertWork.
      ORDER BY h.latest_facility_id
      ${ASKED_AGAIN}
      RETURNING subject_id, topic
    )
    SELECT h.borrower_id, stored.borrower_id IS NOT NULL AS applied,
           o.facility_id AS overdue_facility_id, asked.topic
    FROM free h
    LEFT JOIN stored USING (borrower_id)
    LEFT JOIN overdue o USING (borrower_id)
    LEFT JOIN asked ON asked.subject_id = h.latest_facility_id`,
  )

/** As createStoreSnapshot, for pushes of one tenant whose borrowers differ and whose deadlines were not
 * evaluated for them. It waits for no lock, because it holds those of several borrowers: what it
 * returns nothing for, by borrower, is to be stored by itself. */
export function createStoreMany(constants: PushConstants) {
  const storeAllFree = createStoreAllFree(constants)
  return async (
    db: Db,
    tenantId: string,
    pushes: readonly PushedRow[],
    { realNow, futureToleranceMs }: Omit<PushTerms, 'isEvaluated'>,
  ): Promise<ReadonlyMap<string, StoredPush>> => {
    const rows = await execute(
      db,
      storeAllFree({
        tenantId,
        borrowerIds: pushes.map(({ borrowerId }) => borrowerId),
        asOfMicros: pushes.map(({ asOfMicros }) => asOfMicros),
        digests: pushes.map(({ digest }) => digest),
        positions: pushes.map(({ positions }) => positions),
        traces: pushes.map(({ trace }) => trace),
        realNow,
        latestMs: realNow.getTime() + futureToleranceMs,
      }),
    )
    return new Map(rows.map((row) => [row.borrower_id, row]))
  }
}
