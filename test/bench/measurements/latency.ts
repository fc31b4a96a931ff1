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
import { percentile, type Row } from '../report.ts'
import type { Stores } from '../stores.ts'

const PER_SECOND = 100
/** In its first seconds a process still compiles what it runs often: a third of the slow arrivals were theirs. */
const WARM_UP_SECONDS = 10
const PATIENCE_MS = 30_000

/** Commit to first attempt at 100 events a second, with Redis and then without it. */
export async function measureLatency(
  db: Db,
  stores: Stores,
  { seconds }: { seconds: number },
): Promise<Row[]> {
  await using cleanup = new AsyncDisposableStack()
  const redis = await stores.startRedis()
  const ours = { ...stores, redisUrl: redis.url }
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
  await startService('worker', ours, cleanup)
  const environment = serviceEnvironment(ours)
  const measure = (count: number) =>
    findArrivals(appender, receiver, {
      ask: 'paced',
      environment,
      tenantId,
      perSecond: PER_SECOND,
      count,
    })
  await measure(WARM_UP_SECONDS * PER_SECOND)
  const withRedis = await measure(seconds * PER_SECOND)
  await redis.child.stop()
  const withoutRedis = await measure(seconds * PER_SECOND)
  const toRow = (name: string, waits: readonly number[], aim: Aim): Row => ({
    name,
    unit: 'events/s',
    ours: PER_SECOND,
    p50Ms: { ours: percentile(waits, 0.5) },
    p99Ms: { ours: percentile(waits, 0.99) },
    aim,
  })
  return [
    toRow('(d) commit → first attempt', withRedis, all(p50AtMost(1), p99AtMost(3))),
    toRow('(d) the same with Redis down', withoutRedis, p99AtMost(5_000)),
  ]
}

/** Milliseconds from each event's commit to its arrival. */
export async function findArrivals(
  appender: Companion<AppendQuestion, AppendAnswer>,
  receiver: Companion<ReceiverQuestion, ReceiverAnswer>,
  question: AppendQuestion,
): Promise<number[]> {
  const { committed } = await appender.ask(question)
  const waits: number[] = []
  const deadline = Date.now() + PATIENCE_MS
  while (waits.length < committed.size) {
    if (Date.now() > deadline) throw new Error(`${committed.size - waits.length} events not seen`)
    await pause(100)
    const { arrivals } = await receiver.ask({ ask: 'arrivals' })
    for (const [borrowerId, arrivedAt] of arrivals) {
      const committedAt = committed.get(borrowerId)
      if (committedAt !== undefined) waits.push(arrivedAt - committedAt)
    }
  }
  return waits
}
