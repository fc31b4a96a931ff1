import { sql } from 'kysely'
import type { Db, Tx } from '../../../db/database.ts'
import { anyOf } from '../../../db/sql/planned-once.ts'
import type { ChangedQuestion } from './question.ts'

const SAME = sql`p.digest = new.digest`

const IS_ABOUT = sql`(${SAME} AND coalesce(new.answered_at >= coalesce(p.changed_at, '-infinity'), false))`

/** An answer includes every sale so far, also one of the same millisecond. */
const ANSWERED_AT = sql`greatest(new.answered_at, sold.until)`

const IS_NEWEST = sql`(new.answered_at IS NOT NULL
          AND ${ANSWERED_AT} >= coalesce(p.confirmed_at, '-infinity'))`

/** In UTC, so that it does not depend on the session: sharded tables take no other in a CASE. */
const JUST_BEFORE_CHANGE = sql`(p.changed_at AT TIME ZONE 'UTC' - interval '1 microsecond')
            AT TIME ZONE 'UTC'`

/** Questions about a push that has been replaced by other positions are left alone. An answer is
 * kept in any case, as the custodian's last one; it ends the question if it is about the push.
 * Returns the borrowers without an open question, by their rows as they are now. */
export async function updateQuestions(
  tx: Tx,
  tenantId: string,
  questions: readonly Omit<ChangedQuestion, 'work'>[],
): Promise<Set<string>> {
  if (questions.length === 0) return new Set()
  const column = <T>(pick: (question: (typeof questions)[number]) => T) => questions.map(pick)
  const { rows } = await sql<{ borrower_id: string; is_ended: boolean }>`
    UPDATE portfolios p
    SET is_new = p.is_new AND NOT
          CASE WHEN new.answered_at IS NULL THEN ${SAME} ELSE ${IS_ABOUT} END,
        asked_since = CASE WHEN ${IS_ABOUT} THEN NULL
                           WHEN new.answered_at IS NOT NULL
                             THEN coalesce(p.asked_since, new.asked_since)
                           WHEN ${SAME} THEN new.asked_since
                           ELSE p.asked_since END,
        checking_since = CASE WHEN ${IS_ABOUT} THEN NULL
                              WHEN new.answered_at IS NULL AND ${SAME} THEN new.checking_since
                              ELSE p.checking_since END,
        least = CASE WHEN NOT ${IS_ABOUT} THEN p.least END,
        confirmed = CASE WHEN ${IS_NEWEST} THEN new.positions::jsonb ELSE p.confirmed END,
        confirmed_at = CASE WHEN NOT ${IS_NEWEST} THEN p.confirmed_at
                            WHEN ${IS_ABOUT} THEN ${ANSWERED_AT}
                            ELSE least(${ANSWERED_AT}, ${JUST_BEFORE_CHANGE}) END
    FROM unnest(
      ${column((q) => q.borrowerId)}::text[], ${column((q) => q.digest)}::bytea[],
      ${column((q) => q.askedSince ?? null)}::timestamptz[],
      ${column((q) => q.checkingSince ?? null)}::timestamptz[],
      ${column((q) => (q.answer ? unitsText(q.answer.positions) : null))}::text[],
      ${column((q) => q.answer?.askedAt ?? null)}::timestamptz[])
      AS new (borrower_id, digest, asked_since, checking_since, positions, answered_at)
    CROSS JOIN LATERAL (
      SELECT max(s.executed_at) + interval '1 microsecond' AS until
      FROM facilities f
      CROSS JOIN LATERAL (
        SELECT executed_at FROM margin_sales
        WHERE tenant_id = ${tenantId} AND facility_id = f.facility_id AND status = 'FILLED' OFFSET 0
      ) s
      WHERE f.tenant_id = ${tenantId} AND f.borrower_id = new.borrower_id
        AND new.answered_at IS NOT NULL
    ) sold
    WHERE p.tenant_id = ${tenantId} AND p.borrower_id = new.borrower_id
    RETURNING p.borrower_id, p.asked_since IS NULL AND p.checking_since IS NULL AS is_ended
  `.execute(tx)
  return new Set(rows.flatMap((row) => (row.is_ended ? [row.borrower_id] : [])))
}

function unitsText(positions: readonly { asset: string; units: bigint }[]): string {
  return JSON.stringify(Object.fromEntries(positions.map((p) => [p.asset, String(p.units)])))
}

export async function selectQuestions(db: Db, tenantId: string, borrowerIds: readonly string[]) {
  return await db
    .selectFrom('portfolios')
    .select(['borrower_id', 'digest', 'changed_at', 'positions', 'confirmed'])
    .select(['asked_since', sql<Date>`least(asked_since, checking_since)`.as('open_since')])
    .where('tenant_id', '=', tenantId)
    .where('borrower_id', '=', anyOf(borrowerIds))
    .where((where) =>
      where.or([where('asked_since', 'is not', null), where('checking_since', 'is not', null)]),
    )
    .execute()
}
