import ipaddr from 'ipaddr.js'

/** Which addresses a webhook may be delivered to. */
export type AddressPolicy = {
  /** True for an address, in its plain spelling (`203.0.113.9`, `2001:db8::1`), that may be connected to. */
  allows(address: string): boolean
}

/** The only block of IPv6 that global unicast addresses are assigned from. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3')

/**
 * The policy that keeps deliveries off our own network: an address is refused unless it is public
 * global unicast or lies in one of `allowCidrs`. A range opens its own family only: `10.0.0.0/8`
 * opens neither `::ffff:10.0.0.1` nor `64:ff9b::a00:1`. Throws on a range that cannot be read.
 */
export function createAddressPolicy(allowCidrs: readonly string[]): AddressPolicy {
  const allowed = allowCidrs.map(parseRange)
  return {
    allows(text) {
      const address = parseAddress(text)
      if (address === undefined) return false
      return isPublic(address) || allowed.some((range) => lies(address, range))
    },
  }
}

type Address = ipaddr.IPv4 | ipaddr.IPv6
type Range = [Address, number]

/** Only the spelling that resolvers and URLs produce is read: what is odd (a zone id, octal) is refused. */
function parseAddress(text: string): Address | undefined {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text)
  if (text.includes('%') || !ipaddr.IPv6.isValid(text)) return undefined
  return ipaddr.IPv6.parse(text)
}

function parseRange(text: string): Range {
  const readable =
    ipaddr.IPv4.isValidCIDRFourPartDecimal(text) ||
    (ipaddr.IPv6.isValidCIDR(text) && !text.includes('%'))
  if (!readable) throw new Error(`Not an address range: "${text}". Write it like 10.0.0.0/8.`)
  return ipaddr.parseCIDR(text)
}

/**
 * "unicast" is what the library calls an address in none of the special ranges of the IANA
 * registries. In IPv6 that still leaves space nobody was assigned, where the addresses that embed
 * an IPv4 one live too, hence the second condition.
 */
function isPublic(address: Address): boolean {
  if (address.range() !== 'unicast') return false
  return address instanceof ipaddr.IPv4 || address.match(GLOBAL_UNICAST)
}

function lies(address: Address, range: Range): boolean {
  return address.kind() === range[0].kind() && address.match(range)
}
