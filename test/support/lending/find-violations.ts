import { sql } from 'kysely'
import { isDistributed } from '../../../src/db/cluster/distribution.ts'
import type { Statement } from '../../../src/db/connections/session.ts'
import type { Db, Tx } from '../../../src/db/database.ts'
import { inSnapshot } from '../../../src/db/transactions/snapshot.ts'
import { termsOf } from '../../../src/domain/audit/audit.ts'
import type { Check, Scan, Violation } from '../../../src/domain/audit/check.ts'
import { CHECKS } from '../../../src/domain/audit/checks.ts'
import { findOnPage } from '../../../src/domain/audit/pages.ts'
import { type Keys, preferIndexes } from '../../../src/domain/audit/subject-queries.ts'

/** Which rows a check goes through follows from the schema, the same in every test database. */
const scansOf = new Map<Check, readonly Scan[]>()

/**
 * What every check of the audit finds, in everything or in one tenant's rows. One snapshot, one plan
 * a statement, all lists of subjects in one statement and all checks sent together: `audit` takes a
 * snapshot for each page, a plan for each execution and a list for each check, which is most of the
 * time of a test that calls it.
 */
export async function findViolations(
  db: Db,
  tenantId?: string,
): Promise<(Violation & { check: string })[]> {
  return await inSnapshot(db, { seconds: 30 }, async (snapshot) => {
    await preferIndexes(snapshot)
    const distributed = await isDistributed(db)
    const tx = distributed ? snapshot : await planOnce(snapshot)
    for (const check of CHECKS) {
      if (!scansOf.has(check)) scansOf.set(check, await check.scans((read) => read(tx)))
    }
    const scans = CHECKS.flatMap((check) =>
      (scansOf.get(check) ?? []).map((scan) => ({ scan, check: check.name })),
    )
    const keysOf = await listSubjects(tx, scans, { tenantId, distributed })
    const terms = termsOf({ hasSimulation: false })
    const found = await Promise.all(
      scans.map(async ({ scan, check }) => {
        const keys = keysOf(scan)
        const context = { scan, terms, limit: 100, distributed }
        const violations = keys.length > 0 ? await findOnPage(context, tx, keys) : []
        return violations.map((violation) => ({ ...violation, check }))
      }),
    )
    return found.flat()
  })
}

async function planOnce(tx: Tx): Promise<Tx> {
  await sql`SET LOCAL plan_cache_mode = force_generic_plan`.execute(tx)
  // Statements that are planned at each execution otherwise are prepared.
  const send = tx.executeQuery.bind(tx)
  return Object.assign(tx, {
    executeQuery: (query: Statement) => send({ ...query, isUnprepared: false } as Statement),
  })
}

/** The subjects of each scan, each once. */
async function listSubjects(
  tx: Tx,
  scans: readonly { scan: Scan }[],
  { tenantId, distributed }: { tenantId: string | undefined; distributed: boolean },
): Promise<(scan: Scan) => Keys> {
  // Those without an order name rows that another source names too.
  const sourcesOf = ({ subjects }: Scan) => subjects.sources.filter(({ order }) => order)
  const sources = new Map(
    scans.flatMap(({ scan }) => sourcesOf(scan)).map((source) => [JSON.stringify(source), source]),
  )
  const selects = [...sources.values()].map(({ table, key, where = 'true', order }, at) => {
    const texts = sql.raw(key.map((expression) => `(${expression})::text`).join())
    // The operators' own tables belong to no tenant. A statement without a parameter is not prepared.
    const isNarrowed = tenantId !== undefined && order?.some(({ name }) => name === 'tenant_id')
    const own = isNarrowed ? sql`tenant_id = ${tenantId}` : sql`${true}::boolean`
    return sql`SELECT ${sql.lit(at)} AS source, ARRAY[${texts}] AS subject
      FROM ${sql.raw(table)} WHERE ${sql.raw(where)} AND ${own}`
  })
  const listed: Keys[number][][] = selects.map(() => [])
  // A cluster plans no union of so many tables.
  for (const select of distributed ? selects : [sql.join(selects, sql` UNION ALL `)]) {
    const { rows } = await sql<{ source: number; subject: string[] }>`${select}`.execute(tx)
    for (const { source, subject } of rows) listed[source]?.push(subject)
  }
  const placeOf = new Map([...sources.keys()].map((name, at) => [name, at]))
  return (scan) => {
    const keys = sourcesOf(scan).flatMap(
      (one) => listed[placeOf.get(JSON.stringify(one)) ?? 0] ?? [],
    )
    return [...new Map(keys.map((key) => [JSON.stringify(key), key])).values()]
  }
}
