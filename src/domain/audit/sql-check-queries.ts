import { type RawBuilder, sql } from 'kysely'
import type { Check, Invariant, Terms } from './check.ts'

export type ViolationRow = { tenant_id: string; subject: string; detail: string }

/**
 * A check that is one statement: it selects `tenant_id`, `subject` and `detail` of each violation.
 * Being one statement, it sees one instant; what is under way in other transactions it sees before
 * or after, never half.
 */
export function sqlCheck(
  invariant: Invariant,
  name: string,
  violations: (terms: Terms) => RawBuilder<unknown>,
): Check {
  return {
    invariant,
    name,
    async find(read, terms, { limit }) {
      const found = sql<ViolationRow>`
        SELECT tenant_id, subject, detail FROM (${violations(terms)}) AS violation LIMIT ${limit}`
      const { rows } = await read((tx) => found.execute(tx))
      return rows.map((row) => ({
        tenantId: row.tenant_id,
        subject: row.subject,
        detail: row.detail,
      }))
    },
  }
}
