import { setTimeout as pause } from 'node:timers/promises'
import { createSealer } from '../../../src/core/sealing.ts'
import { createDatabase, type Db, inTransaction } from '../../../src/db/database.ts'
import { distribute } from '../../../src/db/distribute.ts'
import { migrateToLatest } from '../../../src/db/migrate.ts'
import { createSigningSecret } from '../../../src/domain/webhooks/signing-secret.ts'
import { LocalFailure } from '../../../src/local/local-failure.ts'
import {
  createCitusDatabase,
  dropCitusDatabase,
  findNodeOf,
  findNodes,
  onEachNode,
  withDatabase,
} from '../../support/stores/citus.ts'
import type { AppendAnswer, AppendQuestion } from '../companions/append-events.ts'
import type { Load, LoadResult } from '../companions/load.ts'
import { readCpuSeconds } from '../companions/process-cost.ts'
import {
  type Companion,
  ENCRYPTION_KEY,
  type Service,
  serviceEnvironment,
  startCompanion,
  startService,
} from '../companions/processes.ts'
import type { ReceiverAnswer, ReceiverQuestion } from '../companions/receiver.ts'
import { clearLeftovers, type Signatory, seedTenant } from '../data/seed.ts'
import { addWebhooks } from '../data/webhook-data.ts'
import { openCleanup } from '../open-cleanup.ts'
import { median, type Row } from '../report.ts'
import type { Stores } from '../stores.ts'
import { isWaiting, LIVE_TYPES, LIVE_WRITERS } from './live.ts'

type Settings = { rounds: number; reads: number; creations: number; events: number }

const SIDES = ['plain', 'one', 'two'] as const
type Side = (typeof SIDES)[number]

/** As many on each worker node. */
const TENANTS = 8

const NEW_BORROWER = JSON.stringify({
  type: 'individual',
  kyc_attested: true,
  residency_country: 'DE',
})

type House = {
  db: Db
  stores: Stores
  api: Service
  appender: Companion<AppendQuestion, AppendAnswer>
  tenants: readonly Signatory[]
  /** Of the coordinator and the worker nodes. */
  serverPids: readonly number[]
}

type Bench = {
  houses: Record<Side, House>
  generator: Companion<Load, LoadResult | { failure: string }>
  rounds: number
}

/** How much a second. */
type Run = (house: House) => Promise<number>

/** `cores`: used by all servers of the database meanwhile. */
type Figures = { perSecond: number; cores: number }

/** The coordinator of CITUS_URL as a PostgreSQL of its own, with one worker node, and with two. */
export async function measureCitus(stores: Stores, settings: Settings): Promise<Row[]> {
  await using cleanup = openCleanup()
  const nodes = await findTwoWorkers()
  const receiver = startCompanion<ReceiverQuestion, ReceiverAnswer>(
    new URL('../companions/receiver.ts', import.meta.url),
    cleanup,
  )
  const { port } = await receiver.ask({ ask: 'listen', noteArrivals: false })
  const [coordinator = '', first = '', second = ''] = nodes
  const open = (side: Side, servers: readonly string[]) =>
    openHouse({ stores, side, servers, port }, cleanup)
  const houses = {
    plain: await open('plain', [coordinator]),
    one: await open('one', [coordinator, first]),
    two: await open('two', [coordinator, first, second]),
  }
  const bench: Bench = {
    houses,
    generator: startCompanion(new URL('../companions/load.ts', import.meta.url), cleanup),
    rounds: settings.rounds,
  }
  const reads = await compare(bench, 'signed GET', 'req/s', (house) =>
    sendRequests(bench, house, 'GET', settings.reads),
  )
  const creations = await compare(bench, 'signed POST', 'req/s', (house) =>
    sendRequests(bench, house, 'POST', settings.creations),
  )
  for (const { db, stores: own } of Object.values(houses)) {
    await clearLeftovers(db, own.redisUrl)
    await startService('worker', own, cleanup)
  }
  const deliveries = await compare(bench, 'created and delivered', 'events/s', (house) =>
    deliverLive(house, settings.events),
  )
  return [...reads, ...creations, ...deliveries]
}

async function findTwoWorkers(): Promise<string[]> {
  const { CITUS_URL } = process.env
  if (!CITUS_URL) {
    throw new LocalFailure('CITUS_URL is not set: set it to the coordinator of a Citus cluster.')
  }
  const nodes = await findNodes(CITUS_URL)
  if (nodes.length >= 3) return nodes.slice(0, 3)
  throw new LocalFailure('The cluster of CITUS_URL has one worker node, and two are compared.')
}

type Opening = { stores: Stores; side: Side; servers: readonly string[]; port: number }

