import ipaddr from 'ipaddr.js'

export type AddressCheck = (address: string) => boolean

export type AddressPolicy = {
  at(port: number): AddressCheck
}

export type OwnEndpoints = {
  ports: readonly number[]
  /** On our own ports these are refused even where they are public. */
  addresses: () => readonly string[]
}

const NONE: OwnEndpoints = { ports: [], addresses: () => [] }

const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3')

const RETIRED = ['3ffe::/16', '2d00::/8', '2e00::/7'].map((text) => ipaddr.IPv6.parseCIDR(text))

/** Refuses all but public unicast and `allowCidrs`. A range opens its own family only: `10.0.0.0/8`
 * does not open `::ffff:10.0.0.1`. No range opens our own ports. Throws on an unreadable range. */
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

/** "unicast" is any address outside IANA's special ranges. In IPv6 that includes unassigned space
 * and addresses that embed an IPv4 one, so the second condition is needed. */
export function isPublic(text: string): boolean {
  const address = parseAddress(text)
  if (address === undefined || address.range() !== 'unicast') return false
  if (address instanceof ipaddr.IPv4) return true
  return address.match(GLOBAL_UNICAST) && !RETIRED.some((range) => address.match(range))
}

function lies(address: Address, range: Range): boolean {
  return address.kind() === range[0].kind() && address.match(range)
}
