import { randomUUID } from 'node:crypto'
import type { Sealer } from '../../core/sealing.ts'
import { addMs, DAY_MS, MINUTE_MS } from '../../core/time.ts'
import type { Tx } from '../../db/database.ts'
import { LENDER, type PersonKey, peopleOf } from '../../db/sql/people-tables.ts'
import { listKeys } from '../auth/keys.ts'
import { requestWork, type WorkResult } from '../work/work.ts'
import { CONFIRM_ADDRESS, newConfirmationToken } from './confirmation-tokens.ts'
import {
  type AccountMailRow,
  claimLenderMails,
  insertAccountMail,
  selectAccountMail,
  settleLenderMail,
  updateAccountMailSent,
} from './mail-queries.ts'
import { type MailContext, type MailToPerson, sendToPerson } from './send-to-person.ts'
import { type AccountEvent, accountWords, keyExpiryWords, questionWords } from './words.ts'

export const MAIL_PERSON = 'mail-person'

export const KEY_EXPIRING = 'key_expiring'

type MailKind = AccountEvent | typeof CONFIRM_ADDRESS | typeof KEY_EXPIRING

/** A mail server that is away for longer is known by then, and a question is stale. */
const GIVEN_UP_MS = DAY_MS

/** Enough for as many sends that all time out. */
const LENDER_PAUSE_MS = 2 * MINUTE_MS
const LENDER_BATCH = 10

export type AccountMailContext = MailContext & { sealer: Sealer }

/** Mails a person about their own account, in the transaction of what happened to it. It is sent after
 * the commit, to a confirmed address alone and beside any limit; without a mail server, never.
 * `subjectId` is an id of ours: the passkey, token or other account that it is about. */
export async function mailAboutAccount(
  tx: Tx,
  key: PersonKey,
  about: { event: AccountEvent; subjectId?: string },
  now: Date,
): Promise<void> {
  await queueMail(tx, key, { kind: about.event, subjectId: about.subjectId }, now)
}

export async function queueMail(
  tx: Tx,
  key: PersonKey,
  mail: { kind: MailKind; subjectId?: string | undefined },
  now: Date,
): Promise<void> {
  const mailId = randomUUID()
  await insertAccountMail(tx, key, { mailId, kind: mail.kind, subjectId: mail.subjectId, now })
  if (key.audience === 'lender') return
  const { tenantId } = key
  await requestWork(tx, { tenantId, topic: MAIL_PERSON, subjectId: mailId }, now)
}

/** One mail to one of a tenant's people. May run twice. */
export async function mailPerson(
  context: AccountMailContext,
  tenantId: string,
  mailId: string,
): Promise<WorkResult> {
  const mail = await selectAccountMail(context.db, tenantId, mailId)
  if (!mail) return { done: true }
  const key = { ...peopleOf(tenantId), personId: mail.person_id }
  if (await send(context, key, mail)) {
    await updateAccountMailSent(context.db, tenantId, mailId, context.clock())
  }
  return { done: true }
}

/** What is due to the lender's people. A mail that fails is due again after a pause; the first failure
 * is thrown at the end. */
export async function mailLenderPeople(context: AccountMailContext): Promise<void> {
  const { db, clock } = context
  const now = clock()
  const claim = { now, again: addMs(now, LENDER_PAUSE_MS), limit: LENDER_BATCH }
  const failures: unknown[] = []
  for (const mail of await claimLenderMails(db, claim)) {
    const key = { ...LENDER, personId: mail.person_id }
    try {
      const isSent = await send(context, key, mail)
      await settleLenderMail(db, mail.mail_id, isSent ? clock() : undefined)
    } catch (error) {
      failures.push(error)
    }
  }
  if (failures.length > 0) throw failures[0]
}

async function send(
  context: AccountMailContext,
  key: PersonKey,
  mail: AccountMailRow,
): Promise<boolean> {
  const now = context.clock()
  if (now >= addMs(mail.asked_at, GIVEN_UP_MS)) return false
  const write = await findWords(context, key, mail)
  if (!write) return false
  const isQuestion = mail.kind === CONFIRM_ADDRESS
  return await sendToPerson(context, key, { mailId: mail.mail_id, isQuestion, write })
}

/** Undefined where there is nothing to write any more. */
async function findWords(
  { db, clock, sealer }: AccountMailContext,
  key: PersonKey,
  { kind, subject_id: subjectId, asked_at: at }: AccountMailRow,
): Promise<MailToPerson['write'] | undefined> {
  const now = clock()
  if (kind === CONFIRM_ADDRESS) {
    return (pages, address) =>
      questionWords(pages, newConfirmationToken(sealer, { key, address, now }))
  }
  if (kind === KEY_EXPIRING && key.audience === 'tenant') {
    const keys = await listKeys(db, key.tenantId, now)
    const expiring = keys.find(({ id, state }) => id === subjectId && state === 'active')
    const expiresAt = expiring?.expiresAt
    return expiresAt && ((pages) => keyExpiryWords(pages, expiring.id, expiresAt))
  }
  const event = kind as AccountEvent
  return (pages) => accountWords(pages, { event, personId: key.personId, subjectId, at })
}
