import { sql } from 'kysely'
import { sqlCheck } from './sql-check-queries.ts'

/** What stored answers say was created. A sealed body, that of a secret, is not JSON. */
const created = sql`
  SELECT tenant_id, key::text AS key,
    CASE WHEN body IS JSON OBJECT THEN body::jsonb ->> 'id' END AS id
  FROM idempotency_records WHERE status = 201 AND secret_id IS NULL`

/** I1, as far as the database alone can tell it. */
export const REQUEST_CHECKS = [
  // @plan reads everything: a full audit checks every row there is.
  sqlCheck(
    'I1',
    'acknowledged-creations',
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
    () => sql`
      SELECT tenant_id, id AS subject, 'was created under ' || count(*) || ' keys' AS detail
      FROM (${created}) c WHERE id IS NOT NULL
      GROUP BY tenant_id, id HAVING count(*) > 1`,
  ),
]
