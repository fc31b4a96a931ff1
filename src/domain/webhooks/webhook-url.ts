import ipaddr from 'ipaddr.js'
import type { AddressPolicy } from './address-policy.ts'

export type ResolveHost = (hostname: string) => Promise<readonly string[]>

type WebhookUrlResult = { url: URL } | { refusal: string }

const MAX_LENGTH = 2_048

const PLAIN_FORM = /^(?<scheme>[a-z][a-z0-9+.-]*):\/\/(?<authority>[^/?#\\]+)[^\\]*$/i

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const BLANK = /[\s\u0000-\u001f\u007f]/

/** Checks the text only; `checkWebhookHost` checks where it leads. The limit of 2,048 characters
 * also holds after percent-encoding. */
export function parseWebhookUrl(text: string, options: { allowHttp: boolean }): WebhookUrlResult {
  if (text.length > MAX_LENGTH) return tooLong
  const { scheme, authority } = PLAIN_FORM.exec(text)?.groups ?? {}
  if (scheme === undefined || authority === undefined || BLANK.test(text) || !URL.canParse(text)) {
    return { refusal: 'The URL cannot be read. Write it like https://example.com/hooks.' }
  }
  if (scheme.toLowerCase() !== 'https' && !(options.allowHttp && scheme.toLowerCase() === 'http')) {
    return { refusal: `The URL must use ${options.allowHttp ? 'https or http' : 'https'}.` }
  }
  if (authority.includes('@')) return { refusal: 'The URL must not contain credentials.' }
  if (text.includes('#')) return { refusal: 'The URL must not contain a fragment.' }
  const url = new URL(text)
  if (url.port === '0') return { refusal: 'The URL must not have port 0.' }
  if (!hasWholeLabels(url.hostname)) {
    return { refusal: 'Each part of the host must have 1 to 63 characters.' }
  }
  return url.href.length > MAX_LENGTH ? tooLong : { url }
}

/** RFC 1035, 2.3.4. An IPv6 address counts as one. */
function hasWholeLabels(hostname: string): boolean {
  const labels = hostname.replace(/\.$/, '').split('.')
  return labels.every(({ length }) => length > 0 && length <= 63)
}

const tooLong = { refusal: `The URL must not be longer than ${MAX_LENGTH} characters.` }

export function literalAddress(url: URL): string | undefined {
  const { hostname } = url
  if (hostname.startsWith('[')) return hostname.slice(1, -1)
  return ipaddr.IPv4.isValidFourPartDecimal(hostname) ? hostname : undefined
}

/** One sentence for all, so that answers do not reveal what the network holds. */
const NOT_PUBLIC = 'The URL does not lead to a public address.'

/** An early answer only: names change, so each connection checks again. A name that does not resolve
 * is accepted, but not an internal one: otherwise registering would reveal which exist. */
export async function checkWebhookHost(
  url: URL,
  policy: AddressPolicy,
  resolve: ResolveHost,
): Promise<string | undefined> {
  const isAllowed = policy.at(portOf(url))
  const literal = literalAddress(url)
  if (literal !== undefined) return isAllowed(literal) ? undefined : NOT_PUBLIC
  // Whatever a name server returns, these names mean this machine.
  if (isLocalName(url.hostname) && !isAllowed('127.0.0.1')) return NOT_PUBLIC
  const addresses = await resolve(url.hostname).catch(() => [])
  if (addresses.length === 0 && isInnerName(url.hostname)) return NOT_PUBLIC
  return addresses.every(isAllowed) ? undefined : NOT_PUBLIC
}

export function portOf(url: URL): number {
  if (url.port !== '') return Number(url.port)
  return url.protocol === 'https:' ? 443 : 80
}

/** Not in public DNS (RFC 6762, RFC 8375, ICANN's `internal`). */
const INNER_NAME =
  /(^|\.)(local|internal|intranet|private|corp|home|lan|localdomain|home\.arpa)\.?$/i

function isInnerName(hostname: string): boolean {
  return !hostname.replace(/\.$/, '').includes('.') || INNER_NAME.test(hostname)
}

export function isLocalName(hostname: string): boolean {
  return /(^|\.)localhost\.?$/i.test(hostname)
}
