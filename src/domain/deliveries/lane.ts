import type { Tx } from '../../db/database.ts'
import { execute } from '../../db/transactions/execute.ts'
import {
  cancelSome,
  deliverLightly,
  findInOrder,
  insertMissing,
  lockFreeRow,
  lockRow,
  readWebhook,
} from './lane-queries.ts'

export type LaneName = { tenantId: string; webhookId: string }

/** A lane under its lock, and its webhook as it is then. */
export type LockedLane = LaneName & {
  url: string
  state: 'active' | 'disabled' | 'deleted'
  failures: number
  /** Numbers that were claimed and are not recorded. */
  inFlight: readonly bigint[]
  lease: string | null
  leasedUntil: Date | null
  /** The tenant's signing secret, encrypted; null: deliveries are not signed. */
  sealed: string | null
}

/** The lane's holder attempts the delivery of this number. */
export function isInProgress(
  { leasedUntil, inFlight }: LockedLane,
  sequence: bigint,
  now: Date,
): boolean {
  return leasedUntil !== null && leasedUntil > now && inFlight.includes(sequence)
}

/** The lane is locked before the webhook, and that before the tenant's counter. Until the transaction ends no one
 * else claims, records, disables, deletes or recovers at this webhook, or replaces the tenant's secret. */
export async function lockLane(tx: Tx, lane: LaneName): Promise<LockedLane | undefined> {
  for (;;) {
    const locked = await lock(tx, lane, lockRow)
    // One that another transaction has just made: it is there now.
    if (locked !== 'locked') return locked
  }
}

/** At the beginning of a transaction, which commits without waiting for the disk. `locked`: by another one. */
export function lockToDeliver(tx: Tx, lane: LaneName): Promise<LockedLane | 'locked' | undefined> {
  tx.send(deliverLightly({ off: 'off' }))
  return lock(tx, lane, lockFreeRow)
}

/** Two statements in one message: the second sees what was committed before the lock. */
async function lock(
  tx: Tx,
  { tenantId, webhookId }: LaneName,
  lockRowOf: typeof lockRow,
): Promise<LockedLane | 'locked' | undefined> {
  const names = { tenantId, webhookId }
  const [[lane], [webhook]] = await Promise.all([
    execute(tx, lockRowOf(names)),
    execute(tx, readWebhook(names)),
  ])
  if (!webhook) return undefined
  if (!lane && webhook.has_lane) return 'locked'
  if (!lane && webhook.state === 'deleted') return undefined
  if (!lane) {
    tx.send(insertMissing({ tenantId }))
    return await lock(tx, names, lockRowOf)
  }
  return {
    ...names,
    url: webhook.url,
    state: webhook.state,
    sealed: webhook.sealed,
    failures: lane.failures,
    inFlight: lane.in_flight.map(BigInt),
    lease: lane.lease,
    leasedUntil: lane.leased_until,
  }
}

export const CANCEL_BATCH = 1_000

/** The highest number that there can be: nothing of an ended webhook waits. */
const LAST = 2n ** 63n - 1n

/** Cancels up to `CANCEL_BATCH` deliveries of a webhook that has ended; returns how many. The caller has locked
 * the lane. What is in flight ends and is recorded. Joins and sorts that would read all deliveries are turned off. */
export async function cancelPending(tx: Tx, { tenantId, webhookId }: LaneName): Promise<number> {
  tx.send(findInOrder({ off: 'off' }))
  const rows = await execute(
    tx,
    cancelSome({ tenantId, webhookId, most: CANCEL_BATCH, last: LAST }),
  )
  return Number(rows[0]?.cancelled)
}
