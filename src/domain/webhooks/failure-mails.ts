import { randomUUID } from 'node:crypto'
import { addMs, DAY_MS } from '../../core/time.ts'
import { inTransaction, type Tx } from '../../db/database.ts'
import { peopleOf } from '../../db/sql/people-tables.ts'
import { DISABLE_AT } from '../deliveries/decide-outcome.ts'
import { type MailContext, sendToPerson } from '../mails/send-to-person.ts'
import { lines, type Pages, type Words } from '../mails/words.ts'
import { requestWorks, type WorkResult } from '../work/work.ts'
import { planNextMail, type RecentMail } from './failure-mail-pace.ts'
import {
  collectNotices,
  deleteUnsent,
  type Failures,
  lockCollected,
  lockRecipient,
  type NoticeRow,
  reserveCollected,
  selectRecipients,
  selectReserved,
  selectUnsent,
  updateSent,
} from './failure-mail-queries.ts'
import type { FailureNotice } from './failure-notices.ts'

export const MAIL_FAILURE = 'mail-failure'

/** Collects these notices of one webhook for each person who asked for mails. */
export async function requestFailureMails(
  tx: Tx,
  tenantId: string,
  notices: readonly FailureNotice[],
  now: Date,
): Promise<void> {
  const failures = sumUp(notices)
  if (!failures) return
  const people = await selectRecipients(tx, tenantId)
  const collected = people.map((personId) => ({
    ...{ ...failures, personId, now },
    noticeId: randomUUID(),
  }))
  await collectNotices(tx, tenantId, collected)
  const works = people.map((subjectId) => ({ topic: MAIL_FAILURE, subjectId }) as const)
  await requestWorks(tx, tenantId, works, now)
}

function sumUp(notices: readonly FailureNotice[]): Failures | undefined {
  const [first] = notices
  if (!first) return undefined
  const failing = notices.flatMap(({ type, data }) => (type === 'webhook.failing' ? [data] : []))
  const isDisabled = notices.length > failing.length
  const attempts = failing.map((data) => data.consecutive_failed_attempts)
  return {
    webhookId: first.data.webhook_id,
    failedAttempts: Math.max(isDisabled ? DISABLE_AT : 0, ...attempts),
    deadLetters: failing.filter(({ reason }) => reason === 'dead_letter').length,
    isDisabled,
  }
}

/** The person's mails that are due. May run twice: a mail that is reserved is sent as it was. */
export async function mailFailures(
  context: MailContext,
  tenantId: string,
  personId: string,
): Promise<WorkResult> {
  const { db, clock, sendMail } = context
  if (!sendMail) return { done: true }
  for (;;) {
    const next = await inTransaction(db, (tx) => reserve(tx, { tenantId, personId }, clock()))
    if (next.kind === 'none') return { done: true }
    if (next.kind === 'wait') return { done: false, retryAt: next.until }
    const { mailId, rows } = next
    const isSent = await sendToPerson(
      context,
      { ...peopleOf(tenantId), personId },
      {
        ...{ mailId, isQuestion: false },
        write: (pages) => failureWords(pages, rows),
      },
    )
    // Removed, or with another address, meanwhile.
    if (!isSent) return { done: true }
    await updateSent(db, tenantId, { personId, mailId }, clock())
  }
}

type Reserved =
  | { kind: 'none' }
  | { kind: 'wait'; until: Date }
  | { kind: 'mail'; mailId: string; rows: readonly NoticeRow[] }

/** Before the mail is sent, so that one that may have been sent counts. */
async function reserve(
  tx: Tx,
  { tenantId, personId }: { tenantId: string; personId: string },
  now: Date,
): Promise<Reserved> {
  if (!(await lockRecipient(tx, tenantId, personId))) {
    await deleteUnsent(tx, tenantId, personId)
    return { kind: 'none' }
  }
  const unsent = await findUnsent(tx, tenantId, personId)
  if (unsent) return unsent
  const waiting = await lockCollected(tx, tenantId, personId)
  const recent = toMails(await selectReserved(tx, tenantId, personId, addMs(now, -DAY_MS)))
  const next = planNextMail({ waiting, recent }, now)
  if (next.kind !== 'mail') return next
  const collected = { tenantId, personId, webhookIds: [...next.webhookIds] }
  await reserveCollected(tx, collected, randomUUID(), now)
  return (await findUnsent(tx, tenantId, personId)) ?? { kind: 'none' }
}

async function findUnsent(
  tx: Tx,
  tenantId: string,
  personId: string,
): Promise<Reserved | undefined> {
  const rows = await selectUnsent(tx, tenantId, personId)
  const [first] = rows
  return first && { kind: 'mail', mailId: first.mail_id, rows }
}

function toMails(rows: Awaited<ReturnType<typeof selectReserved>>): RecentMail[] {
  return [...Map.groupBy(rows, ({ mail_id }) => mail_id).values()].map((of) => ({
    reservedAt: new Date(Math.max(...of.map(({ reserved_at }) => reserved_at.getTime()))),
    webhookIds: of.map(({ webhook_id }) => webhook_id),
  }))
}

function failureWords({ home }: Pages, rows: readonly NoticeRow[]): Words {
  const areDisabled = rows.every((row) => row.is_disabled)
  const state = areDisabled ? 'disabled' : 'failing'
  const [only, ...others] = rows
  const isOne = only !== undefined && others.length === 0
  return {
    subject: isOne
      ? `The webhook ${only.webhook_id} is ${state}`
      : `${rows.length} webhooks are ${state}`,
    text: lines(
      ...rows.flatMap((row) => [...describe(row), `${home}webhooks/${row.webhook_id}`, '']),
      'You asked for these mails in the console, on the page Webhooks, and can end them there. You get at most one an hour about a webhook, and ten a day; the next one has what happened in between.',
    ),
  }
}

function describe(row: NoticeRow): string[] {
  const { webhook_id: id, first_at: from, last_at: to } = row
  const instants = [...new Set([from.toISOString(), to.toISOString()])]
  return [
    `Webhook ${id}, ${instants.join(' to ')}:`,
    ...(row.failed_attempts > 0 ? [`- ${row.failed_attempts} attempts in a row have failed.`] : []),
    ...(row.dead_letters > 0
      ? [
          `- ${row.dead_letters} events about margin were not delivered, and are not tried again by themselves.`,
        ]
      : []),
    row.is_disabled
      ? '- It is disabled: nothing is delivered to it until you register it again.'
      : `- After ${DISABLE_AT} failed attempts in a row it is disabled.`,
  ]
}
