import { sql } from 'kysely'
import { INTEREST_PER_CENT } from '../../core/interest.ts'
import type { Tx } from '../../db/database.ts'
import { ofTenant } from '../../db/sql/of-tenant.ts'
import type { TenantScope } from '../../db/tenant-scope.ts'
import type { Terms } from './check.ts'
import { sqlCheck, sqlCheckOfParts } from './sql-check-queries.ts'
import { type Keys, pageOf } from './subject-queries.ts'
import { DECISIONS, FACILITIES, UNDER_WAY } from './subjects/facility-subjects.ts'

function recordedDebtCents() {
  const of = (name: string) => sql`(facts #>> ${sql.lit(`{ladder,debt,${name},$int}`)})::numeric`
  const ms = sql`1000 * extract(epoch FROM (facts #>> '{ladder,now,$time}')::timestamptz
    - (facts #>> '{ladder,debt,accruedAt,$time}')::timestamptz)`
  const perCent = sql`${sql.lit(String(INTEREST_PER_CENT))}::numeric`
  return sql`(${of('principalCents')} + greatest(0, div(${of('interestNumerator')}
    + ${of('principalCents')} * ${of('ratePpm')} * greatest(0, ${ms}) + ${perCent} - 1, ${perCent})
    - ${of('interestPaidCents')}))`
}

const escalationsWithoutCall = ({ topics }: Terms) => sql`
  SELECT p.tenant_id, p.facility_id || '/' || p.number AS subject, format(
    'is %s and its call %s', coalesce(p.warning, 'not escalated'),
    coalesce(p.call || ', which has no work', 'is missing')) AS detail
  FROM (
    SELECT tenant_id, facility_id, number, w.status AS warning, c.status AS call
    FROM (SELECT * FROM margin_warnings WHERE status = 'ESCALATED') w
    FULL JOIN (SELECT tenant_id, facility_id, margin_warning_number AS number, status
               FROM margin_calls) c USING (tenant_id, facility_id, number)
  ) p
  WHERE p.warning IS NULL OR p.call IS NULL
     OR (p.call <> 'COMPLETED' AND NOT EXISTS (SELECT FROM work o
          WHERE o.tenant_id = p.tenant_id AND o.topic = ${topics.call}
            AND o.subject_id = p.facility_id))`

/** A build without receipts has kept neither the raise of a warning nor the plan of an order. */
const receiptsOfSales = () => sql`
  SELECT c.tenant_id, c.facility_id || '/' || c.number AS subject, CASE
    WHEN r.call_number IS NULL THEN 'is completed without a receipt'
    ELSE 'has a receipt with another hash' END AS detail
  FROM margin_calls c LEFT JOIN margin_receipts r ON r.tenant_id = c.tenant_id
    AND r.facility_id = c.facility_id AND r.call_number = c.number
  WHERE c.status = 'COMPLETED' AND CASE
    WHEN r.call_number IS NULL THEN EXISTS (SELECT FROM margin_raises a
        WHERE a.tenant_id = c.tenant_id AND a.facility_id = c.facility_id
          AND a.warning_number = c.margin_warning_number)
      AND NOT EXISTS (SELECT FROM margin_sales s WHERE s.tenant_id = c.tenant_id
        AND s.facility_id = c.facility_id AND s.call_number = c.number AND s.plan IS NULL)
    ELSE r.sha256 <> sha256(convert_to(r.body, 'UTF8')) END`

