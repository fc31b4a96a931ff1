import { isIP } from 'node:net'

/** `except`: entries of NO_PROXY, such as `vendor.internal`, `.internal`, `10.0.0.7:8443` or `*`. */
export type OutboundProxy = { url: string; except: readonly string[] }

/** The proxy for an address, by its host and port. Undefined: this machine and what `except` names are
 * reached directly. */
export function proxyFor(
  { host: given, port }: { host: string; port: number },
  proxy: OutboundProxy | undefined,
): string | undefined {
  const host = given
    .toLowerCase()
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
  if (!proxy || host === 'localhost' || host === '::1' || isLoopback(host)) return undefined
  return proxy.except.some((entry) => covers(entry.toLowerCase(), host, port))
    ? undefined
    : proxy.url
}

const isLoopback = (host: string) => isIP(host) === 4 && host.startsWith('127.')

function covers(entry: string, host: string, port: number): boolean {
  if (entry === '*') return true
  // A colon of an IPv6 address begins no port.
  const isAddress = isIP(entry.replace(/^\[|\]$/g, '')) !== 0
  const [, name = entry, only] = isAddress ? [] : (/^(.*?)(?::(\d+))?$/.exec(entry) ?? [])
  if (only !== undefined && Number(only) !== port) return false
  const domain = name.replace(/^\*?\.|^\[|\]$/g, '')
  return host === domain || (isIP(host) === 0 && host.endsWith(`.${domain}`))
}
