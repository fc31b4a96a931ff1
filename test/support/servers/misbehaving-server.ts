import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'

export type LocalServer = AsyncDisposable & {
  port: number
  /** Connections accepted so far. */
  connections(): number
  /** Every byte that arrived so far, on any connection. */
  received(): string
  /** Resolves once every connection accepted so far has been closed. */
  allClosed(): Promise<void>
}

/**
 * Puts `server` (TCP, TLS or HTTP) on a free port, of every address of the machine when `host` is
 * null, and keeps count of its connections.
 */
export async function listen(
  server: Server,
  host: string | null = '127.0.0.1',
): Promise<LocalServer> {
  let accepted = 0
  let received = ''
  const open = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    accepted += 1
    open.add(socket)
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1')
    })
    socket.on('error', () => {}) // Peers give up on these servers, that is the point.
    socket.on('close', () => open.delete(socket))
  })
  server.listen({ port: 0, ...(host === null ? {} : { host }) })
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    connections: () => accepted,
    received: () => received,
    async allClosed() {
      await Promise.all([...open].map(closing))
    },
    async [Symbol.asyncDispose]() {
      for (const socket of open) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

/** Not `once` of node:events, which rejects when an error, such as a reset, comes first. */
function closing(socket: Socket): Promise<void> {
  return new Promise((resolve) => socket.once('close', () => resolve()))
}

/** Does `react` to every connection on which something arrived. */
function startReacting(react: (socket: Socket) => void): Promise<LocalServer> {
  return listen(createServer((socket) => socket.once('data', () => react(socket))))
}

/** Counts who comes by; without a `host`, on every address of the machine. Answers 204. */
export function startCanary(host: string | null = null): Promise<LocalServer> {
  return listen(
    createServer((socket) => socket.end('HTTP/1.1 204 No Content\r\n\r\n')),
    host,
  )
}

/** Takes the request and never answers. */
export function startHanging(): Promise<LocalServer> {
  return startReacting(() => {})
}

/** Says exactly this, then nothing more, on a connection that stays open. */
export function startSaying(text: string | Buffer): Promise<LocalServer> {
  return startReacting((socket) => socket.write(text))
}

/** Says exactly this and closes the connection. */
export function startSayingAndClosing(text: string | Buffer): Promise<LocalServer> {
  return startReacting((socket) => socket.end(text))
}

/** Resets the connection as soon as the request arrives. */
export function startResetting(): Promise<LocalServer> {
  return startReacting((socket) => socket.resetAndDestroy())
}

/** Answers 200 and sends one byte of the body every 5 ms. */
export function startDripping(): Promise<LocalServer> {
  return startReacting((socket) => {
    socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n')
    const drip = setInterval(() => socket.write('1\r\n.\r\n'), 5)
    socket.on('close', () => clearInterval(drip))
  })
}

/** Answers with `status` and a body that is sent as fast as it is taken and never ends. */
export function startEndless(status = 200): Promise<LocalServer> {
  return startReacting((socket) => {
    const chunk = `1000\r\n${'.'.repeat(0x1000)}\r\n`
    const pour = () => {
      while (!socket.destroyed && socket.write(chunk));
    }
    socket.on('drain', pour)
    socket.write(`HTTP/1.1 ${status} Whatever\r\ntransfer-encoding: chunked\r\n\r\n`)
    pour()
  })
}
