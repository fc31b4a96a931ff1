import { sql } from 'kysely'
import type { Db, Tx } from '../../../db/database.ts'

/** Changes of the policy come one after another. */
export async function lockVersions(tx: Tx): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended('margin_policy', 0))`.execute(tx)
}

/** In order; with their withdrawal. */
export async function selectVersions(db: Db) {
  return await db
    .selectFrom('margin_policy_versions as v')
    .leftJoin('margin_policy_withdrawals as w', 'w.number', 'v.number')
    .selectAll('v')
    .select([
      'w.withdrawn_at',
      'w.note as withdrawal_note',
      'w.proposed_by as withdrawal_proposed_by',
      'w.signed_by as withdrawal_signed_by',
    ])
    .orderBy('v.number')
    .execute()
}

export type NewVersion = {
  number: number
  terms: object
  effectiveFrom: Date
  note: string
  proposedBy: string
  signedBy: string
  createdAt: Date
}

export async function insertVersion(tx: Tx, version: NewVersion): Promise<void> {
  await tx
    .insertInto('margin_policy_versions')
    .values({
      number: version.number,
      terms: JSON.stringify(version.terms) as unknown as Record<string, unknown>,
      effective_from: version.effectiveFrom,
      note: version.note,
      proposed_by: version.proposedBy,
      signed_by: version.signedBy,
      created_at: version.createdAt,
    })
    .execute()
}

export async function insertWithdrawal(
  tx: Tx,
  withdrawal: Pick<NewVersion, 'number' | 'note' | 'proposedBy' | 'signedBy'> & { at: Date },
): Promise<void> {
  await tx
    .insertInto('margin_policy_withdrawals')
    .values({
      number: withdrawal.number,
      note: withdrawal.note,
      proposed_by: withdrawal.proposedBy,
      signed_by: withdrawal.signedBy,
      withdrawn_at: withdrawal.at,
    })
    .execute()
}

/** The service's own terms, as the first build that started has stored them. */
export async function insertOwnTerms(
  db: Db,
  { terms, name, now }: { terms: object; name: string; now: Date },
): Promise<void> {
  await sql`
    INSERT INTO margin_policy_versions
      (number, terms, effective_from, note, proposed_by, signed_by, created_at)
    VALUES (0, ${JSON.stringify(terms)}::jsonb, ${now}::timestamptz + interval '1 microsecond',
      ${name}, 'service', 'service', ${now})
    ON CONFLICT (number) DO NOTHING`.execute(db)
}

/** To which facilities that lend are bound; those without one count as bound to `inForce`. */
export async function selectBoundVersions(db: Db, inForce: number): Promise<number[]> {
  // @across tenants: versions are of the service.
  // @plan reads facilities: all that lend.
  const { rows } = await sql<{ version: number }>`
    SELECT DISTINCT coalesce(terms_version, ${inForce}::integer) AS version FROM facilities
    WHERE state = 'APPROVED' ORDER BY 1`.execute(db)
  return rows.map(({ version }) => version)
}

/** To which amendments that wait will bind facilities. */
export async function selectNextVersions(db: Db): Promise<number[]> {
  // @across tenants: versions are of the service.
  // @plan reads facilities: all that lend.
  const { rows } = await sql<{ version: number }>`
    SELECT DISTINCT next_terms_version AS version FROM facilities
    WHERE state = 'APPROVED' AND next_terms_version IS NOT NULL ORDER BY 1`.execute(db)
  return rows.map(({ version }) => version)
}

/** Tenants of facilities that an older build has approved since the upgrade. */
export async function selectTenantsUnbound(db: Db): Promise<string[]> {
  // @across tenants: versions are of the service.
  // @plan reads facilities: once, when a process starts.
  const { rows } = await sql<{ tenant_id: string }>`
    SELECT DISTINCT tenant_id FROM facilities
    WHERE state = 'APPROVED' AND terms_version IS NULL`.execute(db)
  return rows.map(({ tenant_id: tenantId }) => tenantId)
}

/** Those of one tenant that were approved in a span of its time. */
export async function bindApproved(
  db: Db,
  { tenantId, version, from, to }: Binding,
): Promise<void> {
  // @plan reads facilities: those of the tenant, once, when a process starts.
  await sql`
    UPDATE facilities SET terms_version = ${version}
    WHERE tenant_id = ${tenantId} AND state = 'APPROVED' AND terms_version IS NULL
      AND decisioned_at >= coalesce(${from ?? null}::timestamptz, '-infinity')
      AND decisioned_at < coalesce(${to ?? null}::timestamptz, 'infinity')`.execute(db)
}

type Binding = { tenantId: string; version: number; from: Date | undefined; to: Date | undefined }

/** Facilities that lend, by the version to which they are bound or will be. */
export async function countByVersion(
  db: Db,
): Promise<{ version: number; bound: number; next: number }[]> {
  // @across tenants: versions are of the service.
  // @plan reads facilities: all that lend.
  const { rows } = await sql<{ version: number; bound: number; next: number }>`
    SELECT v.version, count(*) FILTER (WHERE NOT v.is_next)::int AS bound,
      count(*) FILTER (WHERE v.is_next)::int AS next
    FROM facilities f
    CROSS JOIN LATERAL (VALUES (f.terms_version, false), (f.next_terms_version, true))
      AS v (version, is_next)
    WHERE f.state = 'APPROVED' AND v.version IS NOT NULL
    GROUP BY v.version ORDER BY v.version`.execute(db)
  return rows
}
