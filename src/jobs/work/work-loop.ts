import { setTimeout } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Clock } from '../../core/time.ts'
import type { ConnectionSlots } from '../../db/connections/connection-slots.ts'
import type { Db } from '../../db/database.ts'
import { type Claim, claimWork, markWorkDue } from '../../domain/work/claim.ts'
import { type ItemResult, runBatch, runClaimed } from '../../domain/work/run-work.ts'
import { createSettler } from '../../domain/work/settle.ts'
import { type Topic, topicRow } from '../../domain/work/topics.ts'
import type { WorkResult } from '../../domain/work/work.ts'
import type { Metrics } from '../../telemetry/metrics.ts'
import { createWorkSlots, type Run, toRuns } from './work-slots.ts'

/** Runs one subject, or a batch of one tenant; results are in the order of the claims. */
export type WorkHandler =
  | { run(claim: Claim): Promise<WorkResult> }
  | { runBatch(claims: readonly Claim[]): Promise<readonly ItemResult[]> }

/** Other topics are left to the release that knows them. */
export type WorkHandlers = ReadonlyMap<Topic, WorkHandler>

export type WorkLoop = {
  wake(): void
  /** Marks what has become due, then claims. */
  sweep(): Promise<void>
  drain(): Promise<void>
}

type LoopContext = {
  db: Db
  clock: Clock
  logger: Logger
  metrics: Metrics
  slots: Pick<ConnectionSlots, 'run'>
}

const PAUSE_MS = 1_000

/** Claims for all free slots; again, at once or as slots become free, where something is left. */
export function createWorkLoop(context: LoopContext, handlers: WorkHandlers): WorkLoop {
  const { db, clock, logger } = context
  const topics = [...handlers.keys()]
  const slots = createWorkSlots(topics)
  const running = new Set<Promise<void>>()
  const run = createRunner(context, handlers)
  let claiming: Promise<void> | undefined
  let isDraining = false

  const start = (claims: readonly Claim[]) => {
    const runs = toRuns(claims)
    for (const one of runs) slots.take(one)
    for (const one of runs) {
      const finished = run(one).finally(() => {
        slots.free(one)
        running.delete(finished)
        claimWanted()
      })
      running.add(finished)
    }
  }

  const claimAll = async () => {
    await new Promise((resolve) => setImmediate(resolve))
    while (slots.isWanting() && !isDraining) {
      const { claims, next, failures } = await claimWork(db, topics, slots.takeDemands(), clock())
      for (const [priority, goingOn] of next) slots.goOn(priority, goingOn)
      start(claims)
      for (const error of failures) logger.error({ err: error }, 'claiming work failed')
    }
  }

  const claimWanted = () => {
    if (claiming || isDraining || !slots.isWanting()) return
    claiming = claimAll()
      .catch(async (error: unknown) => {
        logger.error({ err: error }, 'claiming work failed')
        await setTimeout(PAUSE_MS, undefined, { ref: false })
      })
      .finally(() => {
        claiming = undefined
        claimWanted()
      })
  }

  const wake = () => {
    slots.ask()
    claimWanted()
  }

  return {
    wake,
    async sweep() {
      try {
        while (!isDraining && !(await markWorkDue(db, topics, clock()))) wake()
      } finally {
        // What could not be marked, such as that of a node which is away, holds up nothing else.
        wake()
      }
    },
    async drain() {
      isDraining = true
      await claiming
      await Promise.all(running)
    },
  }
}

/** Never throws. */
function createRunner(context: LoopContext, handlers: WorkHandlers) {
  const runContext = { ...context, settle: createSettler(context.db) }
  const inClass = <T>(topic: Topic, work: () => T) =>
    context.slots.run(topicRow(topic).priority, work)

  const runOne = async (claim: Claim, handler: { run(claim: Claim): Promise<WorkResult> }) => {
    const { topic, tenantId, subjectId } = claim
    const observe = startObserving(context, topic, { tenantId, subjectId })
    try {
      await runClaimed(runContext, claim, () => inClass(topic, () => handler.run(claim)))
      observe()
    } catch (error) {
      observe({ error })
    }
  }

  const runMany = async (
    { topic, tenantId, claims }: Run,
    handler: { runBatch(claims: readonly Claim[]): Promise<readonly ItemResult[]> },
  ) => {
    const observe = startObserving(context, topic, { tenantId, subjects: claims.length })
    try {
      const results = await runBatch(runContext, claims, (batch) =>
        inClass(topic, () => handler.runBatch(batch)),
      )
      const failed = results.filter((result) => 'error' in result)
      observe(failed[0], failed.length)
    } catch (error) {
      observe({ error }, claims.length)
    }
  }

  return async (run: Run): Promise<void> => {
    const handler = handlers.get(run.topic)
    if (!handler) return
    if ('runBatch' in handler) await runMany(run, handler)
    else await Promise.all(run.claims.map((claim) => runOne(claim, handler)))
  }
}

function startObserving({ logger, metrics }: LoopContext, job: string, ids: object) {
  const log = logger.child({ job, ...ids })
  const startedAt = performance.now()
  return (failure?: { error: unknown }, failed?: number) => {
    const durationMs = Math.round(performance.now() - startedAt)
    const outcome = failure ? 'failed' : 'done'
    metrics.jobs.observe({ job, outcome }, durationMs / 1_000)
    if (failure) log.error({ durationMs, failed, err: failure.error }, 'job failed')
    else log.info({ durationMs }, 'job done')
  }
}
