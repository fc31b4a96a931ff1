/** Where Redis is: one server, or the members of a Cluster that are asked for the others. */
export type RedisAddress =
  | { kind: 'server'; url: string }
  | {
      kind: 'cluster'
      nodes: readonly { host: string; port: number }[]
      isTls: boolean
      username?: string
      password?: string
    }

const SCHEME = /^(rediss?)(\+cluster)?:\/\//
const DEFAULT_PORT = 6379

/**
 * Reads `redis://…` or `rediss://…`, and for a Cluster `redis+cluster://host:port,host:port` or the
 * same with `rediss`, where name and password stand before the first host. Undefined for what is none.
 */
export function readRedisAddress(text: string): RedisAddress | undefined {
  const [prefix = '', protocol = '', isCluster] = SCHEME.exec(text) ?? []
  if (!protocol) return undefined
  const members = text.slice(prefix.length).split(',')
  const urls = members.map((member) => readUrl(`redis://${member}`))
  const [first] = urls
  if (!first || urls.includes(undefined)) return undefined
  if (!isCluster) return urls.length === 1 ? { kind: 'server', url: text } : undefined
  // A Cluster has one database, and credentials are everybody's.
  const isPlain = urls.every((url) => url && ['', '/'].includes(url.pathname) && !url.search)
  if (!isPlain || urls.slice(1).some((url) => url?.username || url?.password)) return undefined
  return {
    kind: 'cluster',
    nodes: urls.flatMap((url) => (url ? [{ host: hostOf(url), port: portOf(url) }] : [])),
    isTls: protocol === 'rediss',
    ...(first.username && { username: decodeURIComponent(first.username) }),
    ...(first.password && { password: decodeURIComponent(first.password) }),
  }
}

function readUrl(text: string): URL | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined
  return url?.hostname ? url : undefined
}

const hostOf = (url: URL) => url.hostname.replace(/^\[|\]$/g, '')
const portOf = (url: URL) => (url.port ? Number(url.port) : DEFAULT_PORT)
