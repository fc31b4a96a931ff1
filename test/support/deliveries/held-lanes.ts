import { pino } from 'pino'
import { systemClock } from '../../../src/core/time.ts'
import type { Db } from '../../../src/db/database.ts'
import {
  createDeliveryLanes,
  type DeliveryLanesOptions,
} from '../../../src/jobs/deliveries/delivery-lanes.ts'
import { createHeldSender, sealer } from './deliveries.ts'

/** Lanes whose requests are held until a test answers them, unless it gives a sender of its own. */
export function startHeldLanes(db: Db, options: Partial<DeliveryLanesOptions> = {}) {
  const { sender, held, begun } = createHeldSender()
  const lanes = createDeliveryLanes({
    db,
    sender,
    sealer,
    clock: systemClock,
    random: () => 0,
    deadlineMs: 15_000,
    perWebhook: 10,
    perTenant: 50,
    logger: pino({ level: 'silent' }),
    ...options,
  })
  return { lanes, held, begun }
}
