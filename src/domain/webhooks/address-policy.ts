import ipaddr from 'ipaddr.js'

/** True for an address, in its plain spelling (`203.0.113.9`, `2001:db8::1`), that may be connected to. */
export type AddressCheck = (address: string) => boolean

/** Which addresses a webhook may be delivered to. */
export type AddressPolicy = {
  /** The check for a port: one function for all ports but our own, another for those. */
  at(port: number): AddressCheck
}

/** Where the stack itself listens, and what it is built on. */
export type OwnEndpoints = {
  ports: readonly number[]
  /** Our addresses as of now: on our own ports they are refused even where they are public. */
  addresses: () => readonly string[]
}

const NONE: OwnEndpoints = { ports: [], addresses: () => [] }

/** The only block of IPv6 that global unicast addresses are assigned from. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3')

/** Within that block, and given back: the 6bone's, and blocks that were never assigned beside it. */
const RETIRED = ['3ffe::/16', '2d00::/8', '2e00::/7'].map((text) => ipaddr.IPv6.parseCIDR(text))

/**
 * The policy that keeps deliveries off our own network: an address is refused unless it is public
 * global unicast or lies in one of `allowCidrs`. A range opens its own family only: `10.0.0.0/8`
 * opens neither `::ffff:10.0.0.1` nor `64:ff9b::a00:1`. No range opens our own ports: they stay
 * closed at every address that is not public, whichever of them is ours. Throws on a range that
 * cannot be read.
 */
export function createAddressPolicy(
  allowCidrs: readonly string[],
  own: OwnEndpoints = NONE,
): AddressPolicy {
  const allowed = allowCidrs.map(parseRange)
  const ownPorts = new Set(own.ports)
  const checkOwn: AddressCheck = (text) => isPublic(text) && !own.addresses().includes(text)
  const checkOther: AddressCheck = (text) => {
    const address = parseAddress(text)
    if (address === undefined) return false
    return isPublic(text) || allowed.some((range) => lies(address, range))
  }
  return { at: (port) => (ownPorts.has(port) ? checkOwn : checkOther) }
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
 * Whether everyone can reach an address. "unicast" is what the library calls an address in none of the special ranges of the IANA
 * registries. In IPv6 that still leaves space nobody was assigned, where the addresses that embed
 * an IPv4 one live too, hence the second condition.
 */
export function isPublic(text: string): boolean {
  const address = parseAddress(text)
  if (address === undefined || address.range() !== 'unicast') return false
  if (address instanceof ipaddr.IPv4) return true
  return address.match(GLOBAL_UNICAST) && !RETIRED.some((range) => address.match(range))
}

function lies(address: Address, range: Range): boolean {
  return address.kind() === range[0].kind() && address.match(range)
}
