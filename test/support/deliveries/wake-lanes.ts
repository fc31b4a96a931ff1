import type { LaneName } from '../../../src/domain/deliveries/lane.ts'
import type { Lanes } from '../../../src/jobs/deliveries/lane.ts'

/** Runs lanes in the background as they are woken, and again while they have more, as a queue does. */
export function createLaneWakes(lanes: Pick<Lanes, 'run'>) {
  /** By webhook, whether it was woken since its run began. */
  const running = new Map<string, boolean>()
  let isStopped = false

  async function runAll(lane: LaneName): Promise<void> {
    const { webhookId } = lane
    try {
      for (let isDone = false; !isDone; ) {
        running.set(webhookId, false)
        const end = await lanes.run(lane)
        isDone = isStopped || (end === 'done' && running.get(webhookId) === false)
      }
    } finally {
      running.delete(webhookId)
    }
  }

  return {
    /** What has more is left to other workers. */
    stop() {
      isStopped = true
    },
    wake(tenantId: string, webhookId: string) {
      const lane = { tenantId, webhookId }
      if (running.has(webhookId)) {
        running.set(webhookId, true)
        void lanes.run(lane)
      } else void runAll(lane)
    },
  }
}
