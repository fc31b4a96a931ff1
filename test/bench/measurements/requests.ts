import { type Aim, ratioAtLeast } from '../aims.ts'
import type { FloorOptions } from '../companions/floor-server.ts'
import type { Load, LoadResult } from '../companions/load.ts'
import { startCompanion, startService, startSources } from '../companions/processes.ts'
import type { Signatory } from '../data/seed.ts'
import { median, type Row } from '../report.ts'
import type { Stores } from '../stores.ts'

const CONNECTIONS = 32

/** The pool of ours by default, which the floors get too. */
const DATABASE_CONNECTIONS = 16

export type Measured = Pick<Load, 'method' | 'targets' | 'body' | 'requests'>

export type RequestBench = {
  read(): Promise<Row[]>
  create(): Promise<Row[]>
  /** Any other request that the floors serve too. */
  measure(name: string, aim: Aim, load: Measured): Promise<Row[]>
}

export type RequestBenchOptions = {
  rounds: number
  /** Requests a round; a creation takes several times as long as a read. */
  reads: number
  creations: number
  /** Options of Node for the API process, such as its profiler's. */
  nodeOptions: readonly string[]
}

const NEW_BORROWER = JSON.stringify({
  type: 'individual',
  kyc_attested: true,
  residency_country: 'DE',
})

/** A floor sends plain statements, or has them prepared as ours are. */
const SIDES = ['ours', 'plain', 'prepared'] as const
type Side = (typeof SIDES)[number]
type RunRound = (side: Side, share: number) => Promise<LoadResult>

/** Starts the API and its floors, and measures signed requests against each in turn. */
export async function startRequestBench(
  stores: Stores,
  signatory: Signatory,
  options: RequestBenchOptions,
  cleanup: AsyncDisposableStack,
): Promise<RequestBench> {
  const { databaseUrl, redisUrl } = stores
  const startFloor = async (prepared: boolean) => {
    const script = new URL('../companions/floor-server.ts', import.meta.url)
    const floor = startCompanion<FloorOptions, { port: number }>(script, cleanup)
    const connections = DATABASE_CONNECTIONS
    return await floor.ask({ databaseUrl, redisUrl, connections, prepared, signatory })
  }
  const { port } =
    options.nodeOptions.length > 0
      ? await startSources(stores, cleanup, options.nodeOptions)
      : await startService('server', stores, cleanup)
  const ports = {
    ours: port,
    plain: (await startFloor(false)).port,
    prepared: (await startFloor(true)).port,
  }
  const generator = startCompanion<Load, LoadResult | { failure: string }>(
    new URL('../companions/load.ts', import.meta.url),
    cleanup,
  )
  const { keyId, privateKeyPem, borrowerId } = signatory

  const measure = (name: string, aim: Aim, { requests, ...load }: Measured) =>
    compare(name, aim, options.rounds, async (side, share) => {
      const result = await generator.ask({
        ...load,
        requests: Math.round(requests * share),
        port: ports[side],
        connections: CONNECTIONS,
        keyIds: [keyId],
        privateKeyPem,
      })
      if ('failure' in result)
        throw new Error(`${load.method} ${load.targets[0]}: ${result.failure}`)
      return result
    })

  return {
    measure,
    read: () =>
      measure('(a) signed GET /v1/borrowers/{id}', ratioAtLeast(0.9), {
        method: 'GET',
        targets: [`/v1/borrowers/${borrowerId}`],
        body: '',
        requests: options.reads,
      }),
    create: () =>
      measure('(b) signed POST /v1/borrowers', ratioAtLeast(0.85), {
        method: 'POST',
        targets: ['/v1/borrowers'],
        body: NEW_BORROWER,
        requests: options.creations,
      }),
  }
}

/**
 * Runs ours and the floors in turn, so that whatever else the machine does falls on all of them, and
 * takes the median of the rounds' ratios. The first round of each warms up and is not counted.
 */
async function compare(name: string, aim: Aim, rounds: number, runRound: RunRound): Promise<Row[]> {
  for (const side of SIDES) await runRound(side, 0.5)
  const results: Record<Side, LoadResult>[] = []
  for (let round = 0; round < rounds; round += 1) {
    results.push({
      ours: await runRound('ours', 1),
      plain: await runRound('plain', 1),
      prepared: await runRound('prepared', 1),
    })
  }
  const middle = (pick: (result: Record<Side, LoadResult>) => number) => median(results.map(pick))
  const toRow = (floor: Side): Omit<Row, 'name' | 'aim'> => ({
    unit: 'req/s',
    ours: middle(({ ours }) => ours.perSecond),
    bare: middle((result) => result[floor].perSecond),
    ratio: middle((result) => result.ours.perSecond / result[floor].perSecond),
    p50Ms: {
      ours: middle(({ ours }) => ours.p50Ms),
      bare: middle((result) => result[floor].p50Ms),
    },
    p99Ms: {
      ours: middle(({ ours }) => ours.p99Ms),
      bare: middle((result) => result[floor].p99Ms),
    },
  })
  return [
    { name, ...toRow('plain'), aim },
    { name: `${name}, bare with prepared statements`, ...toRow('prepared'), aim },
  ]
}
