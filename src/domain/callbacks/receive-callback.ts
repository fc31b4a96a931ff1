import { addMs, DAY_MS } from '../../core/time.ts'
import type { Db, Tx } from '../../db/database.ts'
import { CHECK_PAYMENT } from '../facilities/topics.ts'
import { isPaymentDone } from '../repayments/returns/check-payment.ts'
import { purgeAged } from '../tenants/each-tenant.ts'
import { isTenant } from '../tenants/tenants.ts'
import { makeDueNow, requestWork } from '../work/work.ts'
import { insertCallback, selectBorrowerOfCheck, selectPendingDrawIds } from './queries.ts'
import { type CallbackProvider, findWaitingWork, type WaitingWork } from './work-of-call.ts'

export type Callback = {
  provider: CallbackProvider
  /** Of the provider; one that repeats is a duplicate. */
  id: string
  tenantId: string
  callId: string
}

export type CallbackOutcome = 'accepted' | 'duplicate' | 'ignored'

const KEPT_MS = 30 * DAY_MS

/** Makes the waiting work due now; it asks the provider itself. A callback changes nothing else, so
 * one that is late, repeated or out of order does no harm. */
export async function receiveCallback(
  tx: Tx,
  callback: Callback,
  realNow: Date,
): Promise<CallbackOutcome> {
  const { provider, tenantId, callId } = callback
  if (!(await isTenant(tx, tenantId))) return 'ignored'
  const row = { tenant_id: tenantId, provider, callback_id: callback.id, received_at: realNow }
  if (!(await insertCallback(tx, row))) return 'duplicate'
  const work = findWaitingWork(provider, callId)
  if (!work) return 'ignored'
  const subjectIds = await findSubjects(tx, tenantId, work)
  const asked = await makeDueNow(tx, tenantId, { topics: work.topics, subjectIds }, realNow)
  if (asked > 0) return 'accepted'
  if (provider !== 'payments' || !(await isPaymentDone(tx, tenantId, work.objectId)))
    return 'ignored'
  // What was done may have come back.
  const check = { tenantId, topic: CHECK_PAYMENT, subjectId: work.objectId } as const
  await requestWork(tx, check, realNow)
  return 'accepted'
}

async function findSubjects(
  tx: Tx,
  tenantId: string,
  { subject, objectId }: WaitingWork,
): Promise<string[]> {
  switch (subject) {
    case 'itself':
      return [objectId]
    case 'itself_and_draws':
      // A draw raises the floor itself before it is paid.
      return [objectId, ...(await selectPendingDrawIds(tx, tenantId, objectId))]
    case 'borrower': {
      const borrowerId = await selectBorrowerOfCheck(tx, tenantId, objectId)
      return borrowerId === undefined ? [] : [borrowerId]
    }
    default: {
      const unreachable: never = subject
      return unreachable
    }
  }
}

export async function purgeCallbacks(db: Db, now: Date): Promise<number> {
  return await purgeAged(db, 'provider_callbacks', addMs(now, -KEPT_MS))
}
