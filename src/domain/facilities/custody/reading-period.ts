import { hash } from 'node:crypto'
import { ONE_PPM } from '../../../core/ratio.ts'
import { addMs, SECOND_MS } from '../../../core/time.ts'

/** How often the custodian is read, in seconds: near the floor, and far from it. */
export type ReadingPeriods = { custodianReadSeconds: number; custodianCalmReadSeconds: number }

/** From this LTV on a facility is near its floor; below the other it is far from it. */
const NEAR_LTV_PPM = 600_000n
const FAR_LTV_PPM = 400_000n

/**
 * How long after one reading of a facility the next is due, in milliseconds: the short period from
 * LTV 0.60 on, the long one below 0.40, and in between the nearer to 0.60 the sooner. In whole
 * short periods, as `nextReadingAt` needs them.
 */
export function readingPeriodMs(
  { debtCents, valueCents }: { debtCents: bigint; valueCents: bigint },
  { custodianReadSeconds, custodianCalmReadSeconds }: ReadingPeriods,
): number {
  const nearMs = custodianReadSeconds * SECOND_MS
  const farMs = Math.max(nearMs, custodianCalmReadSeconds * SECOND_MS)
  if (debtCents * ONE_PPM >= NEAR_LTV_PPM * valueCents) return debtCents === 0n ? farMs : nearMs
  const ltvPpm = (debtCents * ONE_PPM) / valueCents
  if (ltvPpm <= FAR_LTV_PPM) return farMs
  const missingPpm = Number(NEAR_LTV_PPM - ltvPpm)
  const periodMs = nearMs + ((farMs - nearMs) * missingPpm) / Number(NEAR_LTV_PPM - FAR_LTV_PPM)
  return Math.floor(periodMs / nearMs) * nearMs
}

/**
 * The last of a tenant's instants that is no more than `periodMs` after `readAt`. Its instants lie one
 * short period apart, shifted by its id: its facilities are due together and read in few calls,
 * whenever each was read first, and different tenants' are spread.
 */
export function nextReadingAt(
  tenantId: string,
  readAt: Date,
  periodMs: number,
  { custodianReadSeconds }: ReadingPeriods,
): Date {
  const stepMs = custodianReadSeconds * SECOND_MS
  const shiftMs = Number.parseInt(hash('sha256', tenantId).slice(0, 8), 16) % stepMs
  const sinceInstant = (((readAt.getTime() - shiftMs) % stepMs) + stepMs) % stepMs
  const steps = Math.max(1, Math.floor(periodMs / stepMs))
  return addMs(readAt, steps * stepMs - sinceInstant)
}
