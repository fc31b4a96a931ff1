import { createServer, type IncomingHttpHeaders } from 'node:http'
import { connect } from 'node:net'
import { type LocalServer, listen } from './misbehaving-server.ts'

export type ConnectProxy = LocalServer & {
  url: string
  /** What it was asked for, in order. */
  asked: { authority: string; headers: IncomingHttpHeaders }[]
}

/** An HTTP proxy that leads every CONNECT to a port of this machine; `portOf` gives a status to refuse
 * one, or undefined to leave it unanswered. */
export async function startConnectProxy(
  portOf: (authority: string) => number | { status: number } | undefined,
): Promise<ConnectProxy> {
  const asked: ConnectProxy['asked'] = []
  const server = createServer()
  server.on('connect', ({ url: authority = '', headers }, socket, head) => {
    asked.push({ authority, headers })
    const port = portOf(authority)
    if (port === undefined) return
    if (typeof port !== 'number') {
      socket.end(`HTTP/1.1 ${port.status} Refused\r\nContent-Length: 0\r\n\r\n`)
      return
    }
    const target = connect(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
      target.write(head)
      target.pipe(socket).pipe(target)
    })
    for (const [one, other] of [
      [socket, target],
      [target, socket],
    ] as const) {
      one.on('error', () => undefined).on('close', () => other.destroy())
    }
  })
  const local = await listen(server)
  return { ...local, url: `http://127.0.0.1:${local.port}`, asked }
}
