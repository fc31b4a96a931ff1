import { sql } from 'kysely'
import type { Db, Tx } from '../../../db/database.ts'
import type { ChangedQuestion } from './question.ts'

/** Those about a push that has been replaced by other positions are left alone. An answer includes
 * every sale so far, also one of the same millisecond. */
export async function updateQuestions(
  tx: Tx,
  tenantId: string,
  questions: readonly Omit<ChangedQuestion, 'isToAsk'>[],
): Promise<void> {
  if (questions.length === 0) return
  const column = <T>(pick: (question: (typeof questions)[number]) => T) => questions.map(pick)
  await sql`
    UPDATE portfolios p
    SET is_new = false, asked_since = new.asked_since,
        confirmed = CASE WHEN new.answered_at IS NULL THEN p.confirmed ELSE new.positions::jsonb END,
        confirmed_at = CASE WHEN new.answered_at IS NULL THEN p.confirmed_at
                            ELSE greatest(new.answered_at, sold.until) END
    FROM unnest(
      ${column((q) => q.borrowerId)}::text[], ${column((q) => q.digest)}::bytea[],
      ${column((q) => q.askedSince ?? null)}::timestamptz[],
      ${column((q) => (q.answer ? unitsText(q.answer.positions) : null))}::text[],
      ${column((q) => q.answer?.askedAt ?? null)}::timestamptz[])
      AS new (borrower_id, digest, asked_since, positions, answered_at)
    CROSS JOIN LATERAL (
      SELECT max(s.executed_at) + interval '1 microsecond' AS until
      FROM facilities f
      CROSS JOIN LATERAL (
        SELECT executed_at FROM margin_sales
        WHERE tenant_id = f.tenant_id AND facility_id = f.facility_id AND status = 'FILLED' OFFSET 0
      ) s
      WHERE f.tenant_id = ${tenantId} AND f.borrower_id = new.borrower_id
        AND new.answered_at IS NOT NULL
    ) sold
    WHERE p.tenant_id = ${tenantId} AND p.borrower_id = new.borrower_id AND p.digest = new.digest
  `.execute(tx)
}

function unitsText(positions: readonly { asset: string; units: bigint }[]): string {
  return JSON.stringify(Object.fromEntries(positions.map((p) => [p.asset, String(p.units)])))
}

/** Pushes that the custodian is asked about. */
export async function selectQuestions(db: Db, tenantId: string, borrowerIds: readonly string[]) {
  return await db
    .selectFrom('portfolios')
    .select(['borrower_id', 'digest', 'received_at'])
    .where('tenant_id', '=', tenantId)
    .where('borrower_id', '=', sql<string>`ANY (${[...borrowerIds]}::text[])`)
    .where('asked_since', 'is not', null)
    .execute()
}