async function openHouse(
  { stores, side, servers, port }: Opening,
  cleanup: AsyncDisposableStack,
): Promise<House> {
  const name = `bench_${side}_${process.pid}`
  cleanup.defer(() => dropCitusDatabase(servers, name))
  const databaseUrl = await createOn(servers, name)
  await migrateToLatest(databaseUrl, { stack: 'sandbox' })
  const db = createDatabase({ connectionString: databaseUrl, maxConnections: 4 })
  cleanup.defer(() => db.destroy())
  const workers = servers.slice(1)
  if (workers.length > 0) await distribute(db)
  const tenants = await seedEvenly(db, workers, port)
  const redis = await stores.startRedis()
  const own = { ...stores, databaseUrl, redisUrl: redis.url, redisPid: redis.child.identity.pid }
  const files = await onEachNode(servers, `SELECT pg_read_file('postmaster.pid') AS text`)
  return {
    ...{ db, stores: own, tenants },
    api: await startService('server', own, cleanup),
    appender: startCompanion(new URL('../companions/append-events.ts', import.meta.url), cleanup),
    serverPids: files.map(({ rows }) => Number.parseInt(rows[0].text, 10)),
  }
}

async function createOn([server = '', ...workers]: readonly string[], name: string) {
  if (workers.length > 0) return await createCitusDatabase([server, ...workers], name)
  await onEachNode([server], `CREATE DATABASE ${name}`)
  return withDatabase(server, name)
}

/** Tenants with an endpoint each, whose keys share one private key. */
async function seedEvenly(db: Db, workers: readonly string[], port: number): Promise<Signatory[]> {
  const seeded: Signatory[] = []
  const most = TENANTS / Math.max(1, workers.length)
  const countOf = new Map<string, number>()
  while (seeded.length < TENANTS) {
    const tenant = await seedTenant(db, seeded[0])
    const node = workers.length > 0 ? await findNodeOf(db, workers, tenant.tenantId) : ''
    const count = countOf.get(node) ?? 0
    if (count >= most) continue
    countOf.set(node, count + 1)
    seeded.push(tenant)
    const sealer = createSealer([ENCRYPTION_KEY])
    await inTransaction(db, async (tx) => {
      await addWebhooks(tx, tenant.tenantId, port, 1)
      await createSigningSecret(tx, tenant.tenantId, sealer, new Date())
    })
  }
  return seeded
}

async function compare(
  { houses, rounds }: Bench,
  name: string,
  unit: string,
  run: Run,
): Promise<Row[]> {
  const results: Record<Side, Figures>[] = []
  // The first round warms up.
  for (let round = 0; round <= rounds; round += 1) {
    const plain = await measureCores(houses.plain, run)
    const one = await measureCores(houses.one, run)
    const figures = { plain, one, two: await measureCores(houses.two, run) }
    if (round > 0) results.push(figures)
  }
  const middle = (pick: (result: Record<Side, Figures>) => number) => median(results.map(pick))
  const pair = (ours: Side, bare: Side) => [
    {
      name: `(citus) ${name}: ${NAMES[ours]} against ${NAMES[bare]}`,
      unit,
      ours: middle((result) => result[ours].perSecond),
      bare: middle((result) => result[bare].perSecond),
      ratio: middle((result) => result[ours].perSecond / result[bare].perSecond),
    },
    {
      name: '(citus) the same: cores used by the servers of the database',
      unit: 'cores',
      ours: middle((result) => result[ours].cores),
      bare: middle((result) => result[bare].cores),
    },
  ]
  return [...pair('one', 'plain'), ...pair('two', 'one')]
}

const NAMES: Record<Side, string> = {
  plain: 'one PostgreSQL',
  one: 'one worker node',
  two: 'two worker nodes',
}

async function measureCores(house: House, run: Run): Promise<Figures> {
  const used = () => house.serverPids.map(readCpuSeconds).reduce((sum, one) => sum + one, 0)
  const before = used()
  const startedAt = performance.now()
  const perSecond = await run(house)
  return { perSecond, cores: ((used() - before) * 1_000) / (performance.now() - startedAt) }
}

async function sendRequests(
  { generator }: Bench,
  { api, tenants }: House,
  method: 'GET' | 'POST',
  requests: number,
): Promise<number> {
  const result = await generator.ask({
    ...{ method, requests, port: api.port, connections: 32 },
    targets:
      method === 'GET'
        ? tenants.map(({ borrowerId }) => `/v1/borrowers/${borrowerId}`)
        : ['/v1/borrowers'],
    body: method === 'GET' ? '' : NEW_BORROWER,
    keyIds: tenants.map(({ keyId }) => keyId),
    privateKeyPem: tenants[0]?.privateKeyPem ?? '',
  })
  if ('failure' in result) throw new Error(result.failure)
  return result.perSecond
}

/** From the first write until the last attempt is recorded. */
async function deliverLive(
  { db, stores, tenants, appender }: House,
  count: number,
): Promise<number> {
  const tenantIds = tenants.map(({ tenantId }) => tenantId)
  // What requests have left is delivered first.
  while (await isWaiting(db, tenantIds)) await pause(10)
  const burst = { ask: 'burst' as const, types: LIVE_TYPES, writers: LIVE_WRITERS, tenantIds }
  const startedAt = performance.now()
  await appender.ask({ ...burst, environment: serviceEnvironment(stores), count })
  while (await isWaiting(db, tenantIds)) await pause(10)
  return (count * 1_000) / (performance.now() - startedAt)
}
