import { Resolver } from 'node:dns/promises'
import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { isLocalName, type ResolveHost } from '../../domain/webhooks/webhook-url.ts'

/** The name server works, but the name or its family of addresses does not exist. */
const NO_ADDRESS: ReadonlySet<unknown> = new Set(['ENOTFOUND', 'ENODATA'])

/** Not the system's lookup: it holds a thread while a name server is silent, and two such names
 * stop all lookups of the process. The hosts file is read once and comes first. `localhost` is
 * never asked for (RFC 6761). A server gets `timeoutMs`, then twice that: 6 s in all. */
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
    // One family is enough; a failure matters only when no address is left.
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
