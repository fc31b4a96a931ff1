import { pino } from 'pino'
import { systemClock } from '../../../src/core/time.ts'
import type { Db } from '../../../src/db/database.ts'
import { createLanes, type LanesOptions } from '../../../src/jobs/deliveries/lane.ts'
import { createHeldSender, sealer } from './deliveries.ts'
import { createLaneWakes } from './wake-lanes.ts'

/** Lanes whose requests are held until a test answers them, unless it gives a sender of its own. */
export function startHeldLanes(db: Db, options: Partial<LanesOptions> = {}) {
  const { sender, held, begun } = createHeldSender()
  const { run, drain } = createLanes({
    db,
    sender,
    sealer,
    clock: systemClock,
    random: () => 0,
    deadlineMs: 15_000,
    perWebhook: 10,
    perTenant: 50,
    logger: pino({ level: 'silent' }),
    again: ({ tenantId, webhookId }) => wakes.wake(tenantId, webhookId),
    ...options,
  })
  const wakes = createLaneWakes({ run })
  const end = () => {
    wakes.stop()
    return drain()
  }
  return { lanes: { ...wakes, run, drain: end }, held, begun }
}
