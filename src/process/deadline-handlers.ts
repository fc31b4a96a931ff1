import { setTimeout } from 'node:timers/promises'
import { addMs, type Instant } from '../core/time.ts'
import { type Db, inTransaction } from '../db/database.ts'
import { refreshFloor } from '../domain/facilities/floors/floors.ts'
import { accrueInterest } from '../domain/facilities/ledger/month-end.ts'
import {
  ACCRUE_INTEREST,
  CHECK_PUSH,
  CONFIRM_PUSH,
  DECIDE_FACILITY,
  EVALUATE_AFTER,
  REFRESH_FLOOR,
} from '../domain/facilities/topics.ts'
import { decideOverdue } from '../domain/facilities/underwriting/underwriting.ts'
import { confirmPush } from '../domain/margin/calls/confirm-pushes.ts'
import { escalateWarning } from '../domain/margin/calls/escalate.ts'
import type { SaleContext } from '../domain/margin/calls/next-sale-step.ts'
import { sellCollateral } from '../domain/margin/calls/sell-collateral.ts'
import { evaluateFacility, evaluateTenant } from '../domain/margin/evaluation/evaluate.ts'
import { later } from '../domain/margin/ladder/deadlines.ts'
import { bindTerms } from '../domain/margin/policy.ts'
import {
  AMEND_FACILITY,
  ESCALATE_WARNING,
  EVALUATE_FACILITY,
  EVALUATE_TENANT,
  RECHECK_PUSH,
  SELL_COLLATERAL,
} from '../domain/margin/topics.ts'
import { becomeFinal, RECEIPT_FINAL } from '../domain/repayments/become-final.ts'
import { EXPIRE_REPAYMENT } from '../domain/repayments/repayments.ts'
import { expireRepayment } from '../domain/repayments/report-execution.ts'
import type { DeadlineHandler, DeadlineHandlers } from '../domain/work/deadlines.ts'
import { runWork } from '../domain/work/run-work.ts'
import type { DeadlineTopic, WorkTopic } from '../domain/work/topics.ts'
import { findRunningOrDue, type WorkResult } from '../domain/work/work.ts'

export type DeadlineContext = SaleContext & {
  /** On the sandbox the work of an instant happens at that instant. */
  isSandbox: boolean
}

export function createDeadlineHandlers(context: DeadlineContext): DeadlineHandlers {
  const evaluateAndFinish: DeadlineHandler = async (db, { tenantId, subjectId }, instant) => {
    const options = { ...instant, trigger: 'price' as const }
    await evaluateFacility(db, context, { tenantId, facilityId: subjectId }, options)
    await finishMargin(context, tenantId, instant)
  }
  return new Map<DeadlineTopic, DeadlineHandler>([
    [EXPIRE_REPAYMENT, expireRepayment],
    [RECEIPT_FINAL, becomeFinal],
    [ACCRUE_INTEREST, (db: Db, { tenantId }, instant) => accrueInterest(db, tenantId, instant)],
    [
      DECIDE_FACILITY,
      async (db: Db, { tenantId, subjectId }, instant) => {
        await inTransaction(db, async (tx) => {
          const lending = await bindTerms(context, { tx, tenantId, ...instant })
          await decideOverdue(lending, subjectId)
        })
      },
    ],
    [
      REFRESH_FLOOR,
      async (db: Db, { tenantId, subjectId }, instant) => {
        await inTransaction(db, (tx) => refreshFloor({ tx, tenantId, ...instant }, subjectId))
      },
    ],
    [EVALUATE_FACILITY, evaluateAndFinish],
    [RECHECK_PUSH, evaluateAndFinish],
    [AMEND_FACILITY, evaluateAndFinish],
    [
      EVALUATE_TENANT,
      async (db: Db, { tenantId }, instant) => {
        await evaluateTenant(db, context, tenantId, instant)
        await finishMargin(context, tenantId, instant)
      },
    ],
  ])
}

/** An answer about a push is evaluated before what may follow from it. */
const STEPS: readonly [WorkTopic, typeof sellCollateral][] = [
  [CONFIRM_PUSH, confirmPush],
  [CHECK_PUSH, confirmPush],
  [EVALUATE_AFTER.collateral, evaluateAfterAnswer],
  [ESCALATE_WARNING, escalateWarning],
  [SELL_COLLATERAL, sellCollateral],
]

async function evaluateAfterAnswer(
  context: SaleContext,
  tenantId: string,
  facilityId: string,
): Promise<WorkResult> {
  const options = { ...(await context.instant(tenantId)), trigger: 'collateral' as const }
  await evaluateFacility(context.db, context, { tenantId, facilityId }, options)
  return { done: true }
}

const WAIT_MS = 50
const MOST_WAITS = 100

/** A sandbox clock may pass many instants in one call; elsewhere the worker runs these steps. */
async function finishMargin(
  context: DeadlineContext,
  tenantId: string,
  instant: Instant,
): Promise<void> {
  if (!context.isSandbox) return
  // The clock runs on, and the worker acts by it at the same time: a step is not before its acts.
  const instantNow = async () => {
    const { now } = await context.instant(tenantId)
    return { ...instant, now: later(now, instant.now) }
  }
  const held = { ...context, instant: instantNow }
  // Work delayed for longer, such as a refused sale, does not hold the clock.
  const soon = addMs(instant.realNow, WAIT_MS * MOST_WAITS)
  for (const [topic, step] of STEPS) {
    for (let waits = 0; waits < MOST_WAITS; waits += 1) {
      const items = await findRunningOrDue(context.db, tenantId, topic, soon)
      if (items.length === 0) break
      let isWaiting = false
      for (const item of items) {
        const run = (): Promise<WorkResult> => step(held, tenantId, item.subjectId)
        const isOurs = await runWork(context.db, item, () => instant.realNow, run)
        isWaiting ||= !isOurs
      }
      if (isWaiting) await setTimeout(WAIT_MS)
    }
  }
}
