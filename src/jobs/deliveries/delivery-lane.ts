import type { FinishedAttempt } from '../../domain/webhooks/deliveries/deliver.ts'
import { type Backoff, createBackoff } from './backoff.ts'
import type { SlotHolder } from './delivery-slots.ts'

/** What a worker holds of one webhook. */
export type DeliveryLane = SlotHolder & {
  webhookId: string
  finished: FinishedAttempt[]
  awake: boolean
  /** How many to claim at once: more after each claim that came back full. */
  stride: number
  /** Passes in a row that found the webhook locked. */
  timesLocked: number
  /** What has ended could not be recorded with that of others. */
  recordsAlone: boolean
  /** A pass failed after its attempts began: no other begins before its lease is written. */
  leasesFirst: boolean
  hold: Backoff
  pause: Backoff
}

export const FIRST_STRIDE = 8

const FIRST_HOLD_MS = 1_000
const LONGEST_HOLD_MS = 60_000

const FIRST_BUSY_MS = 20
const LONGEST_BUSY_MS = 1_000

export function createDeliveryLane(tenantId: string, webhookId: string): DeliveryLane {
  return {
    tenantId,
    webhookId,
    inFlight: 0,
    finished: [],
    awake: true,
    stride: FIRST_STRIDE,
    timesLocked: 0,
    recordsAlone: false,
    leasesFirst: false,
    hold: createBackoff(FIRST_HOLD_MS, LONGEST_HOLD_MS),
    pause: createBackoff(FIRST_BUSY_MS, LONGEST_BUSY_MS),
    signal: () => undefined,
  }
}
