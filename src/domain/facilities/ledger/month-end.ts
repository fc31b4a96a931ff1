import { addMs, HOUR_MS, type Instant, monthEnd, monthStart } from '../../../core/time.ts'
import { type Db, inTransaction, type Tx } from '../../../db/database.ts'
import { setDeadline } from '../../work/deadlines.ts'
import { toFacility } from '../facilities.ts'
import { hasAccruing, lockAccruing, updateAccrued } from '../queries.ts'
import { ACCRUE_INTEREST } from '../topics.ts'
import { accrueMonths } from './debt.ts'
import { insertAccruals, requireOpenMonth } from './journal-queries.ts'

/** Facilities in one transaction: their locks are held for a few hundredths of a second. */
const BATCH = 500

/** While other transactions hold what is left. */
const RETRY_MS = 1_000

/** What began in a month has committed this long after its end. */
export const SETTLED_MS = HOUR_MS

/** A batch a run: other deadlines of the tenant come between two batches. */
export async function accrueInterest(db: Db, tenantId: string, { now }: Instant): Promise<void> {
  await inTransaction(db, async (tx) => {
    const end = monthStart(now)
    const accrued = await accrueBatch(tx, tenantId, end)
    const isDone = accrued < BATCH && !(await hasAccruing(tx, tenantId, end))
    const dueAt = isDone ? nextRun(now) : addMs(now, accrued === BATCH ? 1 : RETRY_MS)
    await setDeadline(tx, tenantId, ACCRUE_INTEREST, { subjectId: tenantId, dueAt })
  })
}

/** A first draw that commits after the month's end, and belongs to the month, is not there before. */
function nextRun(now: Date): Date {
  const settledAt = addMs(monthStart(now), SETTLED_MS)
  return now < settledAt ? settledAt : monthEnd(now)
}

async function accrueBatch(tx: Tx, tenantId: string, end: Date): Promise<number> {
  const facilities = (await lockAccruing(tx, tenantId, end, BATCH)).map(toFacility)
  if (facilities.length === 0) return 0
  const accrued = facilities.map(({ id, debt }) => ({ id, ...accrueMonths(debt, end) }))
  const entries = accrued.flatMap(({ id: facilityId, months }) =>
    months.map((month) => ({ facilityId, ...month })),
  )
  const [first] = entries.toSorted((a, b) => Number(a.postedAt) - Number(b.postedAt))
  if (first) tx.send(requireOpenMonth({ tenantId, id: first.id, bookedAt: first.postedAt }))
  await insertAccruals(tx, tenantId, entries)
  const rows = accrued.map(({ id: facilityId, debt }) => ({ facilityId, ...debt }))
  await updateAccrued(tx, tenantId, rows, end)
  return facilities.length
}
