import { sql } from 'kysely'
import { PRICED_ASSETS } from '../../../core/money.ts'
import { arrayLiteral } from '../../../db/sql/as-text.ts'
import { anyOf, ofUnseenLength } from '../../../db/sql/planned-once.ts'
import { builtOnce } from '../../../db/transactions/built-once.ts'

type Borrowers = { tenantId: string; borrowerIds: readonly string[] }

/** `has_portfolio`: what is stored of the borrower is locked, or needs no lock of its own. */
export type LockedBorrower = { borrower_id: string; has_portfolio: boolean }

export const lockBorrowers = builtOnce(
  (_tx, { tenantId, borrowerIds }: Borrowers) => sql<LockedBorrower>`
    SELECT borrower_id, true AS has_portfolio FROM borrowers
    WHERE tenant_id = ${tenantId} AND borrower_id = ${anyOf(borrowerIds)}
    FOR NO KEY UPDATE`,
)

/** Those that no other transaction holds. */
export const lockAvailableBorrowers = builtOnce(
  (_tx, { tenantId, borrowerIds }: Borrowers) => sql<LockedBorrower>`
    WITH portfolio AS MATERIALIZED (
      SELECT borrower_id FROM portfolios
      WHERE tenant_id = ${tenantId} AND borrower_id = ${anyOf(borrowerIds)}
      FOR NO KEY UPDATE SKIP LOCKED
    )
    SELECT b.borrower_id,
      EXISTS (SELECT FROM portfolio p WHERE p.borrower_id = b.borrower_id) AS has_portfolio
    FROM borrowers b WHERE b.tenant_id = ${tenantId} AND b.borrower_id = ${anyOf(borrowerIds)}
    FOR NO KEY UPDATE OF b SKIP LOCKED`,
)

export type Holder = {
  borrower_id: string
  clock_offset_ms: bigint
  facility_id: string | null
  state: string | null
  /** Of the snapshot that is stored. */
  as_of: bigint | null
  /** Of the open warning. */
  deadline: Date | null
}

/** A statement of its own, so that it sees what was committed while a lock was waited for. */
export const selectHolders = builtOnce(
  // Subqueries, because a join may be planned over all facilities of the tenant.
  (_tx, { tenantId, borrowerIds }: Borrowers) => sql<Holder>`
    SELECT b.borrower_id, t.clock_offset_ms, b.latest_facility_id AS facility_id,
      (SELECT f.state FROM facilities f
       WHERE f.tenant_id = ${tenantId} AND f.facility_id = b.latest_facility_id) AS state,
      (SELECT p.as_of FROM portfolios p
       WHERE p.tenant_id = ${tenantId} AND p.borrower_id = b.borrower_id) AS as_of,
      (SELECT min(coalesce(w.window_deadline, w.cure_deadline)) FROM margin_warnings w
       WHERE w.tenant_id = ${tenantId} AND w.facility_id = b.latest_facility_id
         AND w.status = 'OPEN') AS deadline
    FROM borrowers b JOIN tenants t ON t.tenant_id = b.tenant_id
    WHERE b.tenant_id = ${tenantId} AND b.borrower_id = ${anyOf(borrowerIds)}`,
)

export type SnapshotColumns = Borrowers & {
  asOfMicros: readonly bigint[]
  digests: readonly Buffer[]
  positions: readonly Record<string, string>[]
  /** Domain time. */
  receivedAt: readonly Date[]
  /** New to an approved facility, unless the content is what was stored before. */
  isNew: readonly boolean[]
}

/** Units of others count for nothing. */
const COUNTED = arrayLiteral(PRICED_ASSETS)

/** Each asset's smaller number of both, keyed as the new push. Citus takes only a literal there. */
const LEAST = sql`(
          SELECT coalesce(jsonb_object_agg(asset, CASE
            WHEN asset = ANY (${sql.lit(COUNTED)}::text[])
              THEN least(units::numeric,
                coalesce((coalesce(existing.least, existing.positions) ->> asset)::numeric, 0))::text
            ELSE units END), '{}')
          FROM jsonb_each_text(excluded.positions) AS pushed (asset, units))`

/** From the tenant, so that a distributed database has it run where the tenant is. Other positions than
 * before are new to an approved facility; the custodian's answer about those before is kept, and so is the
 * least of each asset until it answers about these. */
export const upsertSnapshots = builtOnce(
  (_tx, { tenantId, borrowerIds, ...of }: SnapshotColumns) => sql<never>`
    INSERT INTO portfolios AS existing
      (tenant_id, borrower_id, as_of, digest, positions, received_at, changed_at, is_new)
    SELECT t.tenant_id, g.borrower_id, g.as_of, g.digest, g.positions, g.received_at, g.received_at,
           g.is_new
    FROM tenants t CROSS JOIN unnest(
      ${ofUnseenLength(borrowerIds, 'text')}, ${of.asOfMicros}::bigint[], ${of.digests}::bytea[],
      ${of.positions}::jsonb[], ${of.receivedAt}::timestamptz[], ${of.isNew}::boolean[]
    ) AS g (borrower_id, as_of, digest, positions, received_at, is_new)
    WHERE t.tenant_id = ${tenantId}
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
                   WHEN excluded.is_new THEN nullif(${LEAST}, excluded.positions) END
    WHERE existing.as_of < excluded.as_of`,
)