export const MARGIN_CHECKS = [
  sqlCheck('I8', 'receipts-of-sales', FACILITIES, receiptsOfSales),
  // @plan reads everything: a page is read whole, and nothing of it is returned where all is well.
  sqlCheck(
    'I8',
    'one-at-a-time',
    FACILITIES,
    () => sql`
      SELECT tenant_id, facility_id AS subject,
        'has ' || count(*) || ' open warnings and live calls' AS detail
      FROM (
        SELECT tenant_id, facility_id FROM margin_warnings WHERE status = 'OPEN'
        UNION ALL SELECT tenant_id, facility_id FROM margin_calls WHERE status <> 'COMPLETED'
      ) at_work GROUP BY tenant_id, facility_id HAVING count(*) > 1`,
  ),
  sqlCheck(
    'I8',
    'numbered-from-one',
    FACILITIES,
    () => sql`
      SELECT tenant_id, subject, format('has %s %s, numbered %s to %s', count(*), kind,
        min(number), max(number)) AS detail
      FROM (
        SELECT tenant_id, facility_id AS subject, 'warnings' AS kind, number FROM margin_warnings
        UNION ALL SELECT tenant_id, facility_id, 'calls', number FROM margin_calls
        UNION ALL SELECT tenant_id, facility_id || '/' || warning_number, 'decisions', number
        FROM margin_decisions
        UNION ALL SELECT tenant_id, facility_id || ' call ' || call_number, 'sales', number
        FROM margin_sales
      ) counted
      GROUP BY tenant_id, subject, kind
      HAVING count(DISTINCT number) <> count(*) OR min(number) <> 1 OR max(number) <> count(*)`,
  ),
  sqlCheck(
    'I8',
    'ends-on-record',
    FACILITIES,
    () => sql`
      SELECT w.tenant_id, w.facility_id || '/' || w.number AS subject, format(
        'is %s after %s', w.status, coalesce(string_agg(d.kind, ', ' ORDER BY d.number), 'nothing')
      ) AS detail
      FROM margin_warnings w LEFT JOIN margin_decisions d ON d.tenant_id = w.tenant_id
        AND d.facility_id = w.facility_id AND d.warning_number = w.number
      GROUP BY w.tenant_id, w.facility_id, w.number, w.status
      HAVING array_to_string(array_agg(d.kind ORDER BY d.number), ' ')
        !~ CASE w.status WHEN 'OPEN' THEN '^raise( worsen)*$'
             WHEN 'CURED' THEN '^raise( worsen)* cure$' ELSE '^raise( worsen)* escalate$' END`,
  ),
  sqlCheck(
    'I8',
    'only-stricter',
    FACILITIES,
    () => sql`
      WITH step AS (
        SELECT tenant_id, facility_id, warning_number, number,
          (facts #>> '{decision,tier}')::int AS tier,
          (facts #>> '{decision,cureDeadline,$time}')::timestamptz AS deadline,
          (facts #>> '{ladder,warning,cureDeadline,$time}')::timestamptz AS deadline_before,
          lag((facts #>> '{decision,tier}')::int) OVER one AS tier_before,
          row_number() OVER (PARTITION BY tenant_id, facility_id, warning_number
            ORDER BY number DESC) AS from_last
        FROM margin_decisions WHERE kind IN ('raise', 'worsen')
        WINDOW one AS (PARTITION BY tenant_id, facility_id, warning_number ORDER BY number)
      )
      SELECT s.tenant_id, s.facility_id || '/' || s.warning_number AS subject, format(
        'step %s: tier %s after %s, deadline %s after %s; stands at tier %s until %s', s.number,
        s.tier, s.tier_before, s.deadline, s.deadline_before, w.tier, w.cure_deadline) AS detail
      FROM step s JOIN margin_warnings w ON w.tenant_id = s.tenant_id
        AND w.facility_id = s.facility_id AND w.number = s.warning_number
      WHERE s.tier <= s.tier_before OR s.deadline > s.deadline_before
         OR (s.from_last = 1 AND (w.tier <> s.tier OR w.cure_deadline
               > s.deadline + w.extended_seconds * interval '1 second'))`,
  ),
  sqlCheck(
    'I8',
    'no-sale-while-clear',
    FACILITIES,
    () => sql`
      WITH escalated AS (
        SELECT d.tenant_id, d.facility_id || '/' || d.warning_number AS subject,
          coalesce(j.facts, '{}') || d.facts AS facts
        FROM margin_decisions d LEFT JOIN margin_evaluations j ON j.tenant_id = d.tenant_id
          AND j.evaluation_id = d.evaluation_id AND j.month = d.month
        WHERE d.kind = 'escalate'
      ), evaluated AS (
        SELECT tenant_id, subject, facts #>> '{decision,reason}' AS reason,
          ${recordedDebtCents()} AS debt,
          (facts #>> '{ladder,values,latestCents,$int}')::numeric AS latest,
          (facts #>> '{ladder,values,highCents,$int}')::numeric AS high,
          (facts #>> '{policy,cureLtvPpm,$int}')::numeric AS cure_ppm,
          (facts #>> '{policy,criticalLtvPpm,$int}')::numeric AS critical_ppm,
          (facts #>> '{ladder,now,$time}')::timestamptz AS now,
          coalesce(facts #>> '{ladder,warning,windowDeadline,$time}',
            facts #>> '{ladder,warning,cureDeadline,$time}')::timestamptz AS deadline
        FROM escalated
      )
      SELECT tenant_id, subject, format('was escalated as %s: owed %s over %s, at most %s, until %s at %s',
        reason, debt, latest, high, deadline, now) AS detail
      FROM evaluated
      WHERE latest * cure_ppm >= debt * 1000000
         OR (reason = 'deadline' AND now <= deadline)
         OR (reason = 'critical' AND debt * 1000000 <= high * critical_ppm)`,
  ),
  sqlCheck(
    'I8',
    'held-while-holds-lie',
    FACILITIES,
    () => sql`
      SELECT f.tenant_id, f.facility_id AS subject, format('has %s holds that lie and is %s',
        p.lying, coalesce('held since ' || f.held_since, 'not held')) AS detail
      FROM facilities f CROSS JOIN LATERAL (
        SELECT count(*) AS lying FROM facility_pauses p WHERE p.tenant_id = f.tenant_id
          AND p.facility_id = f.facility_id AND p.kind = 'hold' AND p.ended_at IS NULL) p
      WHERE (f.held_since IS NOT NULL) <> (p.lying > 0)`,
  ),
  sqlCheckOfParts('I8', 'escalations-have-their-call', [
    [FACILITIES, escalationsWithoutCall],
    [UNDER_WAY, escalationsWithoutCall],
  ]),
  sqlCheck(
    'I8',
    'sales-of-begun-calls',
    FACILITIES,
    () => sql`
      SELECT s.tenant_id, s.facility_id || ' call ' || s.call_number AS subject,
        'has sold ' || s.asset || ' as ' || coalesce(c.status, 'no call') AS detail
      FROM margin_sales s LEFT JOIN margin_calls c ON c.tenant_id = s.tenant_id
        AND c.facility_id = s.facility_id AND c.number = s.call_number
      WHERE c.started_at IS NULL OR (c.status = 'COMPLETED' AND s.status = 'ORDERED')`,
  ),
]

type Decision = {
  tenant_id: string
  facility_id: string
  warning_number: number
  number: number
  kind: string
  facts: unknown
}

export async function selectDecisions(
  tx: Tx,
  keys: Keys,
  tenantId: TenantScope,
): Promise<Decision[]> {
  const statement = sql`
    WITH ${pageOf(DECISIONS, keys)}
    SELECT d.tenant_id, d.facility_id, d.warning_number, d.number, d.kind,
      coalesce(j.facts, '{}') || d.facts AS facts
    FROM margin_decisions d
    LEFT JOIN margin_evaluations j ON j.tenant_id = d.tenant_id AND j.evaluation_id = d.evaluation_id
      AND j.month = d.month`
  const { rows } = await sql<Decision>`${ofTenant(tx, tenantId, statement)}`.execute(tx)
  return rows
}
