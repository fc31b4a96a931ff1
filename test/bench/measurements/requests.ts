import { addBorrowers, addSignatory, type Signatory } from '../../support/world/tenants.ts'
import { ratioAtLeast } from '../aims.ts'
import { type Bench, startCompanion, startGenerator, startService } from '../bench.ts'
import type { FloorOptions } from '../companions/floor-server.ts'
import type { Load, LoadResult } from '../companions/load.ts'
import { POSITIONS } from '../data/facilities-data.ts'
import { median, type Row } from '../report.ts'

const CONNECTIONS = 32

/** The pool of ours by default, which the floor gets too. */
const DATABASE_CONNECTIONS = 16

/** Requests a round; a creation takes several times as long as a read. */
export type RequestSizes = { rounds: number; reads: number; creations: number; pushes: number }

const NEW_BORROWER = { type: 'individual', kyc_attested: true, residency_country: 'DE' }

type Measured = Pick<Load, 'method' | 'targets' | 'body' | 'requests'> & {
  name: string
  least: number
}

/** Signed requests of each kind to the API and to its floor, in turn. */
export async function measureRequests(bench: Bench, sizes: RequestSizes): Promise<Row[]> {
  await using cleanup = new AsyncDisposableStack()
  const { db, stores } = bench
  const signatory = await addSignatory(db, 'Bench')
  const borrowers = await addBorrowers(db, signatory.tenantId, 64)
  const floor = startCompanion<FloorOptions, { port: number }>('companions/floor-server', cleanup)
  const { databaseUrl, redisUrl } = stores
  const connections = DATABASE_CONNECTIONS
  const ports = {
    ours: (await startService(bench, 'server', cleanup)).port,
    bare: (await floor.ask({ databaseUrl, redisUrl, connections, signatory })).port,
  }
  const send = startGenerator(cleanup)
  const target = (borrowerId: string) => `/v1/borrowers/${borrowerId}`
  const measured: Measured[] = [
    {
      ...{ name: 'signed GET /v1/borrowers/{id}', least: 0.9 },
      ...{ method: 'GET', targets: borrowers.slice(0, 1).map(target), body: '' },
      requests: sizes.reads,
    },
    {
      ...{ name: 'signed POST /v1/borrowers', least: 0.85 },
      ...{ method: 'POST', targets: ['/v1/borrowers'], body: JSON.stringify(NEW_BORROWER) },
      requests: sizes.creations,
    },
    {
      ...{ name: 'signed PUT portfolio', least: 0.9 },
      ...{ method: 'PUT', targets: borrowers.map((id) => `${target(id)}/portfolio`) },
      // Each is newer than the last: all are stored.
      body: JSON.stringify({ as_of: '{now}', positions: POSITIONS }),
      requests: sizes.pushes,
    },
  ]
  const rows: Row[] = []
  for (const load of measured) {
    rows.push(
      await compare(load, sizes.rounds, (side, share) => {
        const requests = Math.round(load.requests * share)
        return send({ ...load, ...keyOf(signatory), requests, port: ports[side] })
      }),
    )
  }
  return rows
}

const keyOf = ({ keyId, privateKeyPem }: Signatory) => ({
  ...{ keyIds: [keyId], privateKeyPem, connections: CONNECTIONS },
})

type Side = 'ours' | 'bare'

/**
 * Runs ours and the floor in turn, so that whatever else the machine does falls on both, and takes the
 * median of the rounds' ratios. The first round of each warms up and is not counted.
 */
async function compare(
  { name, least }: Measured,
  rounds: number,
  runRound: (side: Side, share: number) => Promise<LoadResult>,
): Promise<Row> {
  for (const side of ['ours', 'bare'] as const) await runRound(side, 0.5)
  const results: Record<Side, LoadResult>[] = []
  for (let round = 0; round < rounds; round += 1) {
    results.push({ ours: await runRound('ours', 1), bare: await runRound('bare', 1) })
  }
  const middle = (pick: (result: LoadResult) => number) => ({
    ours: median(results.map(({ ours }) => pick(ours))),
    bare: median(results.map(({ bare }) => pick(bare))),
  })
  return {
    ...{ name: `(requests) ${name}`, unit: 'req/s', aim: ratioAtLeast(least) },
    ...middle(({ perSecond }) => perSecond),
    ratio: median(results.map(({ ours, bare }) => ours.perSecond / bare.perSecond)),
    p50Ms: middle(({ p50Ms }) => p50Ms),
    p99Ms: middle(({ p99Ms }) => p99Ms),
  }
}
