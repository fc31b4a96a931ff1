import { SECOND_MS } from '../core/time.ts'
import {
  type Lane,
  type LaneRuns,
  laneId,
  QUEUE_SLOTS,
  type QueueName,
  type Queues,
  runLane,
} from './queues.ts'
import { repeat } from './repeat.ts'

const PERIOD_MS = SECOND_MS

/** The queue has lost or cannot run what waits for longer: the sweep runs it itself. */
const OVERDUE_MS = 5 * SECOND_MS

/** A process sweeps after this though the turns were others': they may be unable to run what they find. With
 * `OVERDUE_MS` and two periods it stays below ten seconds. */
const OWN_SWEEP_MS = 3 * SECOND_MS

/** The next sweep finds the lanes beyond this number. */
const MAX_WAITING = 10_000

/** A little less than the period, so that a turn is over when its process comes again. */
const TURN_MS = 0.9 * PERIOD_MS

export type SweepContext = Omit<LaneRuns, 'queues'> & { queues: Pick<Queues, 'add' | 'takeTurn'> }

/** A lane with something due, and since when: in milliseconds. */
export type DueLane = { lane: Lane; waitedMs: number }

/** Adds what is due. What a sweep has added before it fails runs. */
export type Sweep = (add: (due: readonly DueLane[]) => void) => Promise<void>

/** Every second one process adds to the queues what is due in PostgreSQL (lost wakes, retries, deadlines,
 * expired leases), and runs what has been due for too long, whether Redis answers or not. Resolves after
 * `stop` and once what it runs has ended. */
export async function runSweeps(
  stop: AbortSignal,
  context: SweepContext,
  sweeps: Readonly<Record<string, Sweep>>,
  onSwept: (sweep: string) => void,
): Promise<void> {
  const overdue = createOverdueRuns(stop, context)
  const add = (due: readonly DueLane[]) => {
    context.queues.add(due.map(({ lane }) => lane))
    for (const { lane, waitedMs } of due) {
      if (waitedMs >= OVERDUE_MS) overdue.add(lane)
    }
  }
  // Side by side: a slow sweep must not hold up the other.
  await Promise.all(
    Object.entries(sweeps).map(([name, sweep]) => {
      let sweptAt = performance.now()
      const run = async () => {
        const isOwn = performance.now() - sweptAt >= OWN_SWEEP_MS
        if (!isOwn && !(await context.queues.takeTurn(name, TURN_MS))) return
        sweptAt = performance.now()
        await sweep(add)
        onSwept(name)
      }
      const onError = (error: unknown) =>
        context.logger.error({ err: error, sweep: name }, 'sweep failed')
      return repeat(stop, () => PERIOD_MS, run, onError)
    }),
  )
  await overdue.end()
}

/** Runs lanes until nothing of them is left, in the order in which they come, of each queue as many at a
 * time as it has slots. */
function createOverdueRuns(stop: AbortSignal, context: LaneRuns) {
  const waiting = new Map<QueueName, Map<string, Lane>>()
  const running = new Map<QueueName, Set<Promise<void>>>()

  const pump = (queue: QueueName) => {
    const own = running.get(queue) ?? new Set()
    running.set(queue, own)
    for (const [id, lane] of waiting.get(queue) ?? []) {
      if (stop.aborted || own.size >= QUEUE_SLOTS[queue]) return
      waiting.get(queue)?.delete(id)
      const ended = runLane(lane, context).then((outcome) => {
        own.delete(ended)
        if (outcome !== 'done') keep(lane)
        // One without a place waits here for the end of another run, before which no place is free.
        if (outcome !== 'capped') pump(queue)
      })
      own.add(ended)
    }
  }

  const keep = (lane: Lane) => {
    const own = waiting.get(lane.queue) ?? new Map<string, Lane>()
    waiting.set(lane.queue, own)
    if (own.size < MAX_WAITING) own.set(laneId(lane), lane)
  }

  return {
    add(lane: Lane) {
      keep(lane)
      pump(lane.queue)
    },
    async end() {
      await Promise.all([...running.values()].flatMap((own) => [...own]))
    },
  }
}
