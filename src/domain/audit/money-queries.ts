import { sql } from 'kysely'
import { sqlCheck } from './sql-check-queries.ts'
import { FACILITIES, UNDER_WAY } from './subjects/facility-subjects.ts'

const isWorkedOn = (tenantId: string, topic: string, subjectId: string) => sql`
  EXISTS (SELECT FROM work o WHERE o.tenant_id = ${sql.ref(tenantId)} AND o.topic = ${topic}
          AND o.subject_id = ${sql.ref(subjectId)})`

/** Case rules other than those that the service stores with, on purpose. */
const folded = sql`casefold(normalize(reference) COLLATE pg_unicode_fast)`
const foldedOther = sql`casefold(normalize(o.reference) COLLATE pg_unicode_fast)`

export const MONEY_CHECKS = [
  // @plan reads everything: a page is read whole, and nothing of it is returned where all is well.
  sqlCheck(
    'I4',
    'balanced-entries',
    FACILITIES,
    () => sql`
      SELECT tenant_id, facility_id || ' ' || entry_id AS subject,
        'is an entry that does not sum to zero' AS detail
      FROM journal WHERE NOT is_balanced(assets, amounts)`,
  ),
  sqlCheck(
    'I4',
    'booked-once',
    FACILITIES,
    () => sql`
      WITH due AS (
        SELECT tenant_id, facility_id, 'draw/' || draw_id AS entry_id,
          status IN ('COMPLETED', 'RETURNED') AS is_due FROM draws
        UNION ALL
        SELECT tenant_id, facility_id, 'draw_return/' || draw_id, status = 'RETURNED' FROM draws
        UNION ALL
        SELECT tenant_id, facility_id, 'repayment/' || repayment_id,
          status IN ('APPLIED', 'REVERSED') OR failure_code = 'asset_mismatch' FROM repayments
        UNION ALL
        SELECT tenant_id, facility_id, 'return/repayment/' || repayment_id, status = 'REVERSED'
        FROM repayments
        UNION ALL
        SELECT tenant_id, facility_id, 'transfer_return/' || repayment_id,
          return_code IS NOT NULL AND split_from IS NULL FROM repayments
        UNION ALL
        SELECT tenant_id, facility_id, 'refund/' || refund_id, status IN ('PAID', 'RETURNED')
        FROM refunds
        UNION ALL
        SELECT tenant_id, facility_id, 'suspended/' || repayment_id, true
        FROM repayments WHERE suspended_units > 0
        UNION ALL
        SELECT tenant_id, facility_id, 'returned/' || repayment_id
            || CASE WHEN suspense_returns = 0 THEN '' ELSE '/' || suspense_returns + 1 END, true
        FROM repayments WHERE suspense_end = 'returned'
        UNION ALL
        -- Those whose payouts came back.
        SELECT tenant_id, facility_id,
          'returned/' || repayment_id || CASE WHEN n = 1 THEN '' ELSE '/' || n END, true
        FROM repayments, generate_series(1, suspense_returns) AS n
      ), booked AS (
        SELECT tenant_id, facility_id, entry_id, count(*) AS times FROM journal
        WHERE kind IN ('draw', 'repayment', 'recovery', 'misdelivery', 'refund', 'suspense',
                       'suspense_return', 'draw_return', 'draw_recovery', 'repayment_return',
                       'transfer_return')
        GROUP BY tenant_id, facility_id, entry_id
      )
      SELECT tenant_id, entry_id AS subject, format('is booked %s times on %s; its state calls for %s',
        coalesce(times, 0), facility_id, coalesce(is_due, false)::int) AS detail
      FROM due FULL JOIN booked USING (tenant_id, facility_id, entry_id)
      WHERE coalesce(times, 0) <> coalesce(is_due, false)::int`,
  ),
  sqlCheck(
    'I4',
    'references-once',
    FACILITIES,
    () => sql`
      SELECT tenant_id, reference AS subject,
        'is the reference of ' || count(*) || ' transfers, ' || string_agg(id, ', ') AS detail
      FROM (
        -- Of one collation with the others, by which their index is.
        SELECT tenant_id, 'in' AS direction, ${folded} COLLATE "default" AS reference
        FROM repayments
        UNION SELECT tenant_id, 'out', reference FROM draws
        UNION SELECT tenant_id, 'out', reference FROM refunds
      ) named
      CROSS JOIN LATERAL (
        SELECT repayment_id AS id FROM all_repayments o WHERE named.direction = 'in'
          AND o.tenant_id = named.tenant_id AND ${foldedOther} = named.reference COLLATE pg_unicode_fast
          AND o.reference IS NOT NULL
        UNION ALL
        SELECT draw_id FROM all_draws o WHERE named.direction = 'out'
          AND o.tenant_id = named.tenant_id AND o.reference = named.reference
        UNION ALL
        SELECT refund_id FROM all_refunds o WHERE named.direction = 'out'
          AND o.tenant_id = named.tenant_id AND o.reference = named.reference
      ) transfer
      GROUP BY tenant_id, direction, reference HAVING count(*) > 1`,
  ),
  sqlCheck(
    'I4',
    'transfers-once',
    FACILITIES,
    () => sql`
      SELECT tenant_id, transfer_id AS subject,
        'is confirmed for ' || count(*) || ' repayments, ' || string_agg(repayment_id, ', ')
          AS detail
      FROM (SELECT DISTINCT tenant_id, transfer_id FROM confirmed_transfers) named
      JOIN all_confirmed_transfers USING (tenant_id, transfer_id)
      GROUP BY tenant_id, transfer_id HAVING count(*) > 1
      UNION ALL
      SELECT r.tenant_id, r.repayment_id, format(
        'is %s and confirmed by %s transfers', r.status, count(t.transfer_id))
      FROM repayments r LEFT JOIN confirmed_transfers t USING (tenant_id, repayment_id)
      WHERE r.split_from IS NULL
      GROUP BY r.tenant_id, r.repayment_id, r.status, r.failure_code
      HAVING count(t.transfer_id) <>
        (r.status IN ('APPLIED', 'REVERSED') OR coalesce(r.failure_code = 'asset_mismatch', false))::int
      UNION ALL
      SELECT t.tenant_id, t.transfer_id, 'is confirmed for ' || t.repayment_id || ' and not claimed by it'
      FROM confirmed_transfers t
      LEFT JOIN transfer_claims c USING (tenant_id, transfer_id, repayment_id)
      WHERE c.tenant_id IS NULL`,
  ),
  sqlCheck(
    'I4',
    'owed-back-once',
    FACILITIES,
    () => sql`
      SELECT r.tenant_id, r.repayment_id AS subject, format(
        'left %s cents over, and %s refunds of %s cents were ordered', r.refund_cents,
        count(f.refund_id), coalesce(sum(f.cents), 0)) AS detail
      FROM repayments r LEFT JOIN refunds f
        ON f.tenant_id = r.tenant_id AND f.source_id = r.repayment_id
      WHERE r.status IN ('APPLIED', 'REVERSED')
      GROUP BY r.tenant_id, r.repayment_id, r.refund_cents
      HAVING coalesce(sum(f.cents), 0) <> r.refund_cents OR count(f.refund_id) > 1
      UNION ALL
      SELECT r.tenant_id, r.repayment_id, format(
        'has %s units of suspense that were %s, and %s were', r.suspended_units,
        coalesce(r.suspense_end, 'not decided'), coalesce(sum(p.units), 0))
      FROM repayments r LEFT JOIN (
        SELECT tenant_id, split_from AS repayment_id, 'applied' AS decision, amount_units AS units
        FROM repayments WHERE split_from IS NOT NULL
        UNION ALL
        SELECT tenant_id, split_part(source_id, '/', 1), 'returned', amount_units
        FROM refunds WHERE source_id LIKE '%/suspense%' AND status <> 'RETURNED'
      ) p ON p.tenant_id = r.tenant_id AND p.repayment_id = r.repayment_id
      WHERE r.suspended_units > 0
      GROUP BY r.tenant_id, r.repayment_id, r.suspended_units, r.suspense_end
      HAVING coalesce(sum(p.units) FILTER (WHERE p.decision = r.suspense_end), 0) <>
          CASE WHEN r.suspense_end IN ('applied', 'returned') THEN r.suspended_units ELSE 0 END
        OR count(p.units) <> coalesce(r.suspense_end IN ('applied', 'returned'), false)::int`,
  ),
  sqlCheck(
    'I4',
    'nothing-forgotten',
    UNDER_WAY,
    ({ topics, applicationDeadline }) => sql`
      SELECT tenant_id, draw_id AS subject, 'is PENDING and has no work' AS detail
      FROM draws d WHERE status = 'PENDING'
        AND NOT ${isWorkedOn('d.tenant_id', topics.draw, 'd.draw_id')}
      UNION ALL
      SELECT tenant_id, repayment_id, 'is REPORTED and has no work'
      FROM repayments r WHERE status = 'REPORTED' AND contested_transfer IS NULL
        AND NOT ${isWorkedOn('r.tenant_id', topics.repayment, 'r.repayment_id')}
      UNION ALL
      SELECT tenant_id, refund_id, 'is PENDING and has no work'
      FROM refunds x WHERE status = 'PENDING'
        AND NOT ${isWorkedOn('x.tenant_id', topics.refund, 'x.refund_id')}
      UNION ALL
      SELECT tenant_id, facility_id, 'is PENDING and has no work'
      FROM facilities f WHERE state = 'PENDING' AND held_since IS NULL
        AND NOT ${isWorkedOn('f.tenant_id', topics.facility, 'f.facility_id')}
        AND NOT EXISTS (SELECT FROM work l WHERE l.tenant_id = f.tenant_id
          AND l.topic = ${applicationDeadline} AND l.subject_id = f.facility_id)
      UNION ALL
      SELECT tenant_id, facility_id, 'is CLOSING and has no work'
      FROM facilities f WHERE state = 'CLOSING'
        AND NOT ${isWorkedOn('f.tenant_id', topics.closing, 'f.facility_id')}`,
  ),
  sqlCheck(
    'I9',
    'closed-owes-nothing',
    FACILITIES,
    () => sql`
      SELECT f.tenant_id, f.facility_id AS subject, format(
        'is CLOSED (%s) with principal %s, reserved %s, interest %s, %s cents of floor, ' ||
        '%s draws and %s calls or warnings under way', f.close_reason, f.principal_cents,
        f.reserved_cents, f.interest_booked_cents - f.interest_paid_cents, f.custodian_floor_cents,
        u.draws, u.margin) AS detail
      FROM facilities f CROSS JOIN LATERAL (
        SELECT
          (SELECT count(*) FROM draws d WHERE d.tenant_id = f.tenant_id
             AND d.facility_id = f.facility_id AND d.status = 'PENDING') AS draws,
          (SELECT count(*) FROM margin_calls c WHERE c.tenant_id = f.tenant_id
             AND c.facility_id = f.facility_id AND c.status <> 'COMPLETED')
          + (SELECT count(*) FROM margin_warnings w WHERE w.tenant_id = f.tenant_id
             AND w.facility_id = f.facility_id AND w.status = 'OPEN') AS margin
      ) u
      WHERE f.state = 'CLOSED' AND (f.principal_cents <> 0 OR f.reserved_cents <> 0
        OR f.interest_booked_cents <> f.interest_paid_cents OR f.custodian_floor_cents <> 0
        OR f.close_reason IS NULL OR f.closed_at IS NULL OR u.draws > 0 OR u.margin > 0)`,
  ),
  sqlCheck(
    'I9',
    'lien-released',
    FACILITIES,
    () => sql`
      SELECT f.tenant_id, f.facility_id AS subject, format(
        'is CLOSED, the custodian has acknowledged %s of %s changes of its lien and holds %s cents',
        f.custodian_sequence, f.floor_sequence, coalesce(l.floor_cents, 0)) AS detail
      FROM facilities f LEFT JOIN sandbox_liens l USING (tenant_id, facility_id)
      WHERE f.state = 'CLOSED'
        AND (f.custodian_sequence <> f.floor_sequence OR l.floor_cents IS NOT NULL)`,
  ),
  sqlCheck(
    'I9',
    'charged-off-after-a-call',
    FACILITIES,
    () => sql`
      SELECT f.tenant_id, f.facility_id AS subject,
        coalesce('is closed as ' || f.close_reason, 'is not closed') ||
        ', which its books do not show' AS detail
      FROM facilities f
      WHERE (f.close_reason IS NOT DISTINCT FROM 'charged_off') <> (EXISTS (SELECT FROM margin_calls c
          WHERE c.tenant_id = f.tenant_id AND c.facility_id = f.facility_id
            AND c.outcome = 'deficit')
        OR EXISTS (SELECT FROM facility_corrections k WHERE k.tenant_id = f.tenant_id
          AND k.facility_id = f.facility_id AND k.kind = 'write_off')
        -- Or what had repaid it has come back.
        OR EXISTS (SELECT FROM journal j WHERE j.tenant_id = f.tenant_id
          AND j.facility_id = f.facility_id AND j.entry_id = 'charge_off')
          AND EXISTS (SELECT FROM repayments r WHERE r.tenant_id = f.tenant_id
          AND r.facility_id = f.facility_id AND r.return_code IS NOT NULL))
         OR (f.close_reason = 'cancelled' AND EXISTS (SELECT FROM journal j
          WHERE j.tenant_id = f.tenant_id AND j.facility_id = f.facility_id))`,
  ),
  sqlCheck(
    'I9',
    'settled-before-closing',
    FACILITIES,
    () => sql`
      SELECT r.tenant_id, r.refund_id AS subject,
        'was owed back before ' || f.facility_id || ' was closed, and is not paid' AS detail
      FROM refunds r JOIN facilities f USING (tenant_id, facility_id)
      WHERE f.state = 'CLOSED' AND r.status = 'PENDING'
        -- What arrives as it closes is owed back afterwards.
        AND r.created_at < f.closed_at - interval '1 minute'`,
  ),
]
