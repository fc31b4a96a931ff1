import { Refusal } from '../../../core/errors.ts'
import type { SealedText } from '../../../core/sealing.ts'
import { lockFacility } from '../../facilities/locked-facility.ts'
import { ensureBorrowerKey } from '../../personal/borrower-key.ts'
import type { PersonalAnswer } from '../../personal/open-answer.ts'
import type { TenantContext } from '../../tenants/tenant-context.ts'
import { selectWarning } from '../warning-queries.ts'
import { unknownWarning } from '../warnings/warnings.ts'
import { insertNotice, selectRaise } from './notice-queries.ts'
import type { Notice } from './raises.ts'

/** A raise has at most these reported notices and one of a webhook, 100 together. The table has the same bound. */
const MOST_REPORTED = 99

export const REPORTED_CHANNELS = ['email', 'sms', 'push', 'letter', 'call'] as const

export type NewNotice = {
  eventId: string
  channel: (typeof REPORTED_CHANNELS)[number]
  sentAt: Date
  reference: string | undefined
}

/** Its reference is sealed, as in the stored answer. */
export type NoticeToAnswer = Omit<Notice, 'reference'> & { reference: SealedText | undefined }

/** Stores what the tenant has sent to the borrower; nothing is sent. Refuses `not_found`,
 * `validation_failed` and, after 99, `limit_reached`. */
export async function reportNotice(
  context: TenantContext,
  { facilityId, number: warningNumber }: { facilityId: string; number: number },
  { eventId, channel, sentAt, reference }: NewNotice,
): Promise<{ notice: NoticeToAnswer; personal: PersonalAnswer }> {
  const { tx, tenantId, facility, now } = await lockFacility(context, facilityId)
  if (!(await selectWarning(tx, tenantId, facilityId, warningNumber))) throw unknownWarning()
  const raise = await selectRaise(tx, tenantId, { facilityId, warningNumber, eventId })
  if (!raise) {
    throw refuse('/event_id', 'mismatch', 'Expected the id of a raise of this warning.')
  }
  if (sentAt < raise.raised_at) {
    throw refuse('/sent_at', 'out_of_range', `Earlier than the raise. ${range(raise, now)}`)
  }
  if (sentAt > now) throw refuse('/sent_at', 'in_future', `In the future. ${range(raise, now)}`)
  if (raise.last >= MOST_REPORTED) {
    throw new Refusal('limit_reached', `A raise keeps ${MOST_REPORTED} notices that are reported.`)
  }
  const { borrowerId } = facility
  const key = await ensureBorrowerKey(tx, { tenantId, borrowerId })
  const sealed = reference === undefined ? undefined : key.seal(reference, 'reference')
  await insertNotice(tx, {
    tenant_id: tenantId,
    event_id: eventId,
    number: raise.last + 1,
    channel,
    at: sentAt,
    reference: sealed ?? null,
    recorded_at: now,
  })
  const notice = { channel, at: sentAt, reference: sealed, recordedAt: now }
  return { notice, personal: { borrowerId, key } }
}

const range = ({ raised_at: from }: { raised_at: Date }, now: Date) =>
  `Expected from ${from.toISOString()} to ${now.toISOString()}.`

function refuse(pointer: string, code: 'mismatch' | 'out_of_range' | 'in_future', detail: string) {
  return new Refusal('validation_failed', 'The notice is not valid; see errors.', {
    errors: [{ pointer, code, detail }],
  })
}
