import { sql } from 'kysely'
import type { Db } from '../../../src/db/database.ts'
import { ratioAtLeast } from '../aims.ts'
import type { Load, LoadResult } from '../companions/load.ts'
import { startCompanion, startSources } from '../companions/processes.ts'
import { addFacilities } from '../data/facilities-data.ts'
import { seedTenant } from '../data/seed.ts'
import { openCleanup } from '../open-cleanup.ts'
import { median, type Row } from '../report.ts'
import type { Stores } from '../stores.ts'

const CONNECTIONS = 32

export type ChainedLogSizes = { rounds: number; closings: number }

/** Requests that write one event each, by a server that chains its log and by one that does not. */
export async function measureChainedLog(
  db: Db,
  stores: Stores,
  { rounds, closings }: ChainedLogSizes,
): Promise<Row> {
  await using cleanup = openCleanup()
  const { tenantId, keyId, privateKeyPem } = await seedTenant(db)
  const targets = await addApplications(db, tenantId, 2 * closings * (rounds + 1))
  const script = new URL('../companions/without-chain.ts', import.meta.url).href
  const ours = await startSources(stores, cleanup)
  const bare = await startSources(stores, cleanup, ['--import', script])
  const generator = startCompanion<Load, LoadResult | { failure: string }>(
    new URL('../companions/load.ts', import.meta.url),
    cleanup,
  )
  const close = async (port: number) => {
    const result = await generator.ask({
      port,
      method: 'POST',
      targets: targets.splice(0, closings),
      body: '',
      keyIds: [keyId],
      privateKeyPem,
      requests: closings,
      connections: CONNECTIONS,
    })
    if ('failure' in result) throw new Error(`closing a facility: ${result.failure}`)
    return result
  }
  const results: { ours: LoadResult; bare: LoadResult }[] = []
  for (let round = 0; round <= rounds; round += 1) {
    // Each goes first in every other round; the first round warms up and is not counted.
    const first = await close(round % 2 === 0 ? ours.port : bare.port)
    const second = await close(round % 2 === 0 ? bare.port : ours.port)
    const [chained, plain] = round % 2 === 0 ? [first, second] : [second, first]
    if (round > 0) results.push({ ours: chained, bare: plain })
  }
  await expectEvents(db, tenantId, closings * (rounds + 1))
  const middle = (pick: (result: LoadResult) => number) => ({
    ours: median(results.map((result) => pick(result.ours))),
    bare: median(results.map((result) => pick(result.bare))),
  })
  return {
    name: '(r) signed POST with an event, chained against without the chain',
    unit: 'req/s',
    ...middle(({ perSecond }) => perSecond),
    ratio: median(results.map((result) => result.ours.perSecond / result.bare.perSecond)),
    p50Ms: middle(({ p50Ms }) => p50Ms),
    p99Ms: middle(({ p99Ms }) => p99Ms),
    aim: ratioAtLeast(0.95),
  }
}

/** Where to cancel applications that nothing has decided. */
async function addApplications(db: Db, tenantId: string, count: number): Promise<string[]> {
  const facilities = await addFacilities(db, tenantId, count)
  await sql`
    UPDATE facilities SET state = 'PENDING', principal_cents = 0, interest_numerator = 0,
      interest_booked_cents = 0
    WHERE tenant_id = ${tenantId}`.execute(db)
  await sql`VACUUM (ANALYZE) borrowers, facilities, portfolios`.execute(db)
  return facilities.map(({ facilityId }) => `/v1/facilities/${facilityId}/close`)
}

/** Each server closed as many: the one's events continue the chain, the other's do not. */
async function expectEvents(db: Db, tenantId: string, each: number): Promise<void> {
  const { rows } = await sql<{ is_chained: boolean; events: bigint }>`
    SELECT hash <> previous_hash AS is_chained, count(*) AS events FROM events
    WHERE tenant_id = ${tenantId} AND type = 'facility.closed' GROUP BY 1`.execute(db)
  if (rows.length !== 2 || rows.some(({ events }) => events !== BigInt(each))) {
    throw new Error('not every closing has its event, chained by one server alone')
  }
}
