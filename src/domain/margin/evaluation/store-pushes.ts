import { gather } from '../../../core/gather.ts'
import { addMs } from '../../../core/time.ts'
import { type Db, inTransaction, type Tx } from '../../../db/database.ts'
import { isConnectionLost } from '../../../db/errors.ts'
import { execute } from '../../../db/transactions/execute.ts'
import { AFTER_PUSH } from '../../facilities/topics.ts'
import { requestWorks } from '../../work/work.ts'
import {
  type Holder,
  lockAvailableBorrowers,
  lockBorrowers,
  selectHolders,
  upsertSnapshots,
} from './push-queries.ts'

export type Push = {
  tenantId: string
  borrowerId: string
  asOfMicros: bigint
  digest: Buffer
  positions: Record<string, string>
  realNow: Date
  futureToleranceMs: number
  /** Its facility's deadline, if one has passed, is settled. */
  isEvaluated: boolean
}

export type StoredPush = {
  applied: boolean
  /** Its deadline has passed unevaluated: nothing was stored. */
  overdueFacilityId: string | undefined
}

const NOT_APPLIED: StoredPush = { applied: false, overdueFacilityId: undefined }

/** Under load pushes of a tenant share their statements, whose setup costs more than a row, and a commit. */
export function storePush(db: Db, push: Push): Promise<StoredPush> {
  const known = gatherings.get(db)
  const store = known ?? gather({ key: ofTenant, ...TOGETHER, run: (all) => storeGroup(db, all) })
  if (!known) gatherings.set(db, store)
  return store(push)
}

const gatherings = new WeakMap<Db, (push: Push) => Promise<StoredPush>>()

const ofTenant = ({ tenantId }: Push) => tenantId

const TOGETHER = { most: 8, waitMs: 0, sideBySide: 4 }

/** The newest of each borrower together, without waiting for a lock, because it holds those of several
 * borrowers. What that leaves out is stored alone, after which the next group does not wait. */
async function storeGroup(
  db: Db,
  pushes: readonly Push[],
): Promise<(StoredPush | Promise<StoredPush>)[]> {
  const byAge = pushes.toSorted((a, b) => (a.asOfMicros < b.asOfMicros ? -1 : 1))
  const newest = new Map(byAge.map((push) => [push.borrowerId, push]))
  const storeAll = (tx: Tx) => storePushes(tx, [...newest.values()], 'pass over locked')
  // Without a connection each alone would wait as long again; else each has an error of its own.
  const stored = await inTransaction(db, storeAll).catch((error: unknown) => {
    if (isConnectionLost(error)) throw error
    return new Map<string, StoredPush>()
  })
  return pushes.map((push) => {
    const { borrowerId } = push
    const own = newest.get(borrowerId) === push ? stored.get(borrowerId) : undefined
    return own ?? storeAlone(db, push)
  })
}

async function storeAlone(db: Db, push: Push): Promise<StoredPush> {
  const stored = await inTransaction(db, (tx) => storePushes(tx, [push], 'wait for locked'))
  return stored.get(push.borrowerId) ?? NOT_APPLIED
}

/** Stores snapshots of different borrowers of one tenant and requests the work that follows. Of each it
 * stores nothing for an unknown borrower, too far in the future, older than what is stored, or where a
 * deadline has passed unevaluated. By borrower, without those that it passes over. */
export async function storePushes(
  tx: Tx,
  pushes: readonly Push[],
  locked: 'pass over locked' | 'wait for locked',
): Promise<Map<string, StoredPush>> {
  const tenantId = pushes[0]?.tenantId ?? ''
  const borrowers = { tenantId, borrowerIds: pushes.map(({ borrowerId }) => borrowerId) }
  const lock = locked === 'wait for locked' ? lockBorrowers : lockAvailableBorrowers
  const [lockedRows, holders] = await Promise.all([
    execute(tx, lock(borrowers)),
    execute(tx, selectHolders(borrowers)),
  ])
  const lockOf = new Map(lockedRows.map((row) => [row.borrower_id, row]))
  const holderOf = new Map(holders.map((holder) => [holder.borrower_id, holder]))
  const decided = pushes.flatMap((push): Decided[] => {
    const holder = holderOf.get(push.borrowerId)
    if (!holder) return [{ push, holder, decision: NOT_APPLIED }]
    const own = lockOf.get(push.borrowerId)
    const isLocked = own && (own.has_portfolio || holder.as_of === null)
    return isLocked ? [{ push, holder, decision: decidePush(push, holder) }] : []
  })
  await write(tx, tenantId, decided)
  return new Map(decided.map(({ push, decision }) => [push.borrowerId, decision]))
}

type Decided = { push: Push; holder: Holder | undefined; decision: StoredPush }

function decidePush(push: Push, holder: Holder): StoredPush {
  const now = domainTime(push, holder)
  const { facility_id, deadline } = holder
  if (!push.isEvaluated && facility_id !== null && deadline !== null && deadline < now) {
    return { applied: false, overdueFacilityId: facility_id }
  }
  const latest = BigInt(now.getTime() + push.futureToleranceMs) * 1_000n
  const isNewest = holder.as_of === null || holder.as_of < push.asOfMicros
  return { applied: isNewest && push.asOfMicros <= latest, overdueFacilityId: undefined }
}

async function write(tx: Tx, tenantId: string, decided: readonly Decided[]): Promise<void> {
  const applied = decided.flatMap(({ push, holder, decision }) =>
    holder && decision.applied ? [{ push, holder }] : [],
  )
  const [first] = applied
  if (!first) return
  tx.send(
    upsertSnapshots({
      tenantId,
      borrowerIds: applied.map(({ push }) => push.borrowerId),
      asOfMicros: applied.map(({ push }) => push.asOfMicros),
      digests: applied.map(({ push }) => push.digest),
      positions: applied.map(({ push }) => push.positions),
      receivedAt: applied.map(({ push, holder }) => domainTime(push, holder)),
      isNew: applied.map(({ holder }) => holder.state === 'APPROVED'),
    }),
  )
  const works = applied.flatMap(({ holder: { facility_id: subjectId, state } }) =>
    subjectId !== null && (state === 'PENDING' || state === 'APPROVED')
      ? [{ topic: AFTER_PUSH[state], subjectId }]
      : [],
  )
  await requestWorks(tx, tenantId, works, first.push.realNow)
}

const domainTime = ({ realNow }: Push, { clock_offset_ms }: Holder) =>
  addMs(realNow, Number(clock_offset_ms))
