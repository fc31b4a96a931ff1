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
 * cold caches and sleeping cores, which they would not at a hundred a second, so they do not count. */
const TURNS = 4
const LEAD_IN_SECONDS = 1

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
  const leadIn = LEAD_IN_SECONDS * PER_SECOND
  const ours = (forSeconds: number) => {
    const count = leadIn + forSeconds * PER_SECOND
    return findWaits(receiver, appender.ask({ ...paced, environment, tenantId, count }), leadIn)
  }
  const bare = (forSeconds: number) => {
    const { databaseUrl, redisUrl } = own
    const count = leadIn + forSeconds * PER_SECOND
    return findWaits(receiver, floor.writer.ask({ ...paced, databaseUrl, redisUrl, count }), leadIn)
  }
  await ours(WARM_UP_SECONDS)
  await bare(WARM_UP_SECONDS)
  const waits = { ours: [] as Wait[], bare: [] as Wait[] }
  for (let turn = 0; turn < TURNS; turn += 1) {
    waits.ours.push(...(await ours(seconds / TURNS)))
    waits.bare.push(...(await bare(seconds / TURNS)))
  }
  await redis.child.stop()
  const withoutRedis = await ours(seconds)
  const compare = (from: keyof Wait, share: number) => ({
    ours: percentileOf(waits.ours, from, share),
    bare: percentileOf(waits.bare, from, share),
  })
  const toRow = (name: string, from: keyof Wait, aim?: Aim): Row => ({
    name,
    unit: 'events/s',
    ours: PER_SECOND,
    bare: PER_SECOND,
    p50Ms: compare(from, 0.5),
    p99Ms: compare(from, 0.99),
    ...(aim && { aim }),
  })
  return [
    toRow('(d) commit → first attempt', 'fromCommitMs', all(p50AtMost(1), p99AtMost(3))),
    toRow('(d) start of the change → first attempt', 'fromStartMs'),
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

type Wait = { fromStartMs: number; fromCommitMs: number }

function percentileOf(waits: readonly Wait[], from: keyof Wait, share: number): number {
  const times = waits.map((wait) => wait[from])
  return percentile(times, share)
}

/** Of each event that was written, but for the first so many, until its arrival. */
async function findWaits(
  receiver: Companion<ReceiverQuestion, ReceiverAnswer>,
  written: Promise<AppendAnswer>,
  leadIn = 0,
): Promise<Wait[]> {
  const { begun, committed } = await written
  const early = new Set([...begun.keys()].slice(0, leadIn))
  const waits: Wait[] = []
  const unseen = new Set(begun.keys())
  const deadline = Date.now() + PATIENCE_MS
  while (unseen.size > 0) {
    if (Date.now() > deadline) throw new Error(`${unseen.size} events not seen`)
    await pause(100)
    const { arrivals } = await receiver.ask({ ask: 'arrivals' })
    for (const [borrowerId, arrivedAt] of arrivals) {
      const startedAt = begun.get(borrowerId)
      const committedAt = committed.get(borrowerId)
      if (startedAt === undefined || committedAt === undefined) continue
      unseen.delete(borrowerId)
      if (early.has(borrowerId)) continue
      waits.push({ fromStartMs: arrivedAt - startedAt, fromCommitMs: arrivedAt - committedAt })
    }
  }
  return waits
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
