import {
  type ConnectionSlots,
  createConnectionSlots,
} from '../../db/connections/connection-slots.ts'
import { LEASE_MS } from '../../domain/work/claim.ts'
import type { Priority } from '../../domain/work/topics.ts'

export const DELIVERIES = 'deliveries'

/** How many connections each class gets, where all wait, for two that a reading gets. */
const WEIGHTS: Readonly<Record<Priority | typeof DELIVERIES, number>> = {
  sales: 16,
  escalations: 16,
  [DELIVERIES]: 16,
  deadlines: 8,
  evaluations: 8,
  payments: 8,
  onboarding: 4,
  floors: 4,
  clocks: 4,
  webhooks: 4,
  readings: 2,
}

const isClass = (name: string): name is keyof typeof WEIGHTS => name in WEIGHTS

/** Claims, sweeps and settlements have no name and go first: all else waits for them. */
export function createWorkerConnections(total: number): ConnectionSlots {
  return createConnectionSlots({
    total,
    // Below the total: a class that waits for locks leaves room for others.
    perName: Math.max(1, Math.floor(total * 0.8)),
    // Later, another worker may hold the lease.
    waitMs: LEASE_MS,
    weightOf: (name) => (isClass(name) ? WEIGHTS[name] : 1),
  })
}
