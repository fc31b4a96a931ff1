import { type RawBuilder, sql } from 'kysely'
import { ofTenant } from '../../db/sql/of-tenant.ts'
import { execute, unprepared } from '../../db/transactions/execute.ts'
import type { Check, Invariant, Scan, Terms } from './check.ts'
import { pageOf, type Subjects } from './subject-queries.ts'

export type ViolationRow = { tenant_id: string; subject: string; detail: string }

type Violations = (terms: Terms) => RawBuilder<unknown>

export type Part = readonly [subjects: Subjects, violations: Violations]

/** Selects `tenant_id`, `subject` and `detail` of each violation. The subjects' tables hold only
 * the rows of one page. One statement sees each transaction wholly or not at all. */
export function sqlCheck(
  invariant: Invariant,
  name: string,
  subjects: Subjects,
  violations: Violations,
): Check {
  return sqlCheckOfParts(invariant, name, [[subjects, violations]])
}

export function sqlCheckOfParts(invariant: Invariant, name: string, parts: readonly Part[]): Check {
  const scans = parts.map(([subjects, violations]): Scan => {
    return {
      name: `${name}/${subjects.name}`,
      subjects,
      async find(tx, keys, terms, limit) {
        const statement = sql`
          WITH ${pageOf(subjects, keys)}
          SELECT tenant_id, subject, detail FROM (${violations(terms)}) AS violation
          LIMIT ${limit}`
        const found = sql<ViolationRow>`${ofTenant(tx, terms.tenantId, statement)}`
        const rows = await execute(tx, unprepared(found))
        return rows.map((row) => ({
          tenantId: row.tenant_id,
          subject: row.subject,
          detail: row.detail,
        }))
      },
    }
  })
  return { invariant, name, scans: () => scans }
}
