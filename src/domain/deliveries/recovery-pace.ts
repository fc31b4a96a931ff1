import { addMs, DAY_MS, HOUR_MS, MINUTE_MS } from '../../core/time.ts'
import type { Db, Tx } from '../../db/database.ts'
import type { RecoveryPaceRow } from '../../db/schema/events.ts'
import { purgeAged } from '../tenants/each-tenant.ts'
import { type HostName, lockPace, selectAsked, updatePace } from './recovery-queries.ts'

/** Recovered deliveries to a host that has answered none of a recovery with 2xx, or whose webhook fails. One
 * request to recover makes thousands of deliveries, the host may not be the tenant's, and 100 failures in a
 * row disable a webhook: this many show that it works again, and trouble no one. */
export const UNANSWERED_AN_HOUR = 60

/** From the end of an attempt to the next. */
const GAP_MS = HOUR_MS / UNANSWERED_AN_HOUR

/** How often an attempt under way is looked at. */
const LOOK_MS = 500

/** About as long as the longest attempt. */
const ATTEMPT_MS = MINUTE_MS

const KEPT_MS = DAY_MS

/** The name may have another owner by then. */
const ANSWER_HOLDS_MS = 30 * DAY_MS

export type Pace =
  | { allows: 'all' }
  /** Call `notePaced` with what has been made due. */
  | { allows: 'one' }
  | { allows: 'none'; until: Date }

type Asked = { isDelivered: boolean; isUnderWay: boolean } | undefined

type Decision = { pace: Pace; change?: Partial<RecoveryPaceRow> }

const ENDED = { webhook_id: null, event_id: null, recorded_at: null }

/** The facts that a recovery has seen. An answer from before its request proves nothing, and neither does an
 * answer after which attempts at the webhook have failed. */
export type Witness = { requestedAt: Date; failures: number }

/** `asked`: how the delivery stands that `row` names; undefined where it names none or is no longer
 * kept. */
export function decidePace(
  row: Pick<RecoveryPaceRow, 'answered_at' | 'next_at' | 'event_id'>,
  asked: Asked,
  { requestedAt, failures }: Witness,
  now: Date,
): Decision {
  const isAnswered = row.answered_at !== null && row.answered_at >= requestedAt
  if (isAnswered && failures === 0) return { pace: { allows: 'all' } }
  if (row.event_id === null) {
    const isTime = row.next_at <= now
    return { pace: isTime ? { allows: 'one' } : { allows: 'none', until: row.next_at } }
  }
  if (asked?.isUnderWay) return { pace: { allows: 'none', until: addMs(now, LOOK_MS) } }
  if (asked?.isDelivered) {
    const forget_at = addMs(now, ANSWER_HOLDS_MS)
    return { pace: { allows: 'all' }, change: { ...ENDED, answered_at: now, forget_at } }
  }
  const until = addMs(now, GAP_MS)
  return { pace: { allows: 'none', until }, change: { ...ENDED, next_at: until } }
}

/** How many deliveries a recovery to this host may ask for now. Locks the host's row. */
export async function takePace(tx: Tx, name: HostName, witness: Witness, now: Date): Promise<Pace> {
  const row = await lockPace(tx, name, { now, forgetAt: addMs(now, KEPT_MS) })
  const { webhook_id: webhookId, event_id: eventId, recorded_at: recordedAt } = row
  const asked =
    webhookId !== null && eventId !== null && recordedAt !== null
      ? await selectAsked(
          tx,
          name.tenantId,
          { webhookId, eventId, recordedAt },
          addMs(now, -ATTEMPT_MS),
        )
      : undefined
  const { pace, change } = decidePace(row, asked, witness, now)
  if (change) await updatePace(tx, name, change)
  return pace
}

export async function notePaced(
  tx: Tx,
  name: HostName,
  webhookId: string,
  { eventId, recordedAt }: { eventId: string; recordedAt: Date },
): Promise<void> {
  // Whatever it has answered before, this attempt shows whether it does now.
  const asked = {
    ...{ webhook_id: webhookId, event_id: eventId, recorded_at: recordedAt },
    answered_at: null,
  }
  await updatePace(tx, name, asked)
}

export async function purgePaces(db: Db, now: Date): Promise<number> {
  return await purgeAged(db, 'recovery_paces', now)
}
