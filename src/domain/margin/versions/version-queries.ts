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
