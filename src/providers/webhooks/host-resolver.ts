import { Resolver } from 'node:dns/promises'
import { readFileSync, statSync } from 'node:fs'
import { isIP } from 'node:net'
import { isLocalName, type ResolveHost } from '../../domain/webhooks/webhook-url.ts'

/** The name server works, but the name or its family of addresses does not exist. */
const NO_ADDRESS: ReadonlySet<unknown> = new Set(['ENOTFOUND', 'ENODATA'])

type HostResolverOptions = {
  /** Called for each new resolver. Default: those of `resolvConf`. */
  servers?: () => readonly string[]
  resolvConf?: string
  hostsFile?: string
  timeoutMs?: number
}

/** Not the system's lookup: it holds a thread while a name server is silent, and two such names
 * stop all lookups of the process. The hosts file comes first. `localhost` is never asked for
 * (RFC 6761). A server gets `timeoutMs`, then twice that: 6 s in all. */
export function createHostResolver(options: HostResolverOptions = {}): ResolveHost {
  const { resolvConf = '/etc/resolv.conf', hostsFile = '/etc/hosts', timeoutMs = 2_000 } = options
  const readResolver = () => {
    const resolver = new Resolver({ timeout: timeoutMs, tries: 2 })
    if (options.servers !== undefined) resolver.setServers(options.servers())
    return resolver
  }
  const resolverNow = rereadWhenChanged(resolvConf, readResolver)
  const hostsNow = rereadWhenChanged(hostsFile, () => readHosts(hostsFile))

  return async (hostname) => {
    const name = hostname.toLowerCase().replace(/\.$/, '')
    const known = hostsNow.get().get(name)
    if (known !== undefined) return known
    if (isLocalName(name)) return ['127.0.0.1', '::1']

    const resolver = resolverNow.get()
    const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
    const failures = answers.flatMap((answer) =>
      answer.status === 'rejected' && !NO_ADDRESS.has(answer.reason.code) ? [answer.reason] : [],
    )
    // A resolver keeps its name servers for ever. They may have moved without a change of the file.
    if (failures.length > 0) resolverNow.forget(resolver)
    const addresses = answers.flatMap((answer) =>
      answer.status === 'fulfilled' ? answer.value : [],
    )
    // One family is enough; a failure matters only when no address is left.
    if (addresses.length === 0 && failures.length > 0) throw failures[0]
    return addresses
  }
}

/** The value that `read` makes of the file as it is now. Without a thread: lookups of the system may hold all. */
function rereadWhenChanged<Value>(path: string, read: () => Value) {
  let known: { value: Value; version: string } | undefined
  return {
    get(): Value {
      const stat = statSync(path, { bigint: true, throwIfNoEntry: false })
      const version = `${stat?.ino} ${stat?.size} ${stat?.mtimeNs}`
      if (known?.version !== version) known = { value: read(), version }
      return known.value
    },
    forget(value: Value): void {
      if (known?.value === value) known = undefined
    },
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
