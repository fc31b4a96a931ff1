import type { Clock } from '../../core/time.ts'
import type { Db } from '../../db/database.ts'
import type { PersonKey } from '../../db/sql/people-tables.ts'
import { selectAddress } from './mail-queries.ts'
import type { Pages, Words } from './words.ts'

export type Mail = Words & {
  to: string
  /** The same for a mail that is sent twice, so that mailboxes show it once. */
  messageId: string
}

/** Throws where the mail server did not take it. */
export type SendMail = (mail: Mail) => Promise<void>

export type MailContext = {
  db: Db
  clock: Clock
  config: { console: { origin: string }; desk: { origin: string } }
  /** Undefined where no mail server is configured. Called here and nowhere else. */
  sendMail: SendMail | undefined
}

export type MailToPerson = {
  mailId: string
  /** Asks whether the address is theirs. */
  isQuestion: boolean
  write(pages: Pages, address: string): Words
}

/** The address that a mail goes to: a question to one that is not confirmed, every other mail to one
 * that is. Undefined: it goes nowhere. */
export function addressFor(
  { email, confirmed_email: confirmed }: { email: string; confirmed_email: string | null },
  { isQuestion }: { isQuestion: boolean },
): string | undefined {
  return (confirmed === email) === isQuestion ? undefined : email
}

/** Returns false where nothing was sent: without a mail server, to a person who was removed, and where
 * `addressFor` allows no address. */
export async function sendToPerson(
  { db, config, sendMail }: MailContext,
  key: PersonKey,
  mail: MailToPerson,
): Promise<boolean> {
  const person = sendMail && (await selectAddress(db, key))
  const to = person && addressFor(person, mail)
  if (!sendMail || to === undefined) return false
  const isLender = key.audience === 'lender'
  const { origin } = isLender ? config.desk : config.console
  const pages = { audience: key.audience, home: `${origin}/${isLender ? 'desk' : 'console'}/` }
  const messageId = `${mail.mailId}@${new URL(origin).hostname}`
  await sendMail({ to, messageId, ...mail.write(pages, to) })
  return true
}
