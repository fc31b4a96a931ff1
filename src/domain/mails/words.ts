import type { Audience } from '../../db/sql/people-tables.ts'

/** All of it is ours: ids, counts, instants and our own links. Nothing that a person or a tenant has
 * typed is in a mail. */
export type Words = { subject: string; text: string }

/** What people are mailed about their own account. */
const ACCOUNT_EVENTS = {
  passkey_added: 'A passkey was added to your account.',
  passkey_removed: 'A passkey was removed from your account.',
  identity_bound: 'Your account was bound to a person at the identity provider.',
  token_made: 'An API token that acts in your name was made.',
  role_changed: 'The role of your account was changed.',
  link_made: 'A link that signs in to your account was made.',
  link_made_by_owner: 'A link that signs in to your account was made at the command line.',
  link_made_for_other: 'A link that signs in to another account was made at the command line.',
  link_opened: 'A link that signs in to your account was opened.',
} as const

export type AccountEvent = keyof typeof ACCOUNT_EVENTS

/** Where the links of a mail lead: the pages of the console or of the desk. */
export type Pages = { audience: Audience; home: string }

const NAMES: Readonly<Record<Audience, string>> = {
  tenant: 'the console of the lending service',
  lender: 'the desk of the lending service',
}

type AccountMail = { event: AccountEvent; personId: string; subjectId: string | null; at: Date }

export function accountWords(
  { audience, home }: Pages,
  { event, personId, subjectId, at }: AccountMail,
): Words {
  const about = subjectId === null ? [] : [`About: ${subjectId}`]
  return {
    subject: ACCOUNT_EVENTS[event].slice(0, -1),
    text: lines(
      ACCOUNT_EVENTS[event],
      '',
      ...[`Account: ${personId}`, ...about, `At: ${at.toISOString()}`],
      '',
      `If you do not expect this, sign in to ${NAMES[audience]}, sign out everywhere, and ask an admin to look at what was done:`,
      `${home}actions`,
    ),
  }
}

/** To those who can make another key. */
export function keyExpiryWords({ home }: Pages, keyId: string, expiresAt: Date): Words {
  const at = expiresAt.toISOString()
  return {
    subject: `The API key ${keyId} expires on ${at.slice(0, 10)}`,
    text: lines(
      `The API key ${keyId} expires at ${at}. From then on each request that it signs is refused, a cure of a margin warning too.`,
      '',
      'Make another key, let your programs sign with it, then revoke this one:',
      `${home}keys`,
    ),
  }
}

/** The one mail that goes to an address that is not confirmed. */
export function questionWords({ audience, home }: Pages, token: string): Words {
  return {
    subject: 'Confirm this address',
    text: lines(
      `Someone who uses ${NAMES[audience]} gave this address as theirs. Was it you? Then open this link within 24 hours, and confirm there that mails may be sent to it:`,
      '',
      `${home}#confirm=${token}`,
      '',
      'If it was not you, do nothing: no other mails will follow.',
    ),
  }
}

export const lines = (...each: readonly string[]) => `${each.join('\n')}\n`
