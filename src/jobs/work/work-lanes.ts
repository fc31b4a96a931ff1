import type { Logger } from 'pino'
import { type Clock, SECOND_MS } from '../../core/time.ts'
import type { ConnectionSlots } from '../../db/connections/connection-slots.ts'
import type { Db } from '../../db/database.ts'
import {
  type Claim,
  claimDeadline,
  claimLane,
  giveBack,
  mayBegin,
} from '../../domain/work/claim.ts'
import type { DeadlineLane, TopicLane, WorkLane } from '../../domain/work/lanes.ts'
import { type ItemResult, runBatch, runClaimed } from '../../domain/work/run-work.ts'
import { createSettler } from '../../domain/work/settle.ts'
import { PRIORITIES, type Priority, type Topic, topicRow } from '../../domain/work/topics.ts'
import type { WorkResult } from '../../domain/work/work.ts'
import type { Metrics } from '../../telemetry/metrics.ts'
import { createPlaces } from '../places.ts'
import { laneId, type Outcome } from '../queues.ts'

/** Runs one subject, or a batch of one tenant; results are in the order of the claims. */
export type WorkHandler =
  | { run(claim: Claim): Promise<WorkResult> }
  | { runBatch(claims: readonly Claim[]): Promise<readonly ItemResult[]> }

/** Other topics are left to the release that knows them. */
export type WorkHandlers = ReadonlyMap<Topic, WorkHandler>

export type WorkLanes = {
  /** Claims a portion of what is due of a lane, runs it and settles it: `more` if there may be more. A
   * lane may run several times at once, as where the sweep runs what waits behind a slow call. It never waits for a place: a lane without one ends, and is added again once it may get one. */
  run(lane: WorkLane): Promise<Outcome>
  /** Begins nothing more, and ends what runs. */
  drain(): Promise<void>
}

type LanesContext = {
  db: Db
  clock: Clock
  logger: Logger
  metrics: Metrics
  slots: Pick<ConnectionSlots, 'run'>
}

/** Items of one lane that run side by side, where they do not run in batches and a class has places to
 * spare. */
const PORTION = 8

/** Each job of a class has a place for one item or one batch. This part of its slots comes on top, for more
 * items of few lanes: with them the eight lanes of a tenant fill its half. A job that took the places of
 * others would send these back to the queue. */
const SPARE = 4

/** A lane of deadlines goes to the back of the queue after this. With the longest run it stays below the
 * lease. */
const DEADLINES_MS = 10 * SECOND_MS

export function createWorkLanes(
  context: LanesContext,
  handlers: WorkHandlers,
  again: (lane: WorkLane) => void,
): WorkLanes {
  const { db, clock } = context
  const deadlineTopics = [...handlers.keys()].filter(
    (topic) => topicRow(topic).priority === 'deadlines',
  )
  const classes = new Map(
    Object.entries(PRIORITIES).map(([name, { slots }]) => {
      // A tenant may take half of the places, and at least one.
      const perTenant = Math.max(1, Math.floor(slots / 2))
      const spare = Math.ceil(slots / SPARE)
      const total = slots + spare
      const places = createPlaces<WorkLane>({ total, perTenant, idOf: laneId, again })
      return [name as Priority, { places, spare }]
    }),
  )
  const classOf = ({ queue }: WorkLane) => {
    const found = classes.get(queue)
    if (!found) throw new Error(`there is no class ${queue}`)
    return found
  }
  const runItems = createRunner(context)
  const running = new Set<Promise<unknown>>()
  let isDraining = false

  /** Otherwise they are free for others at once. */
  const begins = async (claims: readonly Claim[]) => {
    const isInTime = claims.every((claim) => mayBegin(claim, clock()))
    if (isInTime && !isDraining) return true
    await giveBack(db, claims, clock())
    return claims.length === 0
  }

  const runPortion = async (lane: TopicLane): Promise<Outcome> => {
    const handler = handlers.get(lane.topic)
    if (!handler) return 'done'
    const isBatch = 'runBatch' in handler
    const size = isBatch ? (topicRow(lane.topic).batch ?? 1) : 1
    const own = classOf(lane)
    const extra = isBatch ? 0 : Math.min(PORTION - 1, own.spare)
    let held = own.places.take(lane, 1 + extra)
    if (held === 0) return 'capped'
    own.spare -= held - 1
    const give = (count: number) => {
      if (count === 0) return
      own.spare += held - Math.max(held - count, 1)
      held -= count
      own.places.free(lane, count)
    }
    try {
      const most = held * size
      const claims = await claimLane(db, lane, most, clock)
      if (!(await begins(claims))) return 'more'
      if (isBatch) await runItems.batch(handler, claims)
      else {
        give(held - claims.length)
        await Promise.all(claims.map((one) => runItems.one(handler, one).finally(() => give(1))))
      }
      return claims.length === most ? 'more' : 'done'
    } finally {
      give(held)
    }
  }

  const runDeadlines = async (lane: DeadlineLane): Promise<Outcome> => {
    const { places } = classOf(lane)
    if (places.take(lane, 1) === 0) return 'capped'
    try {
      const until = performance.now() + DEADLINES_MS
      while (!isDraining && performance.now() < until) {
        const claim = await claimDeadline(db, lane.tenantId, deadlineTopics, clock)
        const handler = claim && handlers.get(claim.topic)
        if (!handler || !('run' in handler)) return 'done'
        if (!(await begins([claim]))) return 'more'
        await runItems.one(handler, claim)
      }
      return 'more'
    } finally {
      places.free(lane, 1)
    }
  }

  return {
    async run(lane) {
      if (isDraining) return 'more'
      const run = lane.queue === 'deadlines' ? runDeadlines(lane) : runPortion(lane)
      running.add(run)
      try {
        return await run
      } finally {
        running.delete(run)
      }
    },
    async drain() {
      isDraining = true
      await Promise.allSettled(running)
    },
  }
}

/** Neither throws: what fails is logged, and settled to be tried again. */
function createRunner(context: LanesContext) {
  const runContext = { ...context, settle: createSettler(context.db) }
  const inClass = <T>(topic: Topic, work: () => T) =>
    context.slots.run(topicRow(topic).priority, work)

  return {
    async one(handler: { run(claim: Claim): Promise<WorkResult> }, claim: Claim) {
      const { topic, tenantId, subjectId } = claim
      const observe = startObserving(context, topic, { tenantId, subjectId })
      try {
        await runClaimed(runContext, claim, () => inClass(topic, () => handler.run(claim)))
        observe()
      } catch (error) {
        observe({ error })
      }
    },
    async batch(
      handler: { runBatch(claims: readonly Claim[]): Promise<readonly ItemResult[]> },
      claims: readonly Claim[],
    ) {
      const [first] = claims
      if (!first) return
      const { topic, tenantId } = first
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
    },
  }
}

function startObserving({ logger, metrics }: LanesContext, job: string, ids: object) {
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
