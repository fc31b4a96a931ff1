import ipaddr from 'ipaddr.js'

/**
 * Whom a request that does not verify is counted against: its IPv4 address, or the /64 of its IPv6
 * address, which is what one customer of a network is given.
 */
export function sourceOf(address: string | undefined): string {
  if (address === undefined || !ipaddr.isValid(address)) return 'unknown'
  const parsed = ipaddr.process(address)
  if (parsed.kind() === 'ipv4') return parsed.toString()
  const network = parsed.toByteArray().fill(0, 8)
  return `${ipaddr.fromByteArray(network).toString()}/64`
}
