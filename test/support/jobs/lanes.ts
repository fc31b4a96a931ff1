import { Redis } from 'ioredis'
import { pino } from 'pino'
import { type Clock, systemClock } from '../../../src/core/time.ts'
import type { Db } from '../../../src/db/database.ts'
import type { Topic } from '../../../src/domain/work/topics.ts'
import {
  type Lane,
  openQueues,
  producerRedisOptions,
  type Queues,
  startQueues,
} from '../../../src/jobs/queues.ts'
import { runSweeps } from '../../../src/jobs/sweep.ts'
import { createWorkSweep } from '../../../src/jobs/work/sweep-work.ts'
import { createWorkerConnections } from '../../../src/jobs/work/work-connections.ts'
import { createWorkLanes, type WorkHandler } from '../../../src/jobs/work/work-lanes.ts'
import { createMetrics } from '../../../src/telemetry/metrics.ts'

const logger = pino({ level: 'silent' })

/** The producer's side of a process, closed with `open`. */
export async function openTestQueues(open: AsyncDisposableStack, url: string): Promise<Queues> {
  const redis = new Redis(url, producerRedisOptions)
  redis.on('error', () => undefined)
  const queues = openQueues(redis, logger)
  open.defer(async () => {
    await queues.close()
    redis.disconnect()
  })
  await new Promise((resolve) => redis.once('ready', resolve))
  return queues
}

/** A worker of these topics alone: with consumers of all queues, unless it `takesJobs: false`, and with a sweep
 * if it `sweeps`. Drained with `open`. */
export async function startTestWorker(
  open: AsyncDisposableStack,
  handlers: readonly [Topic, WorkHandler][],
  stores: { db: Db; redisUrl: string; clock?: Clock; sweeps?: boolean; takesJobs?: boolean },
) {
  const { db, redisUrl, clock = systemClock, sweeps = false, takesJobs = true } = stores
  const queues = await openTestQueues(open, redisUrl)
  const redis = new Redis(redisUrl, {
    maxRetriesPerRequest: null,
    retryStrategy: (attempt) => Math.min(attempt * 50, 1_000),
  })
  redis.on('error', () => undefined)
  open.defer(() => redis.disconnect())
  const metrics = createMetrics()
  const context = { db, clock, logger, metrics, slots: createWorkerConnections(10) }
  const lanes = createWorkLanes(context, new Map(handlers), (lane) => queues.add([lane]))
  const ran: Lane[] = []
  const run = async (lane: Lane) => {
    ran.push(lane)
    return lane.queue === 'deliveries' ? 'done' : await lanes.run(lane)
  }
  const consumers = takesJobs ? startQueues(redis, { run, queues, logger }) : undefined
  const stop = new AbortController()
  const work = createWorkSweep(
    context,
    handlers.map(([topic]) => topic),
  )
  const swept = sweeps
    ? runSweeps(stop.signal, { run, queues, logger }, { work }, () => {})
    : undefined
  let drained: Promise<unknown> | undefined
  const drain = () => {
    stop.abort()
    drained ??= Promise.all([lanes.drain(), consumers?.close(), swept])
    return drained
  }
  open.defer(async () => void (await drain()))
  return { queues, metrics, ran, drain }
}
