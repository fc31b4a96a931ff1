import { addMs, type Instant } from '../../core/time.ts'
import { type Db, inTransaction, type Tx } from '../../db/database.ts'
import type { FacilityKey } from '../facilities/facilities.ts'
import { setDeadline } from '../work/deadlines.ts'
import { type JudgeContext, judgeFacilities, type MarginContext } from './judge.ts'
import { judgeApart, type NotJudged, throwNotJudged } from './judge-apart.ts'
import { isOverdue, selectIndebted } from './queries.ts'
import type { JudgeInstant } from './take-step.ts'
import { JUDGE_TENANT } from './topics.ts'

const BATCH = 200

/** Looks at one facility, because of what has just happened to it. */
export async function judgeFacility(
  db: Db,
  context: JudgeContext,
  { tenantId, facilityId }: FacilityKey,
  { now, realNow, trigger }: JudgeInstant,
): Promise<void> {
  await inTransaction(db, (tx) =>
    judgeFacilities({ ...context, tx, tenantId, now, realNow }, [facilityId], { trigger }),
  )
}

/**
 * Looks at every facility of a tenant that owes something, in batches, because its test has set a
 * price: at all of them, for when interest carries each over a line has changed with the price. The
 * errors of those that fail are thrown together once the others are done.
 */
export async function judgeTenant(
  db: Db,
  context: JudgeContext,
  tenantId: string,
  instant: Instant,
): Promise<void> {
  const failed: NotJudged[] = []
  const instantNow = () => instant
  let after = ''
  for (;;) {
    const facilityIds = await selectIndebted(db, tenantId, after, BATCH)
    const batch = { tenantId, facilityIds }
    failed.push(...(await judgeApart(db, context, batch, { instantNow })))
    const last = facilityIds.at(-1)
    if (last === undefined || facilityIds.length < BATCH) break
    after = last
  }
  throwNotJudged(failed)
}

/**
 * Settles a deadline that has passed before a request changes anything about its facility, so that
 * what comes after the deadline cannot cure what ended with it. Does nothing otherwise.
 */
export async function settlePastDeadline(margin: MarginContext, facilityId: string): Promise<void> {
  const overdue = await isOverdue(margin.tx, margin.tenantId, facilityId, margin.now)
  if (overdue) await judgeFacilities(margin, [facilityId], { trigger: 'price' })
}

/** Notes that a price set at `now` counts once it has held for the window. */
export async function lookWhenConfirmed(
  tx: Tx,
  { marginPolicy }: JudgeContext,
  tenantId: string,
  now: Date,
): Promise<void> {
  const at = addMs(now, marginPolicy.confirmMs)
  await setDeadline(tx, tenantId, JUDGE_TENANT, { subjectId: String(at.getTime()), dueAt: at })
}
