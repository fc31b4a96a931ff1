import { createSealer } from '../../../src/core/sealing.ts'
import { type Db, inTransaction } from '../../../src/db/database.ts'
import { createSigningSecret } from '../../../src/domain/webhooks/signing-secret.ts'
import { type Aim, ratioAtLeast } from '../aims.ts'
import type { Load, LoadResult } from '../companions/load.ts'
import { readCpuSeconds } from '../companions/process-cost.ts'
import {
  type Companion,
  ENCRYPTION_KEY,
  type Service,
  startCompanion,
  startService,
} from '../companions/processes.ts'
import type { ReceiverAnswer, ReceiverQuestion } from '../companions/receiver.ts'
import { seedTenant } from '../data/seed.ts'
import { eventBody, seedWebhooks } from '../data/webhook-data.ts'
import { openCleanup } from '../open-cleanup.ts'
import { median, type Row } from '../report.ts'
import type { Stores } from '../stores.ts'
import { deliverBacklog } from './deliveries.ts'
import { readPostgresPid } from './live.ts'

type Settings = { rounds: number; reads: number; backlog: number }

/** Two processes of one command against one, in turn, on a machine that holds all else too. */
export async function measureProcesses(db: Db, stores: Stores, settings: Settings): Promise<Row[]> {
  const requests = await measureRequests(db, stores, settings)
  return [...requests, await measureWorkers(db, stores, settings)]
}

const SIDES = ['two', 'one'] as const
type Side = (typeof SIDES)[number]

const count = (side: Side) => (side === 'two' ? '2' : '1')

type Generator = Companion<Load, LoadResult | { failure: string }>

async function measureRequests(db: Db, stores: Stores, settings: Settings): Promise<Row[]> {
  await using cleanup = openCleanup()
  const { keyId, privateKeyPem, borrowerId } = await seedTenant(db)
  const start = (side: Side) =>
    startService('server', stores, cleanup, {
      API_PROCESSES: count(side),
      REQUEST_LOG_DAYS: '0',
    })
  const services = { two: await start('two'), one: await start('one') }
  const script = new URL('../companions/load.ts', import.meta.url)
  const generator: Generator = startCompanion(script, cleanup)
  const common = {
    ...{ method: 'GET' as const, body: '', keyIds: [keyId], privateKeyPem },
    ...{ connections: 32, requests: settings.reads, port: 0 },
  }
  const target = `/v1/borrowers/${borrowerId}`
  const measure = (name: string, load: Load, aim: Aim) =>
    compare({ generator, services, stores, rounds: settings.rounds }, name, load, aim)
  return [
    ...(await measure(
      'signed GET, which reads PostgreSQL',
      { ...common, targets: [target] },
      ratioAtLeast(1.1),
    )),
    ...(await measure(
      'signed GET, refused before PostgreSQL is asked',
      { ...common, targets: [`${target}?unknown=1`], expected: '4' },
      ratioAtLeast(1.3),
    )),
  ]
}

type Bench = {
  generator: Generator
  services: Record<Side, Service>
  stores: Stores
  rounds: number
}

/** With the cores that each part of the machine used meanwhile, which show what bounds it. */
type Figures = LoadResult & { api: number; postgres: number; redis: number; load: number }

async function compare(bench: Bench, name: string, load: Load, aim: Aim): Promise<Row[]> {
  for (const side of SIDES) await runRound(bench, side, load)
  const results: Record<Side, Figures>[] = []
  for (let round = 0; round < bench.rounds; round += 1) {
    const two = await runRound(bench, 'two', load)
    results.push({ two, one: await runRound(bench, 'one', load) })
  }
  const middle = (pick: (result: Record<Side, Figures>) => number) => median(results.map(pick))
  const cores = (['api', 'postgres', 'redis', 'load'] as const).map((part) => ({
    name: `(u) the same: cores used by ${PARTS[part]}`,
    unit: 'cores',
    ours: middle(({ two }) => two[part]),
    bare: middle(({ one }) => one[part]),
  }))
  return [
    {
      name: `(u) ${name}: two API processes against one`,
      unit: 'req/s',
      ours: middle(({ two }) => two.perSecond),
      bare: middle(({ one }) => one.perSecond),
      ratio: middle(({ two, one }) => two.perSecond / one.perSecond),
      p50Ms: { ours: middle(({ two }) => two.p50Ms), bare: middle(({ one }) => one.p50Ms) },
      p99Ms: { ours: middle(({ two }) => two.p99Ms), bare: middle(({ one }) => one.p99Ms) },
      aim,
    },
    ...cores,
  ]
}

const PARTS = {
  api: 'the API',
  postgres: 'PostgreSQL',
  redis: 'Redis',
  load: 'the load generator',
}

async function runRound(bench: Bench, side: Side, load: Load): Promise<Figures> {
  const { generator, services, stores } = bench
  const { pid, port } = services[side]
  const pids = [pid, readPostgresPid(stores), stores.redisPid]
  const before = pids.map(readCpuSeconds)
  const result = await generator.ask({ ...load, port })
  if ('failure' in result) throw new Error(result.failure)
  const used = pids.map((one, at) => (readCpuSeconds(one) - (before[at] ?? 0)) / result.seconds)
  const [api = 0, postgres = 0, redis = 0] = used
  return { ...result, api, postgres, redis, load: result.cpuSeconds / result.seconds }
}

/** A backlog over eight webhooks, by the workers of one command, which starts again for each. */
async function measureWorkers(db: Db, stores: Stores, { rounds, backlog }: Settings): Promise<Row> {
  await using cleanup = openCleanup()
  const receiver = startCompanion<ReceiverQuestion, ReceiverAnswer>(
    new URL('../companions/receiver.ts', import.meta.url),
    cleanup,
  )
  const { port } = await receiver.ask({ ask: 'listen', noteArrivals: false })
  const to = await seedWebhooks(db, port, 8)
  const sealer = createSealer([ENCRYPTION_KEY])
  await inTransaction(db, (tx) => createSigningSecret(tx, to.tenantId, sealer, new Date()))
  const body = eventBody(1_000)
  const run = async (side: Side) => {
    await using ended = openCleanup()
    await startService('worker', stores, ended, { WORKER_PROCESSES: count(side) })
    // Warms up.
    await deliverBacklog(db, to, backlog / 2, body)
    return await deliverBacklog(db, to, backlog, body)
  }
  const pairs: Record<Side, number>[] = []
  for (let round = 0; round < rounds; round += 1) {
    const two = await run('two')
    pairs.push({ two, one: await run('one') })
  }
  return {
    name: '(u) deliveries, backlog over 8 webhooks: two workers against one',
    unit: '/s',
    ours: median(pairs.map(({ two }) => two)),
    bare: median(pairs.map(({ one }) => one)),
    ratio: median(pairs.map(({ two, one }) => two / one)),
    aim: ratioAtLeast(1),
  }
}
