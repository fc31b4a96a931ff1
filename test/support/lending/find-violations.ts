import { sql } from 'kysely'
import { type Db, inSnapshot } from '../../../src/db/database.ts'
import { termsOf } from '../../../src/domain/audit/audit.ts'
import type { Check, Read, Scan, Violation } from '../../../src/domain/audit/check.ts'
import { CHECKS } from '../../../src/domain/audit/checks.ts'
import { runScan } from '../../../src/domain/audit/paging.ts'

/** Which rows a check goes through follows from the schema, the same in every test database. */
const scansOf = new Map<Check, readonly Scan[]>()

/**
 * What every check of the audit finds. One snapshot and one plan a statement: `audit` takes a snapshot
 * for each page and a plan for each execution, which is most of the time of a test that calls it.
 */
export async function findViolations(db: Db): Promise<(Violation & { check: string })[]> {
  return await inSnapshot(db, { seconds: 30 }, async (tx) => {
    await sql`SET LOCAL plan_cache_mode = force_generic_plan`.execute(tx)
    const read: Read = (see) => see(tx)
    const terms = termsOf({ hasSimulation: false })
    const found: (Violation & { check: string })[] = []
    for (const check of CHECKS) {
      const scans = scansOf.get(check) ?? (await check.scans(read))
      scansOf.set(check, scans)
      for (const scan of scans) {
        const context = { read, terms, limit: 100, isLate: () => false }
        const { violations, timedOut } = await runScan(scan, context)
        if (timedOut) throw new Error(`the check ${check.name} took too long`)
        found.push(...violations.map((violation) => ({ ...violation, check: check.name })))
      }
    }
    return found
  })
}
