// A live stack demands two operators, and refuses weak secrets, ranges that open everything, and no TLS.
import ipaddr from 'ipaddr.js'
import { pageAddress } from './page-address.ts'
import {
  type ConfigFault,
  type Environment,
  findSharedSecrets,
  findWeakKeys,
  findWeakSecrets,
  listOf,
} from './secrets.ts'

/** Reads the raw environment. Messages contain no secret. */
export function findLiveFaults(env: Environment): ConfigFault[] {
  const { STACK: stack } = env
  if (stack !== 'live') return []
  return [
    ...findComplianceFaults(env),
    ...findLinkFaults(env),
    ...findAddressFaults(env),
    ...findWeakKeys(env),
    ...findWeakSecrets(env),
    ...findSharedSecrets(env),
    ...findRangeFaults(env, 'WEBHOOK_ALLOW_CIDRS', findOpenRange),
    ...findRangeFaults(env, 'TRUSTED_PROXIES', findWideProxy),
  ]
}

function findComplianceFaults({ COMPLIANCE_PROVIDER: provider }: Environment): ConfigFault[] {
  const path = 'COMPLIANCE_PROVIDER'
  if (provider === undefined) {
    const message = 'is required on the live stack: "manual" sends each check to the operator'
    return [{ path, message }]
  }
  if (provider !== 'sandbox') return []
  return [{ path, message: 'must not be "sandbox" on the live stack: it would approve anyone' }]
}

function findLinkFaults(env: Environment): ConfigFault[] {
  const message = 'must not be "local" on the live stack: a link alone would sign in'
  return ['CONSOLE', 'DESK']
    .filter((path) => env[path] === 'local')
    .map((path) => ({ path, message }))
}

function findAddressFaults(env: Environment): ConfigFault[] {
  const message = 'must be an https:// address on the live stack'
  const { PUBLIC_URL: publicUrl } = env
  const missing =
    publicUrl === undefined
      ? [
          {
            path: 'PUBLIC_URL',
            message: 'is required on the live stack: the https:// address that tenants know',
          },
        ]
      : []
  const plain = ['PUBLIC_URL', 'CONSOLE_OIDC_ISSUER', 'DESK_OIDC_ISSUER']
    // Parsed, because leading blanks would hide the scheme.
    .filter((path) => URL.parse(env[path] ?? '')?.protocol === 'http:')
    .map((path) => ({ path, message }))
  return [...missing, ...plain, ...findDeskFaults(env)]
}

/** Through a tunnel, this machine's own name is as good as TLS. */
function findDeskFaults({ DESK_URL: deskUrl = '' }: Environment): ConfigFault[] {
  const url = URL.parse(deskUrl)
  if (url?.protocol !== 'http:' || pageAddress(deskUrl).hostname === 'localhost') return []
  const message = 'must be an https:// address on the live stack, or one of http://localhost'
  return [{ path: 'DESK_URL', message }]
}

function findRangeFaults(
  env: Environment,
  path: string,
  faultOf: (range: Range) => string | undefined,
): ConfigFault[] {
  return listOf(env[path]).flatMap((text) => {
    if (!ipaddr.isValidCIDR(text)) return []
    const fault = faultOf(ipaddr.parseCIDR(text))
    return fault === undefined ? [] : [{ path, message: `must not contain ${text}: ${fault}` }]
  })
}

type Range = [ipaddr.IPv4 | ipaddr.IPv6, number]

/** This machine, its link to a cloud's metadata, and spellings of IPv4 in IPv6. */
const NEVER_OPEN = [
  '0.0.0.0/8',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '224.0.0.0/3',
  '::/8',
  '2001::/32',
  '2002::/16',
  'fe80::/10',
  'ff00::/8',
].map((text) => ipaddr.parseCIDR(text))

const NARROWEST_OPEN = { ipv4: 16, ipv6: 48 }

/** A whole private block would open the stores too. */
function findOpenRange(range: Range): string | undefined {
  if (NEVER_OPEN.some((closed) => overlaps(range, closed))) {
    return 'deliveries could reach this machine or its network link'
  }
  const bits = NARROWEST_OPEN[range[0].kind()]
  if (range[1] >= bits) return undefined
  return `it is wider than /${bits}; name the networks of the receivers alone`
}

const UNIQUE_LOCAL = ipaddr.parseCIDR('fc00::/7')
const NARROWEST_TRUSTED = { ipv4: 8, ipv6: 16 }

function findWideProxy(range: Range): string | undefined {
  const isLocal = range[1] >= UNIQUE_LOCAL[1] && overlaps(range, UNIQUE_LOCAL)
  if (isLocal || range[1] >= NARROWEST_TRUSTED[range[0].kind()]) return undefined
  return 'any client could then choose the address that its failures count for'
}

function overlaps(one: Range, other: Range): boolean {
  if (one[0].kind() !== other[0].kind()) return false
  const bits = Math.min(one[1], other[1])
  return one[0].match(other[0], bits)
}

/** Whether some acts of operators need a second one: by default on a live stack. */
export function isFourEyes(env: {
  STACK?: 'live' | 'sandbox' | undefined
  FOUR_EYES?: 'on' | 'off' | undefined
}): boolean {
  return env.FOUR_EYES === undefined ? env.STACK === 'live' : env.FOUR_EYES === 'on'
}
