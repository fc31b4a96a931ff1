import { isIPv4, isIPv6 } from 'node:net'
import { domainToASCII } from 'node:url'

/** Not the letters that are blank, such as the Hangul fillers. */
const LETTER = /(?!\p{Default_Ignorable_Code_Point})\p{L}/u

/** True where a name has anything that sanctions lists could be searched for. */
export function isScreenable(name: string): boolean {
  return LETTER.test(name)
}

/** They show the text after them in another order than it is screened in. */
export function hasBidiOverride(text: string): boolean {
  return /[\u202d\u202e]/.test(text)
}

/** RFC 5321, 4.5.3.1: a path has 256 octets, two of them brackets. */
export const MAX_MAILBOX_BYTES = 254
const MAX_LOCAL_BYTES = 64

/** RFC 6531 allows all of UTF-8. Controls, blanks and bidi overrides are refused. */
const BEYOND_ASCII = '[^\\x00-\\x7f\\p{Cc}\\p{Cs}\\p{Z}\\u202d\\u202e]'
const ATOM = `(?:[\\w!#$%&'*+\\-/=?^\`{|}~]|${BEYOND_ASCII})+`
const QUOTED = `"(?:[ !#-\\[\\]-~]|\\\\[ -~]|${BEYOND_ASCII})*"`
const LOCAL = new RegExp(`^(?:${ATOM}(?:\\.${ATOM})*|${QUOTED})$`, 'u')
const DOMAIN = new RegExp(`^(?:[A-Za-z0-9.-]|${BEYOND_ASCII})+$`, 'u')
const LABEL = /^[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/
const LITERAL = /^\[(?:IPv6:(?<six>[0-9a-f:.]+)|(?<four>[0-9.]+))\]$/i

/** A mailbox as RFC 5321 and RFC 6531 have it, within the bounds of its parts: quoted names, address
 * literals, and names and domains beyond ASCII too. */
export function isMailbox(text: string): boolean {
  if (Buffer.byteLength(text) > MAX_MAILBOX_BYTES) return false
  const at = text.lastIndexOf('@')
  const local = text.slice(0, Math.max(at, 0))
  if (Buffer.byteLength(local) > MAX_LOCAL_BYTES || !LOCAL.test(local)) return false
  const domain = text.slice(at + 1)
  return isAddressLiteral(domain) || isDomain(domain)
}

function isAddressLiteral(domain: string): boolean {
  const { six = '', four = '' } = LITERAL.exec(domain)?.groups ?? {}
  return isIPv6(six) || isIPv4(four)
}

function isDomain(domain: string): boolean {
  if (!DOMAIN.test(domain)) return false
  // The bound of a label counts as name servers have it.
  const isAscii = /^[A-Za-z0-9.-]+$/.test(domain)
  const encoded = isAscii ? domain : domainToASCII(domain)
  return encoded.split('.').every((label) => LABEL.test(label))
}
