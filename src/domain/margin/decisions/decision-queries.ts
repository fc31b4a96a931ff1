import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Db, Tx } from '../../../db/database.ts'
import type { Tables } from '../../../db/schema/tables.ts'

export type NewDecision = {
  facilityId: string
  warningNumber: number
  kind: Tables['margin_decisions']['kind']
  facts: unknown
}

/** At least one, all by one policy. */
export function insertDecisions(
  tx: Tx,
  tenantId: string,
  { sharedFacts, decidedAt }: { sharedFacts: unknown; decidedAt: Date },
  decisions: readonly NewDecision[],
): void {
  const evaluationId = randomUUID()
  const shared = sql`${JSON.stringify(sharedFacts)}::jsonb`
  tx.send(sql`
    WITH evaluation AS (
      INSERT INTO margin_evaluations (tenant_id, evaluation_id, facts)
      VALUES (${tenantId}, ${evaluationId}, ${shared})
    ), decision AS (
      INSERT INTO margin_decisions AS made (tenant_id, evaluation_id, decided_at, facility_id,
                                            warning_number, number, kind, facts)
      SELECT ${tenantId}, ${evaluationId}, ${decidedAt}, d.facility_id, d.warning_number,
        1 + (SELECT coalesce(max(m.number), 0) FROM margin_decisions m WHERE m.tenant_id = ${tenantId}
             AND m.facility_id = d.facility_id AND m.warning_number = d.warning_number),
        d.kind, d.facts::jsonb
      FROM unnest(${decisions.map((d) => d.facilityId)}::text[],
                  ${decisions.map((d) => d.warningNumber)}::int[],
                  ${decisions.map((d) => d.kind)}::text[],
                  ${decisions.map((d) => JSON.stringify(d.facts))}::text[])
        AS d (facility_id, warning_number, kind, facts)
      RETURNING made.facility_id, record_of(made, facts_hash(${shared})) AS record
    )
    INSERT INTO unbound_records (tenant_id, facility_id, record)
    SELECT ${tenantId}, facility_id, record FROM decision`)
}

export async function selectRaises(
  db: Db,
  tenantId: string,
  warnings: readonly { facilityId: string; number: number }[],
) {
  const { rows } = await sql<{ facility_id: string; facts: unknown }>`
    SELECT d.facility_id, coalesce(j.facts, '{}') || d.facts AS facts
    FROM unnest(${warnings.map(({ facilityId }) => facilityId)}::text[],
                ${warnings.map(({ number }) => number)}::int[]) AS w (facility_id, number)
    JOIN margin_decisions d ON d.tenant_id = ${tenantId} AND d.facility_id = w.facility_id
      AND d.warning_number = w.number AND d.number = 1
    LEFT JOIN margin_evaluations j ON j.tenant_id = d.tenant_id
      AND j.evaluation_id = d.evaluation_id AND j.month = d.month`.execute(db)
  return rows
}

export async function selectDecisions(
  db: Db,
  tenantId: string,
  facilityId: string,
  warnings: readonly number[],
) {
  return await db
    .selectFrom('margin_decisions as d')
    .leftJoin('margin_evaluations as j', (join) =>
      join
        .onRef('j.tenant_id', '=', 'd.tenant_id')
        .onRef('j.evaluation_id', '=', 'd.evaluation_id')
        .onRef('j.month', '=', 'd.month'),
    )
    .select(['d.warning_number', 'd.number', 'd.kind', 'd.decided_at'])
    .select(sql<unknown>`coalesce(j.facts, '{}') || d.facts`.as('facts'))
    .where('d.tenant_id', '=', tenantId)
    .where('d.facility_id', '=', facilityId)
    .where('d.warning_number', 'in', warnings)
    .orderBy('d.warning_number')
    .orderBy('d.number')
    .execute()
}
