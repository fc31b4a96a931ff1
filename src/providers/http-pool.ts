import {
  type AgentOptions,
  type ClientRequest,
  Agent as HttpAgent,
  type IncomingMessage,
  request as requestHttp,
} from 'node:http'
import { Agent as HttpsAgent, request as requestHttps } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import type { Duplex } from 'node:stream'
import { type ProxyOf, throughProxy } from './outbound/tunnel.ts'

export type HttpCall = {
  /** The user and password of a URL are not sent. */
  url: URL
  method: string
  headers: Record<string, string>
  body?: Buffer | string | undefined
  /** Its abort closes the connection, also while the answer's body is read. */
  signal: AbortSignal
  /** Default: the system's. Not called for an address. */
  lookup?: LookupFunction
}

export type HttpPool = {
  /** Resolves with the status line and headers of the final answer: 1xx are skipped (RFC 9110,
   * 15.2). The caller reads its body to the end or destroys it. Redirects are not followed. Throws
   * `NoAnswer`. */
  send(call: HttpCall): Promise<IncomingMessage>
  /** Waits for calls in progress. */
  close(): Promise<void>
}

export type HttpPoolOptions = {
  tlsCa?: string
  maxAgeMs?: number
  /** Connections are made from this address of the machine. */
  localAddress?: string | undefined
  /** One for each protocol; default: every host is reached directly. */
  proxyOf?: { http?: ProxyOf; https?: ProxyOf }
}

/** How far a call came: no name or no TCP connection, no TLS, or no answer on a connection. */
type Phase = 'connect' | 'tls' | 'answer'

/** `cause` is the error of the system, of TLS, of the parser or of `lookup`. */
export class NoAnswer extends Error {
  readonly phase: Phase
  /** An earlier call had used the connection, and no byte of an answer came. */
  readonly isStale: boolean

  constructor(phase: Phase, cause: unknown, isStale = false) {
    super(`no answer (${phase})`, { cause })
    this.phase = phase
    this.isStale = isStale
  }
}

/** Less than servers usually keep an idle connection. A shorter `Keep-Alive` of a server counts. */
const IDLE_MS = 4_000
/** Busy connections are replaced too, so that a host that moves is followed. */
const MAX_AGE_MS = 60_000
const MAX_HEADER_BYTES = 16 * 1024

/** Keep-alive connections of Node's own client, which unlike undici takes 100 Continue before an
 * answer and shows whether a connection was used before. One call at a time on each. There is no
 * limit to their number: callers limit calls. */
