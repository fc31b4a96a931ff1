import { sql } from 'kysely'
import { contentOf } from '../operators/action-queries.ts'
import { type Part, sqlCheckOfParts } from './sql-check-queries.ts'
import { OPERATOR_ACTIONS, OPERATOR_TRAIL } from './subjects/operator-subjects.ts'

const found = (detail: string) => sql`SELECT coalesce(a.tenant, '') AS tenant_id,
  'operator action ' || a.number AS subject, ${sql.raw(detail)} AS detail`

const EACH: Part = [
  OPERATOR_ACTIONS,
  () => sql`
    ${found(`'is not what its hash was made over'`)} FROM operator_actions a
    WHERE a.hash <> operator_action_hash(a.previous_hash, ${contentOf('a')})
    UNION ALL
    ${found(`'does not follow number ' || a.number - 1`)} FROM operator_actions a
    LEFT JOIN all_operator_actions b ON b.number = a.number - 1
    -- A chain that was written a second time begins at number 0.
    WHERE a.previous_hash IS DISTINCT FROM coalesce(b.hash,
      CASE WHEN a.number <= 1 THEN decode(repeat('00', 32), 'hex') END)`,
]

/** Otherwise the last actions could be deleted unnoticed. */
const LAST: Part = [
  OPERATOR_TRAIL,
  () => sql`
    SELECT '' AS tenant_id, 'operator action ' || t.last_number AS subject,
      'is the last by the counter, and not in the record' AS detail
    FROM operator_trail t
    LEFT JOIN (SELECT number, hash FROM operator_actions ORDER BY number DESC LIMIT 1) a ON true
    WHERE (coalesce(a.number, 0), coalesce(a.hash, decode(repeat('00', 32), 'hex')))
      <> (t.last_number, t.last_hash)`,
]

export const OPERATOR_CHECKS = [
  // @plan reads everything: a page is read whole, and nothing of it is returned where all is well.
  sqlCheckOfParts('I2', 'chained-operator-actions', [EACH, LAST]),
]
