import { addMs, type Instant } from '../../../core/time.ts'
import { type Db, inTransaction, type Tx } from '../../../db/database.ts'
import type { PortfolioSource } from '../../../db/schema/collateral.ts'
import {
  forgetReadings,
  lockPortfolioSource,
  setPortfolioSource,
} from '../../collateral/portfolio-source.ts'
import type { InstantFor } from '../../tenants/tenant-clock.ts'
import type { WorkTopic } from '../../work/topics.ts'
import { requestWork, scheduleWorks, type WorkResult } from '../../work/work.ts'
import { selectApprovedOf, selectApprovedPage } from '../queries.ts'
import { APPLY_SOURCE, EVALUATE_AFTER, READ_POSITIONS } from '../topics.ts'

/** Facilities of one transaction; the work of the next batch is due this much later. */
const BATCH = 500
const BATCH_PAUSE_MS = 300

export async function choosePortfolioSource(
  tx: Tx,
  tenantId: string,
  mode: PortfolioSource,
  { now, realNow }: Instant,
): Promise<void> {
  await setPortfolioSource(tx, tenantId, mode, now)
  await requestWork(tx, { tenantId, topic: APPLY_SOURCE, subjectId: tenantId }, realNow)
}

/** Per batch: reads from the custodian from now on, or deletes its readings and evaluates. */
export async function applyPortfolioSource(
  context: { db: Db; instant: InstantFor },
  tenantId: string,
): Promise<WorkResult> {
  const instant = await context.instant(tenantId)
  let after = ''
  for (let batch = 0; ; batch += 1) {
    const dueAt = addMs(instant.realNow, batch * BATCH_PAUSE_MS)
    const last = await inTransaction(context.db, (tx) =>
      applyToBatch(tx, tenantId, { after, dueAt, now: instant.now }),
    )
    if (last === undefined) return { done: true }
    after = last
  }
}

/** Returns the last facility of the batch; undefined after the end. */
async function applyToBatch(
  tx: Tx,
  tenantId: string,
  { after, dueAt, now }: { after: string; dueAt: Date; now: Date },
): Promise<string | undefined> {
  // Locked: the choice cannot change before the batch is committed.
  const mode = await lockPortfolioSource(tx, tenantId, now)
  if (mode === 'custodian') {
    const ids = await selectApprovedPage(tx, tenantId, { after, limit: BATCH })
    await scheduleWorks(tx, tenantId, toWorks(READ_POSITIONS, ids, dueAt))
    return ids.length < BATCH ? undefined : ids.at(-1)
  }
  const borrowerIds = await forgetReadings(tx, tenantId, BATCH)
  const ids = await selectApprovedOf(tx, tenantId, borrowerIds)
  await scheduleWorks(tx, tenantId, toWorks(EVALUATE_AFTER.collateral, ids, dueAt))
  return borrowerIds.length < BATCH ? undefined : after
}

function toWorks(topic: WorkTopic, facilityIds: readonly string[], dueAt: Date) {
  return facilityIds.map((subjectId) => ({ topic, subjectId, dueAt }))
}
