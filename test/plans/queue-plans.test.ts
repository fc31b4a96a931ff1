import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inTransaction, type Tx } from '../../src/db/database.ts'
import {
  claimEarliest,
  claimOfLane,
  selectWaitingLanes,
} from '../../src/domain/work/claim-queries.ts'
import { requestWorks } from '../../src/domain/work/work.ts'
import { openTenant } from '../support/lending/onboarding.ts'
import { createTestDatabase, type TestDatabase } from '../support/stores/database.ts'
import { eachNode } from './check-plan.ts'
import { explainStatements } from './explain.ts'

const NOW = new Date('2026-11-20T10:00:00.000Z')

let database: TestDatabase
let client: pg.Client
beforeAll(async () => {
  // A session of its own: EXPLAIN prepares what it explains.
  database = await createTestDatabase({ isDirect: true })
  client = new pg.Client({ connectionString: database.url })
  await client.connect()
})
afterAll(async () => {
  await client.end()
  await database[Symbol.asyncDispose]()
})

/** How each statement finds the rows of the table, planned for its parameters and for any. */
async function findScans(table: string, run: (tx: Tx) => Promise<unknown>): Promise<Set<string>> {
  const { explained } = await explainStatements(client, 'run', run)
  const nodes = explained.flatMap(({ plan }) => eachNode(plan))
  const scans = nodes.filter(
    (node) => node['Relation Name'] === table && node['Node Type'] !== 'ModifyTable',
  )
  return new Set(scans.map((node) => node['Node Type']))
}

test('a claim of work reads no table as a whole, though the statistics are of an empty one', async () => {
  const { db } = database
  const tenantId = await openTenant(db, NOW)
  await sql`VACUUM ANALYZE work`.execute(db)
  const works = Array.from({ length: 200 }, (_, at) => ({
    topic: 'push-floor' as const,
    subjectId: `fac_${at}`,
  }))
  await inTransaction(db, (tx) => requestWorks(tx, tenantId, works, NOW))
  const lanes = await findScans('work', async (tx) =>
    selectWaitingLanes(tx, [{ rank: 6, tenant_id: '', topic: '', part: 0 }], {
      most: 8,
      now: NOW,
    }),
  )
  const lease = { lease: '00000000-0000-4000-8000-000000000000', until: NOW }
  const lane = { tenantId, topic: 'push-floor' as const, part: 0, rank: 6 }
  const claims = await findScans('work', async (tx) =>
    claimOfLane(tx, { ...lane, most: 16, ...lease }),
  )
  const deadlines = await findScans('work', async (tx) =>
    claimEarliest(tx, { tenantId, topics: ['refresh-floor'], realNow: NOW, ...lease }),
  )
  const scans = [...lanes, ...claims, ...deadlines]
  expect(scans.filter((scan) => !/^(Index|Tid)/.test(scan))).toEqual([])
  expect(lanes.size).toBeGreaterThan(0)
  expect(claims.size).toBeGreaterThan(0)
})
