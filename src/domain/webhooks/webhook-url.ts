import ipaddr from 'ipaddr.js'
import type { AddressPolicy } from './address-policy.ts'

/**
 * All addresses of a host name, both families; an empty list when it has none. Rejects when the
 * name server fails to answer.
 */
export type ResolveHost = (hostname: string) => Promise<readonly string[]>

/** A URL that may be registered, or the sentence that tells why not. */
type WebhookUrlResult = { url: URL } | { refusal: string }

const MAX_LENGTH = 2_048

/** Scheme and authority written out in full, nothing that a URL parser would silently repair. */
const PLAIN_FORM = /^(?<scheme>[a-z][a-z0-9+.-]*):\/\/(?<authority>[^/?#\\]+)[^\\]*$/i

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const BLANK = /[\s\u0000-\u001f\u007f]/

/**
 * Reads the delivery target of a webhook (interface, Webhooks): https, or http too where
 * `allowHttp`; any port; no credentials, no fragment, at most 2,048 characters, also after
 * percent-encoding. Looks at the text alone: `checkWebhookHost` judges where it leads.
 */
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
  return url.href.length > MAX_LENGTH ? tooLong : { url }
}

const tooLong = { refusal: `The URL must not be longer than ${MAX_LENGTH} characters.` }

/**
 * The IP address that `url` names, without brackets, or undefined when its host is a name. Parsing
 * has by then turned every other spelling (`0x7f.1`, `2130706433`, `127.0.0.1.`) into this one.
 */
export function literalAddress(url: URL): string | undefined {
  const { hostname } = url
  if (hostname.startsWith('[')) return hostname.slice(1, -1)
  return ipaddr.IPv4.isValidFourPartDecimal(hostname) ? hostname : undefined
}

/** One sentence for every refused host: different ones would reveal what our network holds. */
const NOT_PUBLIC = 'The URL does not lead to a public address.'

/**
 * Why the host of `url` may not be registered, or undefined when it may: one refused address refuses
 * the name, and a name that does not resolve now is accepted. An early answer for the tenant, not
 * the protection: a name may resolve elsewhere tomorrow, so each connection checks again. A name of
 * the kind that inner networks use is refused also where it does not resolve, so that registering
 * does not reveal which of them exist.
 */
export async function checkWebhookHost(
  url: URL,
  policy: AddressPolicy,
  resolve: ResolveHost,
): Promise<string | undefined> {
  const isAllowed = policy.at(portOf(url))
  const literal = literalAddress(url)
  if (literal !== undefined) return isAllowed(literal) ? undefined : NOT_PUBLIC
  // Refused without asking: whatever a name server says, these names mean this machine.
  if (isLocalName(url.hostname) && !isAllowed('127.0.0.1')) return NOT_PUBLIC
  const addresses = await resolve(url.hostname).catch(() => [])
  if (addresses.length === 0 && isInnerName(url.hostname)) return NOT_PUBLIC
  return addresses.every(isAllowed) ? undefined : NOT_PUBLIC
}

/** The port that `url` leads to, be it its scheme's own. */
export function portOf(url: URL): number {
  if (url.port !== '') return Number(url.port)
  return url.protocol === 'https:' ? 443 : 80
}

/** Top-level names that no public name server answers for (RFC 6762, RFC 8375, ICANN's `internal`). */
const INNER_NAME =
  /(^|\.)(local|internal|intranet|private|corp|home|lan|localdomain|home\.arpa)\.?$/i

/** A name of one label, or below a name that is used inside networks alone. */
function isInnerName(hostname: string): boolean {
  return !hostname.replace(/\.$/, '').includes('.') || INNER_NAME.test(hostname)
}

/** `localhost` and every name below it (RFC 6761). */
export function isLocalName(hostname: string): boolean {
  return /(^|\.)localhost\.?$/i.test(hostname)
}
