import { Resolver } from 'node:dns/promises'
import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { isLocalName, type ResolveHost } from '../../domain/webhooks/webhook-url.ts'

/** What name servers answer when all is well and the name, or an address of this family, is not there. */
const NO_ADDRESS: ReadonlySet<unknown> = new Set(['ENOTFOUND', 'ENODATA'])

/**
 * Resolves tenants' host names by asking name servers directly, not through the operating system's
 * lookup: that one holds a thread for as long as a name server stays silent, two such names at once
 * stop every other lookup in the process, and any tenant can point a webhook at a silent server.
 *
 * Names in the hosts file come first, as they do for the operating system (containers and clusters
 * put their neighbours there); it is read once. `localhost` is never asked for (RFC 6761). Search
 * domains do not apply: a webhook's host is a full name.
 *
 * `servers` (`127.0.0.1:5353`) default to the system's. A server is asked twice, with `timeoutMs` to
 * answer at first and twice that then: 6 s in all, well within a delivery's deadline.
 */
export function createHostResolver(
  options: { servers?: readonly string[]; hostsFile?: string; timeoutMs?: number } = {},
): ResolveHost {
  const resolver = new Resolver({ timeout: options.timeoutMs ?? 2_000, tries: 2 })
  if (options.servers !== undefined) resolver.setServers(options.servers)
  const hosts = readHosts(options.hostsFile ?? '/etc/hosts')

  return async (hostname) => {
    const name = hostname.toLowerCase().replace(/\.$/, '')
    const known = hosts.get(name)
    if (known !== undefined) return known
    if (isLocalName(name)) return ['127.0.0.1', '::1']

    const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
    const addresses = answers.flatMap((answer) =>
      answer.status === 'fulfilled' ? answer.value : [],
    )
    // One family is enough to deliver; a failure matters when it leaves us with nothing.
    for (const answer of answers) {
      if (addresses.length > 0 || answer.status === 'fulfilled') continue
      if (!NO_ADDRESS.has(answer.reason.code)) throw answer.reason
    }
    return addresses
  }
}

function readHosts(path: string): Map<string, string[]> {
  const hosts = new Map<string, string[]>()
  for (const line of readLines(path)) {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().split(/\s+/)
    if (isIP(address) === 0) continue
    for (const name of names.map((each) => each.toLowerCase())) {
      hosts.set(name, [...(hosts.get(name) ?? []), address])
    }
  }
  return hosts
}

function readLines(path: string): string[] {
  try {
    return readFileSync(path, 'utf8').split('\n')
  } catch {
    return [] // Not every system has one.
  }
}
