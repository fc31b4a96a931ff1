import { Refusal } from '../../core/errors.ts'

/** ASCII alone: in Unicode two addresses can look the same, or become the same. Without quotes, comments
 * and a last dot, by which a mailbox has many addresses. */
export const ADDRESS = /^[!#-'*+\-./0-9=?A-Z^-~]+@[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?$/

/** A–Z become a–z and nothing else is changed: `toLowerCase` and normalisation would make one of two
 * people's addresses. Addresses are stored and compared as this returns them. */
export function foldAddress(address: string): string {
  return address.replace(/[A-Z]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) + 32))
}

/** Returns it folded. Refuses `validation_failed` for a character outside printable ASCII. */
export function readAddress(given: string): string {
  if (ADDRESS.test(given)) return foldAddress(given)
  throw new Refusal(
    'validation_failed',
    'email: Expected an e-mail address of ASCII characters, without blanks.',
  )
}

/** The mailbox of a folded address, without what many providers ignore after a plus. */
export function mailboxOf(address: string): string {
  return address.replace(/(?<=^[^+@]+)\+[^@]*/, '')
}
