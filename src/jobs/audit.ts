import { setTimeout } from 'node:timers/promises'
import { MINUTE_MS, SECOND_MS } from '../core/time.ts'
import { audit } from '../domain/audit/audit.ts'
import {
  claimAudit,
  claimRequestedAudit,
  readLastAudit,
  readProgress,
  recordAudit,
} from '../domain/audit/runs.ts'
import type { JobContext } from './job-context.ts'
import { repeat } from './repeat.ts'

const PERIOD_MS = MINUTE_MS

const SECONDS_ALL = 300

/** Deliveries wait for what a page takes, of the database and of this process. */
const PACE = { firstPage: 10, pageMs: 20 }

/** Every `AUDIT_MINUTES` in one worker, and when an operator asks. All workers' metrics show the last run's result. */
export async function runAudits(stop: AbortSignal, context: JobContext): Promise<void> {
  const run = async () => {
    await auditIfDue(stop, context)
    await exportLastAudit(context)
  }
  // A run that stops because the worker stops has not failed.
  const onError = (error: unknown) => {
    if (!stop.aborted) context.logger.error({ err: error }, 'audit failed')
  }
  await repeat(stop, () => PERIOD_MS, run, onError)
}

export async function auditIfDue(stop: AbortSignal, context: JobContext): Promise<void> {
  const { db, clock, config, logger } = context
  const isOurs = (await claimRequestedAudit(db)) || (await claimPeriod(context))
  if (!isOurs) return
  const hasSimulation = config.stack === 'sandbox'
  const since = await readProgress(db)
  const findings = await audit(db, {
    hasSimulation,
    signal: stop,
    since,
    secondsAll: SECONDS_ALL,
    pace: { ...PACE, rest: (readMs) => rest(readMs, stop, context) },
  })
  for (const { invariant, name, violations, timedOut } of findings) {
    if (timedOut) logger.warn({ invariant, check: name }, 'audit check took too long')
    for (const violation of violations) {
      logger.error({ invariant, check: name, ...violation }, 'invariant violated')
    }
  }
  await recordAudit(db, findings, clock())
}

async function claimPeriod({ db, clock, config }: JobContext): Promise<boolean> {
  if (config.auditMinutes === 0) return false
  const slot = Math.floor(clock().getTime() / (config.auditMinutes * MINUTE_MS))
  return await claimAudit(db, BigInt(slot))
}

/**
 * How long the audit rests after it read for `readMs`: it reads for half of the time, and for a tenth
 * of it while work waits for a connection.
 */
export function restMs(readMs: number, waiting: number): number {
  return readMs * (waiting > 0 ? 9 : 1)
}

async function rest(readMs: number, stop: AbortSignal, { slots }: JobContext): Promise<void> {
  const ms = restMs(readMs, slots.waiting())
  await setTimeout(ms, undefined, { signal: stop }).catch(() => stop.throwIfAborted())
}

export async function exportLastAudit({ db, metrics, config }: JobContext): Promise<void> {
  const last = await readLastAudit(db)
  if (!last) {
    // So that audits which never succeed raise the alarm.
    const { begin } = await readProgress(db)
    if (config.auditMinutes > 0) metrics.lastAudit.set(begin.getTime() / SECOND_MS)
    return
  }
  for (const [invariant, count] of Object.entries(last.violations)) {
    metrics.invariantViolations.set({ invariant }, count)
  }
  metrics.auditUnfinished.set(last.unfinished)
  metrics.lastAudit.set(last.finishedAt.getTime() / SECOND_MS)
}
