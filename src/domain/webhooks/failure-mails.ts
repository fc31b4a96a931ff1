import { Refusal } from '../../core/errors.ts'
import type { Db, Tx } from '../../db/database.ts'
import type { EventData } from '../events/event-types.ts'
import { getEvent } from '../events/read-log.ts'
import { requestWorks, type WorkResult } from '../work/work.ts'
import { DISABLE_AT } from './deliveries/decide-outcome.ts'
import { selectRecipient, selectRecipients } from './failure-mail-queries.ts'
import { selectWebhook } from './queries.ts'

export const MAIL_FAILURE = 'mail-failure'

export type Mail = {
  to: { name: string; address: string }
  subject: string
  text: string
  /** The same for a mail that is sent twice, so that mailboxes show it once. */
  messageId: string
}

/** Throws where the mail server did not take it. */
export type SendMail = (mail: Mail) => Promise<void>

/** One mail to each person who asked for it, about each of these notices. */
export async function requestFailureMails(
  tx: Tx,
  tenantId: string,
  eventIds: readonly string[],
  now: Date,
): Promise<void> {
  if (eventIds.length === 0) return
  const people = await selectRecipients(tx, tenantId)
  const works = eventIds.flatMap((eventId) =>
    people.map(
      (personId) => ({ topic: MAIL_FAILURE, subjectId: `${eventId}/${personId}` }) as const,
    ),
  )
  await requestWorks(tx, tenantId, works, now)
}

type MailContext = {
  db: Db
  config: { publicUrl: string }
  /** Undefined where no mail server is configured. */
  sendMail: SendMail | undefined
}

/** May run twice. */
export async function mailFailure(
  { db, config, sendMail }: MailContext,
  tenantId: string,
  subjectId: string,
): Promise<WorkResult> {
  const [eventId = '', personId = ''] = subjectId.split('/')
  const person = sendMail && (await selectRecipient(db, tenantId, personId))
  if (!person) return { done: true }
  const body = await findEvent(db, tenantId, eventId)
  if (body === undefined) return { done: true }
  const notice: Notice = JSON.parse(body)
  const webhook = await selectWebhook(db, tenantId, notice.data.webhook_id)
  const label = webhook?.label ?? new URL(notice.data.url).host
  await sendMail({
    to: { name: person.name, address: person.email },
    subject: subjectOf(notice, label),
    text: textOf(notice, `${config.publicUrl}/console/webhooks/${notice.data.webhook_id}`),
    messageId: `${eventId}.${personId}@${new URL(config.publicUrl).hostname}`,
  })
  return { done: true }
}

/** Undefined once the log no longer has it: the mail server was away for longer than events are kept. */
async function findEvent(db: Db, tenantId: string, eventId: string): Promise<string | undefined> {
  try {
    return await getEvent(db, tenantId, eventId)
  } catch (error) {
    if (error instanceof Refusal && error.code === 'not_found') return undefined
    throw error
  }
}

type Notice =
  | { type: 'webhook.failing'; occurred_at: string; data: EventData<'webhook.failing'> }
  | { type: 'webhook.disabled'; occurred_at: string; data: EventData<'webhook.disabled'> }

function subjectOf(notice: Notice, label: string): string {
  if (notice.type === 'webhook.disabled') return `The webhook ${label} is disabled`
  return notice.data.reason === 'dead_letter'
    ? `The webhook ${label} has missed a margin event`
    : `The webhook ${label} fails`
}

/** Of the address only its origin: the rest may hold a secret. */
function textOf(notice: Notice, page: string): string {
  return [
    `${happened(notice)}\n`,
    `Endpoint: ${new URL(notice.data.url).origin}`,
    `At: ${notice.occurred_at}`,
    `Its deliveries, and what the endpoint answered: ${page}\n`,
    'You asked for these mails in the console, on the page Webhooks, and can end them there.',
  ].join('\n')
}

function happened({ type, data }: Notice): string {
  if (type === 'webhook.disabled') {
    return `After ${DISABLE_AT} failed attempts in a row the webhook is disabled. Nothing is delivered to it until you register it again.`
  }
  if (data.reason === 'dead_letter') {
    return `A ${data.dead_letter?.event_type} event (${data.dead_letter?.event_id}) was not delivered, and is not tried again by itself.`
  }
  return `${data.consecutive_failed_attempts} attempts in a row have failed. After ${DISABLE_AT} the webhook is disabled.`
}
