import { addMs, DAY_MS } from '../../core/time.ts'
import type { Db, Tx } from '../../db/database.ts'
import { purge } from '../../db/purge.ts'
import { isTenant } from '../tenants/tenants.ts'
import { makeDueNow } from '../work/work.ts'
import {
  deleteCallbacksBefore,
  insertCallback,
  selectBorrowerOfCheck,
  selectPendingDrawIds,
} from './queries.ts'
import { type CallbackProvider, findWaitingWork, type WaitingWork } from './work-of-call.ts'

/** A provider's word that there is something to ask about a call of ours. */
export type Callback = {
  provider: CallbackProvider
  /** The provider's id of this callback: the same one twice is one. */
  id: string
  tenantId: string
  callId: string
}

/** `ignored` where nothing waits for the call: it is unknown, or was answered before. */
export type CallbackOutcome = 'accepted' | 'duplicate' | 'ignored'

const KEPT_MS = 30 * DAY_MS

/**
 * Takes a verified callback: the work that waits for the call is done now instead of later, and asks
 * the provider itself. A callback changes nothing else, so one that comes late, twice, out of order
 * or for nothing does no harm.
 */
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
  return asked > 0 ? 'accepted' : 'ignored'
}

async function findSubjects(
  tx: Tx,
  tenantId: string,
  { subject, madeFor }: WaitingWork,
): Promise<string[]> {
  switch (subject) {
    case 'itself':
      return [madeFor]
    case 'itself_and_draws':
      // A draw raises the floor itself before it is paid.
      return [madeFor, ...(await selectPendingDrawIds(tx, tenantId, madeFor))]
    case 'borrower': {
      const borrowerId = await selectBorrowerOfCheck(tx, tenantId, madeFor)
      return borrowerId === undefined ? [] : [borrowerId]
    }
    default: {
      const unreachable: never = subject
      return unreachable
    }
  }
}

/** Forgets callbacks that no provider repeats any more; how many. */
export async function purgeCallbacks(db: Db, now: Date): Promise<number> {
  const before = addMs(now, -KEPT_MS)
  return await purge((limit) => deleteCallbacksBefore(db, before, limit))
}
