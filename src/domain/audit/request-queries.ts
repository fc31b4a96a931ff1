import { sql } from 'kysely'
import { sqlCheck } from './sql-check-queries.ts'
import { ANSWERS } from './subjects/tenant-subjects.ts'

/** Ids in stored answers. The encrypted body of a secret is not JSON. */
const createdIn = (table: string) => sql`
  SELECT tenant_id, key::text AS key,
    CASE WHEN body IS JSON OBJECT THEN body::jsonb ->> 'id' END AS id
  FROM ${sql.table(table)} WHERE status = 201 AND secret_id IS NULL`

const created = createdIn('idempotency_records')

export const REQUEST_CHECKS = [
  // @plan reads everything: a page is read whole, and nothing of it is returned where all is well.
  sqlCheck(
    'I1',
    'acknowledged-creations',
    ANSWERS,
    () => sql`
      SELECT c.tenant_id, c.id AS subject,
        'was acknowledged under key ' || c.key || ' and does not exist' AS detail
      FROM (${created}) c
      WHERE NOT CASE left(c.id, 4)
        WHEN 'bor_' THEN EXISTS (SELECT FROM borrowers b
          WHERE b.tenant_id = c.tenant_id AND b.borrower_id = c.id)
        WHEN 'fac_' THEN EXISTS (SELECT FROM facilities f
          WHERE f.tenant_id = c.tenant_id AND f.facility_id = c.id)
        WHEN 'drw_' THEN EXISTS (SELECT FROM draws d
          WHERE d.tenant_id = c.tenant_id AND d.draw_id = c.id)
        WHEN 'rep_' THEN EXISTS (SELECT FROM repayments r
          WHERE r.tenant_id = c.tenant_id AND r.repayment_id = c.id)
        WHEN 'whk_' THEN EXISTS (SELECT FROM webhooks w
          WHERE w.tenant_id = c.tenant_id AND w.webhook_id = c.id)
        ELSE true END`,
  ),
  sqlCheck(
    'I1',
    'one-creation-a-key',
    ANSWERS,
    () => sql`
      SELECT tenant_id, id AS subject, 'was created under ' || count(*) || ' keys' AS detail
      FROM (SELECT DISTINCT tenant_id, id FROM (${created}) c WHERE id IS NOT NULL) named
      JOIN (${createdIn('all_idempotency_records')}) c USING (tenant_id, id)
      GROUP BY tenant_id, id HAVING count(*) > 1`,
  ),
]
