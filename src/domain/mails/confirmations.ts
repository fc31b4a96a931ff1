import { Refusal } from '../../core/errors.ts'
import type { Sealer } from '../../core/sealing.ts'
import { addMs, DAY_MS, SECOND_MS } from '../../core/time.ts'
import type { Db, Tx } from '../../db/database.ts'
import type { Audience, PersonKey } from '../../db/sql/people-tables.ts'
import { mailboxOf } from '../people/address.ts'
import { getMember } from '../people/members.ts'
import { actAs, recordSignInAct, type When } from '../people/record.ts'
import { queueMail } from './account-mails.ts'
import { lockAsker, selectAskedAt, upsertAskedAddress } from './asked-address-queries.ts'
import { CONFIRM_ADDRESS, readConfirmationToken } from './confirmation-tokens.ts'
import { selectAddress, updateAddressConfirmed } from './mail-queries.ts'
import { addressFor } from './send-to-person.ts'

/** A mailbox is asked once in this time, by any person, in all tenants together. */
const ADDRESS_EVERY_MS = DAY_MS

/** The addresses that people of one tenant, or of the lender, have asked in a day: more are no company
 * that begins, but a list. */
const MOST_A_DAY = 10

/** Refuses `validation_failed` where no mail server is configured. */
export function assertMailServer(hasMailServer: boolean): void {
  if (hasMailServer) return
  const detail = 'This service has no mail server. Ask the lender to set SMTP_URL.'
  throw new Refusal('validation_failed', detail)
}

/** Whether the person's address is confirmed; false for one who was removed. */
export async function isAddressConfirmed(db: Db, key: PersonKey): Promise<boolean> {
  const person = await selectAddress(db, key)
  return person !== undefined && addressFor(person, { isQuestion: false }) !== undefined
}

/** Mails the person's address a link that confirms it, unless it is confirmed. Returns undefined, or,
 * if a limit is reached, when it may be asked: then nothing is mailed. */
export async function askToConfirm(tx: Tx, key: PersonKey, now: Date): Promise<Date | undefined> {
  const person = await selectAddress(tx, key)
  const address = person && addressFor(person, { isQuestion: true })
  if (address === undefined) return undefined
  const askedBy = key.audience === 'tenant' ? key.tenantId : 'lender'
  await lockAsker(tx, askedBy)
  const today = { after: addMs(now, -DAY_MS), limit: MOST_A_DAY }
  const asked = await selectAskedAt(tx, askedBy, today)
  const oldest = asked[MOST_A_DAY - 1]
  if (oldest) return addMs(oldest, DAY_MS)
  const last = addMs(now, -ADDRESS_EVERY_MS)
  const asking = { address: mailboxOf(address), askedBy, now }
  const earlier = await upsertAskedAddress(tx, asking, last)
  if (earlier) return addMs(earlier, ADDRESS_EVERY_MS)
  await queueMail(tx, key, { kind: CONFIRM_ADDRESS }, now)
  return undefined
}

/** As `askToConfirm`, for a person who asks. Refuses `rate_limited` if a limit is reached. */
export async function askAgainToConfirm(tx: Tx, key: PersonKey, now: Date): Promise<void> {
  const retryAt = await askToConfirm(tx, key, now)
  if (!retryAt) return
  const retryAfterSeconds = Math.ceil((retryAt.getTime() - now.getTime()) / SECOND_MS)
  throw new Refusal(
    'rate_limited',
    `A link is mailed to an address once a day, and to ${MOST_A_DAY} addresses of a company a day. Ask again after ${retryAt.toISOString()}.`,
    { retryAfterSeconds },
  )
}

/** A second use of a link changes nothing. Refuses `link_invalid`, also where the person has another address by now, or was removed. */
export async function confirmAddress(
  tx: Tx,
  sealer: Sealer,
  { audience, token }: { audience: Audience; token: string },
  when: When,
): Promise<void> {
  const read = readConfirmationToken(sealer, audience, token, when.now)
  if (!read) throw linkInvalid()
  const { key, address } = read
  if (await updateAddressConfirmed(tx, key, address)) {
    const member = await getMember(tx, key)
    await recordSignInAct(tx, actAs(member, when), key.personId, { act: 'confirmAddress' })
    return
  }
  if ((await selectAddress(tx, key))?.confirmed_email !== address) throw linkInvalid()
}

function linkInvalid(): Refusal {
  const detail = 'The link does not confirm an address: it works for 24 hours. Ask for another one.'
  return new Refusal('link_invalid', detail)
}
