import { setTimeout as pause } from 'node:timers/promises'
import type { Db } from '../../../src/db/database.ts'
import { type Aim, all, p50AtMost, p99AtMost } from '../aims.ts'
import type { AppendAnswer, AppendQuestion } from '../companions/append-events.ts'
import {
  type Companion,
  serviceEnvironment,
  startCompanion,
  startService,
} from '../companions/processes.ts'
import type { ReceiverAnswer, ReceiverQuestion } from '../companions/receiver.ts'
import { seedWebhooks } from '../data/webhook-data.ts'
import { openCleanup } from '../open-cleanup.ts'
import { percentile, type Row } from '../report.ts'
import type { Stores } from '../stores.ts'
import { startBare } from './live.ts'

const PER_SECOND = 100
/** In its first minute a process still compiles what it runs often, on the cores that others wait for: most of
 * the slow arrivals were then. */
const WARM_UP_SECONDS = 60
const PATIENCE_MS = 30_000

/** Turns of ours and of the floor. One begins after the rest that the other's turn was: its first events meet
 * cold caches and sleeping cores, as they do not at a hundred a second, and have a row of their own. */
const TURNS = 4
const AFTER_REST_SECONDS = 1
const AFTER_REST = AFTER_REST_SECONDS * PER_SECOND

/** From the commit, and from the start of the change, to the first attempt, at 100 events a second: with
 * Redis and then without it. Bare is a textbook outbox, which takes turns with it. */
export async function measureLatency(
  db: Db,
  stores: Stores,
  { seconds }: { seconds: number },
): Promise<Row[]> {
  await using cleanup = openCleanup()
  const redis = await stores.startRedis()
  const own = { ...stores, redisUrl: redis.url }
  const receiver = startCompanion<ReceiverQuestion, ReceiverAnswer>(
    new URL('../companions/receiver.ts', import.meta.url),
    cleanup,
  )
  const { port } = await receiver.ask({ ask: 'listen', noteArrivals: true })
  const { tenantId } = await seedWebhooks(db, port, 1)
  const appender = startCompanion<AppendQuestion, AppendAnswer>(
    new URL('../companions/append-events.ts', import.meta.url),
    cleanup,
  )
  await startService('worker', own, cleanup)
  const floor = await startBare(db, own, port, cleanup)
  const environment = serviceEnvironment(own)
  const paced = { ask: 'paced', perSecond: PER_SECOND } as const
  const ours = (forSeconds: number) => {
    const count = forSeconds * PER_SECOND
    return findWaits(receiver, appender.ask({ ...paced, environment, tenantId, count }))
  }
  const bare = (forSeconds: number) => {
    const { databaseUrl, redisUrl } = own
    const count = forSeconds * PER_SECOND
    return findWaits(receiver, floor.writer.ask({ ...paced, databaseUrl, redisUrl, count }))
  }
  await ours(WARM_UP_SECONDS)
  await bare(WARM_UP_SECONDS)
  const turns = { ours: [] as Wait[][], bare: [] as Wait[][] }
  for (let turn = 0; turn < TURNS; turn += 1) {
    turns.ours.push(await ours(AFTER_REST_SECONDS + seconds / TURNS))
    turns.bare.push(await bare(AFTER_REST_SECONDS + seconds / TURNS))
  }
  await redis.child.stop()
  const withoutRedis = await ours(seconds)
  type Part = (waits: readonly Wait[]) => readonly Wait[]
  const later: Part = (waits) => waits.slice(AFTER_REST)
  const afterRest: Part = (waits) => waits.slice(0, AFTER_REST)
  const toRow = (name: string, part: Part, from: Span, aim?: Aim): Row => {
    const compare = (share: number) => ({
      ours: percentileOf(turns.ours.flatMap(part), from, share),
      bare: percentileOf(turns.bare.flatMap(part), from, share),
    })
    return {
      name,
      unit: 'events/s',
      ours: PER_SECOND,
      bare: PER_SECOND,
      p50Ms: compare(0.5),
      p99Ms: compare(0.99),
      ...(aim && { aim }),
    }
  }
  return [
    toRow('(d) commit → first attempt', later, 'fromCommitMs', all(p50AtMost(1), p99AtMost(3))),
    toRow('(d) start of the change → first attempt', later, 'fromStartMs'),
    toRow('(d) commit → first attempt, first second after a rest', afterRest, 'fromCommitMs'),
    {
      name: '(d) commit → first attempt with Redis down',
      unit: 'events/s',
      ours: PER_SECOND,
      p50Ms: { ours: percentileOf(withoutRedis, 'fromCommitMs', 0.5) },
      p99Ms: { ours: percentileOf(withoutRedis, 'fromCommitMs', 0.99) },
      aim: p99AtMost(5_000),
    },
  ]
}

type Span = 'fromStartMs' | 'fromCommitMs'

type Wait = { startedAt: number } & Record<Span, number>

function percentileOf(waits: readonly Wait[], from: Span, share: number): number {
  const times = waits.map((wait) => wait[from])
  return percentile(times, share)
}

/** Of each event that was written, until its arrival; in the order in which they began. */
async function findWaits(
  receiver: Companion<ReceiverQuestion, ReceiverAnswer>,
  written: Promise<AppendAnswer>,
): Promise<Wait[]> {
  const { begun, committed } = await written
  const waits: Wait[] = []
  const deadline = Date.now() + PATIENCE_MS
  while (waits.length < committed.size) {
    if (Date.now() > deadline) throw new Error(`${committed.size - waits.length} events not seen`)
    await pause(100)
    const { arrivals } = await receiver.ask({ ask: 'arrivals' })
    for (const [borrowerId, arrivedAt] of arrivals) {
      const startedAt = begun.get(borrowerId)
      const committedAt = committed.get(borrowerId)
      if (startedAt === undefined || committedAt === undefined) continue
      waits.push({
        startedAt,
        fromStartMs: arrivedAt - startedAt,
        fromCommitMs: arrivedAt - committedAt,
      })
    }
  }
  return waits.sort((a, b) => a.startedAt - b.startedAt)
}

/** Milliseconds from each event's commit to its arrival. */
export async function findArrivals(
  appender: Companion<AppendQuestion, AppendAnswer>,
  receiver: Companion<ReceiverQuestion, ReceiverAnswer>,
  question: AppendQuestion,
): Promise<number[]> {
  const waits = await findWaits(receiver, appender.ask(question))
  return waits.map(({ fromCommitMs }) => fromCommitMs)
}
