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

/** `redis(s)://…`, or a Cluster as `redis(s)+cluster://user:password@host:port,host:port`. */
export function readRedisAddress(text: string): RedisAddress | undefined {
  const [prefix = '', protocol = '', isCluster] = SCHEME.exec(text) ?? []
  if (!protocol) return undefined
  const members = text.slice(prefix.length).split(',')
  const urls = members.map((member) => readUrl(`redis://${member}`))
  const [first] = urls
  if (!first || urls.includes(undefined)) return undefined
  if (!isCluster) return urls.length === 1 ? { kind: 'server', url: text } : undefined
  // A Cluster has one database, and one set of credentials for all members.
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
