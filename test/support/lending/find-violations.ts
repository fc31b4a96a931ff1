import { sql } from 'kysely'
import { isDistributed } from '../../../src/db/cluster/distribution.ts'
import type { Statement } from '../../../src/db/connections/session.ts'
import type { Db, Tx } from '../../../src/db/database.ts'
import { inSnapshot } from '../../../src/db/transactions/snapshot.ts'
import { termsOf } from '../../../src/domain/audit/audit.ts'
import type { Check, Scan, Violation } from '../../../src/domain/audit/check.ts'
import { CHECKS } from '../../../src/domain/audit/checks.ts'
import { findOnPage } from '../../../src/domain/audit/pages.ts'
import { type Keys, preferIndexes, selectAll } from '../../../src/domain/audit/subject-queries.ts'

/** Which rows a check goes through follows from the schema, the same in every test database. */
const scansOf = new Map<Check, readonly Scan[]>()

/** More than a test writes of anything. */
const MOST = 100_000

/** The same text, and so the same plan, for every tenant. A cluster is given the tenant itself. */
const OF_TENANT = `tenant_id = current_setting('audit.tenant')`

/**
 * What every check of the audit finds, in everything or in one tenant's rows. One snapshot, one plan
 * a statement, and each list of subjects read once: `audit` takes a snapshot for each page, a plan
 * for each execution and a list for each check, which is most of the time of a test that calls it.
 */
export async function findViolations(
  db: Db,
  tenantId?: string,
): Promise<(Violation & { check: string })[]> {
  return await inSnapshot(db, { seconds: 30 }, async (snapshot) => {
    await preferIndexes(snapshot)
    const distributed = await isDistributed(db)
    const tx = distributed ? snapshot : await planOnce(snapshot, tenantId)
    const narrowed = distributed ? `tenant_id = '${tenantId}'` : OF_TENANT
    const terms = termsOf({ hasSimulation: false })
    const list = createLists(tx, tenantId === undefined ? undefined : narrowed)
    const found: (Violation & { check: string })[] = []
    for (const check of CHECKS) {
      const scans = scansOf.get(check) ?? (await check.scans((read) => read(tx)))
      scansOf.set(check, scans)
      for (const scan of scans) {
        const keys = await list(scan)
        const context = { scan, terms, limit: 100, distributed }
        const violations = keys.length > 0 ? await findOnPage(context, tx, keys) : []
        found.push(...violations.map((violation) => ({ ...violation, check: check.name })))
      }
    }
    return found
  })
}

async function planOnce(tx: Tx, tenantId = ''): Promise<Tx> {
  await sql`SET LOCAL plan_cache_mode = force_generic_plan`.execute(tx)
  await sql`SELECT set_config('audit.tenant', ${tenantId}, true)`.execute(tx)
  // Statements that are planned at each execution otherwise are prepared.
  const send = tx.executeQuery.bind(tx)
  return Object.assign(tx, {
    executeQuery: (query: Statement) => send({ ...query, isUnprepared: false } as Statement),
  })
}

type Source = Parameters<typeof selectAll>[1]

/** The subjects of a scan, each once; those that a condition narrows them to, where there is one. */
function createLists(tx: Tx, narrowed: string | undefined): (scan: Scan) => Promise<Keys> {
  const lists = new Map<string, Promise<Keys>>()
  const read = async (source: Source): Promise<Keys> => {
    // The operators' own tables belong to no tenant.
    const isOfTenants = source.order?.some(({ name }) => name === 'tenant_id')
    const narrowing = isOfTenants ? narrowed : undefined
    const conditions = [source.where, narrowing].filter((condition) => condition !== undefined)
    const where = conditions.length > 0 && { where: conditions.join(' AND ') }
    const rows = await selectAll(tx, { ...source, ...where }, { limit: MOST })
    return rows.map(({ subject }) => subject)
  }
  return async ({ subjects }) => {
    const keys = new Map<string, Keys[number]>()
    for (const source of subjects.sources) {
      if (!source.order) continue
      const name = JSON.stringify(source)
      const listed = lists.get(name) ?? read(source)
      lists.set(name, listed)
      for (const key of await listed) keys.set(JSON.stringify(key), key)
    }
    return [...keys.values()]
  }
}
