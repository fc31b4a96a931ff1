import { z } from 'zod'
import { Refusal } from '../../../core/errors.ts'
import type { BorrowerRef } from '../../../core/personal-text.ts'
import { runInSavepoint } from '../../../db/database.ts'
import { eraseBorrower } from '../../personal/erase.ts'
import { isTenant } from '../../tenants/tenants.ts'
import {
  type ActContext,
  type GuardedAct,
  type SubjectAct,
  tenantContextOf,
} from './guarded-act.ts'

/** For good. The line of the file comes before the commit: a committed erasure is always in it. One that is
 * in the file alone, because the process ended between the two, is what two operators wanted; a replay asks
 * the same rule again. */
export const ERASE_BORROWER: GuardedAct<BorrowerRef, void> = {
  action: 'borrowers.erase',
  schema: z.strictObject({ tenantId: z.string(), borrowerId: z.string() }),
  needsSecond: async () => true,
  async run(context, borrower) {
    const tenant = await tenantContextOf(context, borrower.tenantId)
    if (!(await eraseBorrower(tenant, borrower.borrowerId))) {
      return { result: undefined, act: undefined }
    }
    if (!context.isTrial) await keep(context, borrower)
    return { result: undefined, act: toAct(borrower, {}) }
  },
}

async function keep({ keepErasure, now }: ActContext, borrower: BorrowerRef): Promise<void> {
  if (!keepErasure) {
    const detail =
      'ERASED_FILE is not set here, in which erasures outlive a restored backup. Confirm it by the command line where it is set.'
    throw new Refusal('unavailable', detail)
  }
  await keepErasure({ ...borrower, at: now })
}

/** Without its reason, which the key has sealed with the proposal. */
function toAct({ tenantId, borrowerId }: BorrowerRef, more: { replayed?: true }): SubjectAct {
  const subject = { kind: 'borrower', id: borrowerId }
  const states = { before: { erased: false }, after: { erased: true, ...more } }
  return { action: 'borrowers.erase', subject, tenantId, ...states }
}

/** `known`: it is erased already; `absent`: the backup is from before it was created. */
export type Replay = 'erased' | 'known' | 'absent' | { waits: string }

/** Replays an erasure from the file of erasures, which two operators have decided. The erasure waits while the
 * restored database has unsettled business of the borrower: that settles again, and a later replay erases. */
export async function replayErasure(
  context: Omit<ActContext, 'signatures'>,
  borrower: BorrowerRef,
): Promise<{ result: Replay; act: SubjectAct | undefined }> {
  const nothing = (result: Replay) => ({ result, act: undefined })
  const { tx } = context
  if (!(await isTenant(tx, borrower.tenantId))) return nothing('absent')
  const tenant = await tenantContextOf(context, borrower.tenantId)
  let refusal: Refusal | undefined
  let isErased = false
  await runInSavepoint(tx, async () => {
    try {
      isErased = await eraseBorrower(tenant, borrower.borrowerId)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      refusal = error
    }
    return isErased
  })
  if (refusal?.code === 'not_found') return nothing('absent')
  if (refusal) return nothing({ waits: refusal.message })
  if (!isErased) return nothing('known')
  return { result: 'erased', act: toAct(borrower, { replayed: true }) }
}
