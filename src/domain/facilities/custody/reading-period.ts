import { hash } from 'node:crypto'
import { ONE_PPM } from '../../../core/ratio.ts'
import { addMs, SECOND_MS } from '../../../core/time.ts'

export type ReadingPeriods = { custodianReadSeconds: number; custodianCalmReadSeconds: number }

const NEAR_LTV_PPM = 600_000n
const FAR_LTV_PPM = 400_000n

/** In whole short periods: one from LTV 0.60, the long period below 0.40, in between by LTV. */
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

/** The tenant's last instant in the period: its facilities are read together, tenants spread. */
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
