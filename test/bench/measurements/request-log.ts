import type { Db } from '../../../src/db/database.ts'
import { ratioAtLeast } from '../aims.ts'
import type { Load, LoadResult } from '../companions/load.ts'
import { startCompanion, startService } from '../companions/processes.ts'
import { seedTenant } from '../data/seed.ts'
import { openCleanup } from '../open-cleanup.ts'
import { median, type Row } from '../report.ts'
import type { Stores } from '../stores.ts'

/** Signed reads by a process that logs them against one that does not, in turn. */
export async function measureRequestLog(
  db: Db,
  stores: Stores,
  { rounds, requests }: { rounds: number; requests: number },
): Promise<Row> {
  await using ended = openCleanup()
  const { keyId, privateKeyPem, borrowerId } = await seedTenant(db)
  const logging = await startService('server', stores, ended)
  const silent = await startService('server', stores, ended, { REQUEST_LOG_DAYS: '0' })
  const script = new URL('../companions/load.ts', import.meta.url)
  const generator = startCompanion<Load, LoadResult | { failure: string }>(script, ended)
  const run = async ({ port }: { port: number }) => {
    const target = { method: 'GET' as const, targets: [`/v1/borrowers/${borrowerId}`], body: '' }
    const load = { ...target, requests, port, connections: 32, keyIds: [keyId], privateKeyPem }
    const result = await generator.ask(load)
    if ('failure' in result) throw new Error(result.failure)
    return result
  }
  for (const service of [logging, silent]) await run(service)
  const results: { ours: LoadResult; bare: LoadResult }[] = []
  for (let round = 0; round < rounds; round += 1) {
    // Each goes first in every other round.
    if (round % 2 === 0) results.push({ ours: await run(logging), bare: await run(silent) })
    else {
      const bare = await run(silent)
      results.push({ bare, ours: await run(logging) })
    }
  }
  const middle = (pick: (result: (typeof results)[number]) => number) => median(results.map(pick))
  return {
    name: '(s) signed GET with the request log, against without',
    unit: 'req/s',
    ours: middle(({ ours }) => ours.perSecond),
    bare: middle(({ bare }) => bare.perSecond),
    ratio: middle(({ ours, bare }) => ours.perSecond / bare.perSecond),
    p50Ms: { ours: middle(({ ours }) => ours.p50Ms), bare: middle(({ bare }) => bare.p50Ms) },
    p99Ms: { ours: middle(({ ours }) => ours.p99Ms), bare: middle(({ bare }) => bare.p99Ms) },
    aim: ratioAtLeast(0.97),
  }
}
