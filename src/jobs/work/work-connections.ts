import { type ConnectionSlots, createConnectionSlots } from '../../db/connection-slots.ts'
import { LEASE_MS } from '../../domain/work/claim.ts'
import type { Priority } from '../../domain/work/topics.ts'

/** The lanes of deliveries share the connections like one more class of work. */
export const DELIVERIES = 'deliveries'

/** How many connections each class gets, where all wait, for one that a floor gets. */
const WEIGHTS: Readonly<Record<Priority | typeof DELIVERIES, number>> = {
  sales: 16,
  escalations: 16,
  deadlines: 4,
  evaluations: 4,
  payments: 4,
  [DELIVERIES]: 4,
  onboarding: 2,
  floors: 1,
  readings: 1,
}

const isClass = (name: string): name is keyof typeof WEIGHTS => name in WEIGHTS

/**
 * Shares a worker's connections between its classes of work: a sale goes before a floor, and none
 * waits for ever. Claims, sweeps and settlements run under no name and before all others: they are
 * few, and everything else waits for them.
 */
export function createWorkerConnections(total: number): ConnectionSlots {
  return createConnectionSlots({
    total,
    // Where all of one class wait for locks, others go on.
    perName: Math.max(1, Math.floor(total * 0.8)),
    // After that what waits is claimed by another.
    waitMs: LEASE_MS,
    weightOf: (name) => (isClass(name) ? WEIGHTS[name] : 1),
  })
}
