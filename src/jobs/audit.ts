import { MINUTE_MS, SECOND_MS } from '../core/time.ts'
import { audit } from '../domain/audit/audit.ts'
import { claimAudit, readLastAudit, readProgress, recordAudit } from '../domain/audit/runs.ts'
import type { JobContext } from './job-context.ts'
import { repeatUntil } from './repeat-until.ts'

const LOOK_EVERY_MS = MINUTE_MS

/** For one check: where this is not enough, the next run goes on from there. */
const SECONDS_ALL = 300

/**
 * Checks the invariants once every `AUDIT_MINUTES`, in one worker of all, and tells in each worker's
 * metrics what the last run found, whoever made it: a figure that another has overtaken would alarm
 * for ever, or never. A run that a worker does not live to end is made up for by the next.
 */
export async function auditUntil(stop: AbortSignal, context: JobContext): Promise<void> {
  const look = async () => {
    await auditIfDue(stop, context)
    await logLastAudit(context)
  }
  // That a run is given up for the worker's end is no failure.
  const onError = (error: unknown) => {
    if (!stop.aborted) context.logger.error({ err: error }, 'audit failed')
  }
  await repeatUntil(stop, () => LOOK_EVERY_MS, look, onError)
}

/** Checks the invariants unless another worker has, or does, in this period. */
export async function auditIfDue(stop: AbortSignal, context: JobContext): Promise<void> {
  const { db, clock, config, logger } = context
  if (config.auditMinutes === 0) return
  const slot = Math.floor(clock().getTime() / (config.auditMinutes * MINUTE_MS))
  if (!(await claimAudit(db, BigInt(slot)))) return
  const hasSimulation = config.stack === 'sandbox'
  const since = await readProgress(db)
  const findings = await audit(db, { hasSimulation, signal: stop, since, secondsAll: SECONDS_ALL })
  for (const { invariant, name, violations, timedOut } of findings) {
    if (timedOut) logger.warn({ invariant, check: name }, 'audit check took too long')
    for (const violation of violations) {
      logger.error({ invariant, check: name, ...violation }, 'invariant violated')
    }
  }
  await recordAudit(db, findings, clock())
}

/** Tells what the last run found. */
export async function logLastAudit({ db, metrics }: JobContext): Promise<void> {
  const last = await readLastAudit(db)
  if (!last) return
  for (const [invariant, count] of Object.entries(last.violations)) {
    metrics.invariantViolations.set({ invariant }, count)
  }
  metrics.auditUnfinished.set(last.unfinished)
  metrics.lastAudit.set(last.finishedAt.getTime() / SECOND_MS)
}
