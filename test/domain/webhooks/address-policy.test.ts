import { expect, test } from 'vitest'
import { createAddressPolicy } from '../../../src/domain/webhooks/address-policy.ts'

/** First and last address of what is refused, and the public neighbours outside where there are any. */
const REFUSED: Record<string, readonly string[]> = {
  'this network': ['0.0.0.0', '0.255.255.255'],
  private: ['10.0.0.0', '10.255.255.255', '172.16.0.0', '172.31.255.255', '192.168.0.0'],
  'private, last of the last': ['192.168.255.255'],
  'carrier NAT': ['100.64.0.0', '100.127.255.255'],
  loopback: ['127.0.0.0', '127.0.0.1', '127.255.255.255', '::1'],
  'link-local': ['169.254.0.0', '169.254.169.254', '169.254.255.255', 'fe80::', 'febf:ffff::1'],
  'protocol assignments': ['192.0.0.0', '192.0.0.170', '192.0.0.255'],
  documentation: ['192.0.2.0', '192.0.2.255', '198.51.100.1', '203.0.113.9'],
  'documentation, IPv6': ['2001:db8::', '2001:db8:ffff::1', '3fff::', '3fff:fff:ffff::1'],
  '6to4 relays': ['192.88.99.0', '192.88.99.1', '192.88.99.255'],
  benchmarking: ['198.18.0.0', '198.19.255.255', '2001:2::', '2001:2:0:ffff::1'],
  multicast: ['224.0.0.0', '239.255.255.255', 'ff00::', 'ff02::1', 'ffff::1'],
  reserved: ['240.0.0.0', '255.255.255.254'],
  broadcast: ['255.255.255.255'],
  unspecified: ['::'],
  'IPv4-mapped': ['::ffff:0:0', '::ffff:8.8.8.8', '::ffff:127.0.0.1', '::ffff:7f00:1'],
  'IPv4-compatible': ['::2', '::8.8.8.8', '::127.0.0.1', '::7f00:1'],
  'IPv4-translated': ['::ffff:0:808:808', '::ffff:0:7f00:1'],
  NAT64: ['64:ff9b::', '64:ff9b::8.8.8.8', '64:ff9b::a00:1', '64:ff9b:1::', '64:ff9b:1:ffff::1'],
  discard: ['100::', '100::ffff:ffff:ffff:ffff', '100:0:0:1::'],
  Teredo: ['2001::', '2001:0:ffff:ffff::1'],
  'protocol assignments, IPv6': ['2001:1::1', '2001:3::1', '2001:1ff:ffff::1'],
  ORCHID: ['2001:10::', '2001:1f:ffff::', '2001:20::', '2001:2f:ffff::', '2001:30::1'],
  '6to4': ['2002::', '2002:7f00:1::', '2002:ffff:ffff::1'],
  "the 6bone's, given back": ['3ffe::', '3ffe::1', '3ffe:ffff:ffff::1', '5f01::1', '5fff::1'],
  'segment routing': ['5f00::', '5f00:ffff::1'],
  'never assigned': ['2d00::', '2dff:ffff::1', '2e00::1', '2fff:ffff::1'],
  'unique local': ['fc00::', 'fd00::1', 'fdff:ffff::1'],
  'site local': ['fec0::', 'feff:ffff::1'],
  'outside of what is assigned': ['1::1', '1fff:ffff::1', '4000::', '8000::1', 'fe00::1'],
}

const PUBLIC = [
  ['1.1.1.1', '8.8.8.8', '9.255.255.255', '11.0.0.0', '100.63.255.255', '100.128.0.0'],
  ['126.255.255.255', '128.0.0.0', '169.253.255.255', '169.255.0.0', '172.15.255.255'],
  ['172.32.0.0', '192.0.1.0', '192.0.3.0', '192.167.255.255', '192.169.0.0', '198.17.255.255'],
  ['198.20.0.0', '198.51.99.255', '203.0.114.0', '223.255.255.255'],
  ['2001:200::1', '2001:4860:4860::8888', '2003::1', '2606:4700::1111', '2a00::1', '2c00::1'],
].flat()

const opening = (...ranges: string[]) => createAddressPolicy(ranges).at(443)
const isAllowed = opening()

test.each(Object.entries(REFUSED))(
  'the address policy refuses every address of a special range: %s',
  (_range, addresses) => {
    expect(addresses.filter(isAllowed)).toEqual([])
  },
)

test('public addresses are allowed, up to the edges of the refused ranges', () => {
  expect(PUBLIC.filter((address) => !isAllowed(address))).toEqual([])
})

test.each([
  ['a zone id', ['fe80::1%eth0', '2606:4700::1111%eth0']],
  ['octal, hex, decimal and short forms', ['010.1.1.1', '0x8.8.8.8', '134744072', '8.8']],
  [
    'text that is no address',
    ['', 'example.com', '8.8.8.8.', '8.8.8.8/32', '[2606:4700::1111]', ' 8.8.8.8'],
  ],
])('the address policy refuses a text with %s', (_what, addresses) => {
  expect(addresses.filter(isAllowed)).toEqual([])
})

test('an allowed range allows itself and nothing beside it', () => {
  const opened = opening('127.0.0.0/8', 'fd00:1::/32')
  expect(['127.0.0.1', '127.255.255.255', 'fd00:1::1', '8.8.8.8'].every(opened)).toBe(true)
  expect(['128.0.0.1', '10.0.0.1', '::1', 'fd00:2::1'].filter(opened)).toEqual(['128.0.0.1'])
})

test('an allowed IPv4 range allows no IPv6 address that embeds it', () => {
  const opened = opening('0.0.0.0/0')
  const embedding = ['::ffff:127.0.0.1', '::127.0.0.1', '64:ff9b::7f00:1', '2002:7f00:1::']
  expect(embedding.filter(opened)).toEqual([])
  expect(opening('::ffff:127.0.0.0/104')('::ffff:7f00:1')).toBe(true)
})

test.each(['10.0.0.0', '10.0.0.0/33', 'loopback', '0x7f.1/8', 'fe80::%eth0/10', ''])(
  'the unreadable range "%s" is an error that names it',
  (range) => {
    expect(() => createAddressPolicy([range])).toThrow(`"${range}"`)
  },
)

test('the stack’s own ports are closed at every address of its own, whatever ranges are allowed', () => {
  const own = { ports: [5432, 8080], addresses: () => ['8.8.8.8', '2606:4700::1111'] }
  const policy = createAddressPolicy(['127.0.0.0/8', '::1/128', '10.0.0.0/8'], own)
  const ours = ['127.0.0.1', '127.0.0.2', '::1', '10.1.2.3', '8.8.8.8', '2606:4700::1111']
  for (const port of own.ports) expect(ours.filter(policy.at(port))).toEqual([])
  expect(ours.filter((address) => !policy.at(8081)(address))).toEqual([])
  // What others have at a public address with the same port is theirs.
  expect(policy.at(5432)('1.1.1.1')).toBe(true)
})

test('ports that are not the stack’s own share one check, so that connections can share it', () => {
  const policy = createAddressPolicy([], { ports: [5432], addresses: () => [] })
  expect(policy.at(443)).toBe(policy.at(80))
  expect(policy.at(443)).not.toBe(policy.at(5432))
})