export function createHttpPool(options: HttpPoolOptions = {}): HttpPool {
  const { tlsCa, maxAgeMs = MAX_AGE_MS, localAddress, proxyOf = {} } = options
  const openHttp = (kept?: AgentOptions) =>
    throughProxy(new HttpAgent(kept), 80, proxyOf.http ?? (() => undefined))
  const openHttps = (kept?: AgentOptions) =>
    throughProxy(new HttpsAgent(kept), 443, proxyOf.https ?? (() => undefined))
  const kept = { keepAlive: true, timeout: IDLE_MS }
  const http = limitAge(openHttp(kept), maxAgeMs)
  const https = limitAge(openHttps(kept), maxAgeMs)
  const open = new Set<ClientRequest>()

  function attempt(call: HttpCall, isFresh: boolean): Promise<IncomingMessage> {
    const { url, method, headers, body, signal, lookup } = call
    const isTls = url.protocol === 'https:'
    const host = hostOf(url)
    const options = {
      ...{ host, port: url.port, path: pathOf(url), method, headers, signal },
      ...(lookup && { lookup }),
      ...(localAddress !== undefined && { localAddress }),
      // Also what makes Node ask `lookup` for all addresses.
      autoSelectFamily: true,
      maxHeaderSize: MAX_HEADER_BYTES,
    }
    const request = isTls
      ? requestHttps({
          ...options,
          agent: isFresh ? openHttps() : https,
          rejectUnauthorized: true,
          // A server name has no trailing dot (RFC 6066, 3) and is no address.
          servername: isIP(host) === 0 ? host.replace(/\.$/, '') : '',
          ...(tlsCa !== undefined && { ca: tlsCa }),
        })
      : requestHttp({ ...options, agent: isFresh ? openHttp() : http })
    open.add(request)
    return new Promise((resolve, reject) => {
      let phase: Phase = 'connect'
      let bytesBefore = 0
      const fail = (cause: unknown) => {
        const { reusedSocket, socket } = request
        const isStale = reusedSocket && !signal.aborted && socket?.bytesRead === bytesBefore
        reject(new NoAnswer(isTlsError(cause) ? 'tls' : phase, cause, isStale))
      }
      request.once('socket', (socket) => {
        bytesBefore = socket.bytesRead
        if (request.reusedSocket) {
          phase = 'answer'
          return
        }
        // Through a proxy it is connected already.
        if (!socket.connecting) phase = isTls ? 'tls' : 'answer'
        socket.once('connect', () => {
          phase = isTls ? 'tls' : 'answer'
        })
        socket.once('secureConnect', () => {
          phase = 'answer'
        })
      })
      request.once('response', (answer) => {
        const isFinal = answer.statusCode !== undefined && answer.statusCode >= 200
        if (isFinal) resolve(answer)
        else request.destroy(new Error('not a status'))
      })
      request.on('error', fail)
      // Node ends a request only once it has a connection, and a proxy may take long to give one.
      signal.addEventListener('abort', () => fail(signal.reason), { once: true })
      request.once('close', () => {
        open.delete(request)
        fail(new Error('closed'))
      })
      request.end(body)
    })
  }

  return {
    async send(call) {
      const { protocol } = call.url
      if (protocol !== 'http:' && protocol !== 'https:') {
        throw new NoAnswer('connect', protocol)
      }
      try {
        return await attempt(call, false)
      } catch (error) {
        // The server had closed the connection when the call went out: it has not seen it.
        if (error instanceof NoAnswer && error.isStale) return attempt(call, true)
        throw error
      }
    },
    async close() {
      await Promise.all([...open].map(closing))
      http.destroy()
      https.destroy()
    },
  }
}

/** Not `once` of node:events, which rejects on an error. */
function closing(request: ClientRequest): Promise<void> {
  return new Promise((resolve) => request.once('close', () => resolve()))
}

/** TLS may refuse after its handshake, for example without a client certificate. */
function isTlsError(cause: unknown): boolean {
  return cause instanceof Error && 'code' in cause && /^ERR_(SSL|TLS)_/.test(String(cause.code))
}

/** A name, or an address without brackets. */
export function hostOf({ hostname }: URL): string {
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname
}

/** `URL.search` leaves out a question mark that nothing follows. */
function pathOf({ pathname, search, href }: URL): string {
  return pathname + (search || (href.endsWith('?') ? '?' : ''))
}

function limitAge<Agent extends HttpAgent>(agent: Agent, maxAgeMs: number): Agent {
  const since = new WeakMap<Duplex, number>()
  // Typed without its result, which says whether the connection is kept.
  const keep = agent.keepSocketAlive.bind(agent) as (socket: Duplex) => unknown
  agent.keepSocketAlive = (socket): boolean => {
    const now = performance.now()
    const usedSince = since.get(socket) ?? now
    since.set(socket, usedSince)
    return now - usedSince < maxAgeMs && keep(socket) === true
  }
  return agent
}

/** Undefined for a body above `limit`; the rest is not read. Throws when the body breaks off. */
export async function readBounded(
  answer: AsyncIterable<Buffer>,
  limit: number,
): Promise<Buffer | undefined> {
  const chunks: Buffer[] = []
  let received = 0
  // Leaving the loop early closes the connection.
  for await (const chunk of answer) {
    received += chunk.length
    if (received > limit) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
