import type { Amount } from '../../../src/core/money.ts'
import { inTransaction } from '../../../src/db/database.ts'
import { CHECK_PAYMENT } from '../../../src/domain/facilities/topics.ts'
import { requestWork } from '../../../src/domain/work/work.ts'
import { type Lending, settle } from './lending.ts'

export type Back = { amount?: Amount; code?: string; returnedAt?: Date }

/** The provider has what was done under the id back, and tells nobody. */
export async function bringBack(
  lending: Lending,
  subjectId: string,
  back: Back = {},
): Promise<void> {
  const { amount, code = 'recalled', returnedAt = lending.now() } = back
  const callId = await callIdOf(lending, subjectId)
  lending.returned.set(callId, { ...(amount && { amount }), code, returnedAt })
}

/** As its callback does: what comes of it is done. */
export async function callBack(lending: Lending, subjectId: string): Promise<void> {
  const { db, tenantId } = lending
  const work = { tenantId, topic: CHECK_PAYMENT, subjectId } as const
  await inTransaction(db, (tx) => requestWork(tx, work, lending.now()))
  await settle(lending)
}

export async function giveBack(
  lending: Lending,
  subjectId: string,
  back: Back = {},
): Promise<void> {
  await bringBack(lending, subjectId, back)
  await callBack(lending, subjectId)
}

async function callIdOf({ db }: Lending, subjectId: string): Promise<string> {
  if (subjectId.startsWith('rep')) {
    const { inquiry } = await db
      .selectFrom('repayments')
      .select('inquiry')
      .where('repayment_id', '=', subjectId)
      .executeTakeFirstOrThrow()
    return `${subjectId}/${inquiry}`
  }
  if (!subjectId.startsWith('rfd')) return subjectId
  const { refusals, recalls } = await db
    .selectFrom('refunds')
    .select(['refusals', 'recalls'])
    .where('refund_id', '=', subjectId)
    .executeTakeFirstOrThrow()
  return `${subjectId}/${refusals}${recalls > 0 ? `/${recalls}` : ''}`
}
