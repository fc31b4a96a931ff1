import { type Agent, request } from 'node:http'
import { request as requestTls } from 'node:https'
import { isIP, type LookupFunction, type Socket } from 'node:net'

/** The proxy for a host; undefined: it is reached directly. */
export type ProxyOf = (target: { host: string; port: number }) => string | undefined

/** From the connection to the proxy until it is connected to the target. */
const TUNNEL_MS = 15_000

type Target = {
  host: string
  port: number | string
  lookup?: LookupFunction
  localAddress?: string
}

/** New connections of the agent go through a proxy by CONNECT. TLS is with the target, within it. */
export function throughProxy<A extends Agent>(agent: A, defaultPort: number, proxyOf: ProxyOf): A {
  const connect = agent.createConnection.bind(agent)
  agent.createConnection = (given, done) => {
    const target = given as Target
    const port = Number(target.port) || defaultPort
    const proxy = proxyOf({ host: target.host, port })
    if (proxy === undefined) return connect(given, done)
    openTunnel(proxy, target, port).then(
      (socket) => {
        const isTls = defaultPort === 443
        done?.(null, isTls ? (connect({ ...given, socket } as typeof given) as Socket) : socket)
      },
      (error) => done?.(error, undefined as never),
    )
    return undefined
  }
  return agent
}

/** With a lookup of the call's own, the proxy is asked for the addresses that this gives, one after the
 * other; else for the name. Throws the first failure. */
async function openTunnel(
  proxy: string,
  { host, lookup, localAddress }: Target,
  port: number,
): Promise<Socket> {
  const signal = AbortSignal.timeout(TUNNEL_MS)
  const hosts = lookup && isIP(host) === 0 ? await findAddresses(host, lookup) : [host]
  let failure: unknown
  for (const each of hosts) {
    try {
      const authority = `${isIP(each) === 6 ? `[${each}]` : each}:${port}`
      return await askProxy(new URL(proxy), authority, { localAddress, signal })
    } catch (error) {
      failure ??= error
    }
  }
  throw failure
}

function findAddresses(host: string, lookup: LookupFunction): Promise<string[]> {
  return new Promise((resolve, reject) => {
    lookup(host, { all: true }, (error, addresses) => {
      if (error) reject(error)
      else resolve([addresses].flat().map((one) => (typeof one === 'string' ? one : one.address)))
    })
  })
}

function askProxy(
  { protocol, hostname, port, username, password }: URL,
  authority: string,
  { localAddress, signal }: { localAddress: string | undefined; signal: AbortSignal },
): Promise<Socket> {
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  const asked = (protocol === 'https:' ? requestTls : request)({
    ...{ host: hostname.replace(/^\[|\]$/g, ''), port, signal, agent: false },
    ...{ method: 'CONNECT', path: authority },
    headers: {
      host: authority,
      ...(username !== '' && { 'proxy-authorization': `Basic ${btoa(credentials)}` }),
    },
    ...(localAddress !== undefined && { localAddress }),
  })
  return new Promise((resolve, reject) => {
    asked.once('connect', ({ statusCode }, socket, head) => {
      if (statusCode !== 200) {
        socket.on('error', () => undefined).destroy()
        reject(new Error(`the proxy answered ${statusCode}`))
        return
      }
      if (head.length > 0) socket.unshift(head)
      resolve(socket as Socket)
    })
    asked.once('response', (answer) => {
      answer.destroy()
      reject(new Error(`the proxy answered ${answer.statusCode}`))
    })
    asked.on('error', reject)
    asked.end()
  })
}
