import { z } from 'zod'
import { MOST_COUNTED, readQueueLag } from '../../../../domain/operations/queue.ts'
import { timestamp } from '../../../schemas/fields.ts'
import type { OperatorApp } from '../../operation.ts'
import type { OperatorContext } from '../../operator-context.ts'

const EXAMPLE = {
  worker_seen_at: '2026-11-22T12:00:00.000Z',
  running: 4,
  classes: [{ name: 'floors', ready: 2, oldest_seconds: 1 }],
  deliveries: { due: 12, webhooks: 3, oldest_seconds: 2 },
}

const counted = z.int().describe(`Counted to ${MOST_COUNTED}`)
const oldest = z.number().describe('How long the oldest has been due; 0 when nothing is')

const schema = z
  .strictObject({
    worker_seen_at: timestamp.nullable().describe('Null before the first worker'),
    running: z.int().describe('Pieces of work that workers hold'),
    classes: z.array(z.strictObject({ name: z.string(), ready: counted, oldest_seconds: oldest })),
    deliveries: z.strictObject({ due: counted, webhooks: z.int(), oldest_seconds: oldest }),
  })
  .meta({ id: 'QueueLag', examples: [EXAMPLE] })

export function queueRoutes(app: OperatorApp, { db, clock }: OperatorContext): void {
  app.get('/queue', {
    id: 'getQueueLag',
    summary: 'Show how much work and how many deliveries wait, and for how long',
    tag: 'Operations',
    response: { 200: schema },
    async handler() {
      const lag = await readQueueLag(db, clock())
      const { due, webhooks, oldestMs } = lag.deliveries
      return {
        worker_seen_at: lag.workerSeenAt?.toISOString() ?? null,
        running: lag.running,
        classes: lag.classes.map((one) => ({
          ...{ name: one.name, ready: one.ready, oldest_seconds: toSeconds(one.oldestMs) },
        })),
        deliveries: { due, webhooks, oldest_seconds: toSeconds(oldestMs) },
      }
    },
  })
}

const toSeconds = (ms: number) => Math.round(Math.max(0, ms)) / 1_000
