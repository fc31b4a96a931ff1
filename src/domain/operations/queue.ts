import { addMs } from '../../core/time.ts'
import type { Db } from '../../db/database.ts'
import { measureOldestDelivery } from '../deliveries/behind.ts'
import { countDue } from '../deliveries/behind-queries.ts'
import { LEASE_MS } from '../work/claim.ts'
import { PRIORITIES, type Priority, rankOf, TOPICS, type Topic } from '../work/topics.ts'
import { measureOldestDue } from '../work/work.ts'
import { countReady, countRunning, selectHeartbeat } from './queue-queries.ts'

export const MOST_COUNTED = 10_000

export type QueueLag = {
  workerSeenAt: Date | undefined
  running: number
  classes: { name: Priority; ready: number; oldestMs: number }[]
  deliveries: { due: number; webhooks: number; oldestMs: number }
}

const ALL_TOPICS = Object.keys(TOPICS) as Topic[]
const CLASSES = Object.entries(PRIORITIES) as [Priority, { rank: number }][]

/** How much waits, and for how long the oldest has. A request's consequences are rows of work, and
 * events are deliveries, so this is all there is between a commit and its effect. */
export async function readQueueLag(db: Db, realNow: Date): Promise<QueueLag> {
  const counted = await countReady(
    db,
    CLASSES.map(([, { rank }]) => rank),
    MOST_COUNTED,
  )
  const classes: QueueLag['classes'] = []
  for (const [name, { rank }] of CLASSES) {
    const topics = ALL_TOPICS.filter((topic) => rankOf(topic) === rank)
    const { work, deadline } = await measureOldestDue(db, topics, realNow)
    const ready = counted.find((one) => one.rank === rank)?.ready ?? 0
    classes.push({ name, ready, oldestMs: Math.max(work, deadline) })
  }
  const { deliveries: due, webhooks } = await countDue(db, realNow, MOST_COUNTED)
  return {
    workerSeenAt: await selectHeartbeat(db),
    running: await countRunning(db, realNow, addMs(realNow, LEASE_MS)),
    classes,
    deliveries: { due, webhooks, oldestMs: await measureOldestDelivery(db, realNow) },
  }
}
