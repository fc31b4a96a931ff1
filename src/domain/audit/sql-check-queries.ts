import { type RawBuilder, sql } from 'kysely'
import { PLANNED_EACH_TIME } from '../../db/preparing-client.ts'
import type { Check, Invariant, Scan, Terms } from './check.ts'
import { pageOf, type Subjects } from './subject-queries.ts'

export type ViolationRow = { tenant_id: string; subject: string; detail: string }

type Violations = (terms: Terms) => RawBuilder<unknown>

/** One statement of a check, and the subjects whose rows it reads. */
export type Part = readonly [subjects: Subjects, violations: Violations]

/**
 * A check that is one statement: it selects `tenant_id`, `subject` and `detail` of each violation. In
 * it the tables of the subjects hold the rows of one page alone; other tables are read by an index.
 * Being one statement, it sees one instant: of other transactions all or nothing.
 */
export function sqlCheck(
  invariant: Invariant,
  name: string,
  subjects: Subjects,
  violations: Violations,
): Check {
  return sqlCheckOfParts(invariant, name, [[subjects, violations]])
}

/** A check of several statements, each over subjects of its own. */
export function sqlCheckOfParts(invariant: Invariant, name: string, parts: readonly Part[]): Check {
  const scans = parts.map(([subjects, violations]): Scan => {
    return {
      name: `${name}/${subjects.name}`,
      subjects,
      async find(tx, keys, terms, limit) {
        const { rows } = await sql<ViolationRow>`
          WITH ${pageOf(subjects, keys)}
          ${sql.raw(PLANNED_EACH_TIME)} SELECT tenant_id, subject, detail FROM (${violations(terms)}) AS violation
          LIMIT ${limit}`.execute(tx)
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
