import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export type RedisProxy = AsyncDisposable & {
  readonly url: string
  /** How many script calls have arrived, answered or not. */
  scriptCalls(): number
  /** Cuts every connection and refuses new ones. */
  goDown(): Promise<void>
  /** Accepts connections again. */
  comeBack(): Promise<void>
  /** Keeps connections open and holds every answer back. */
  hang(): void
  /** Nothing passes any more on connections that are open, as where packets vanish without a reset. */
  loseOpen(): void
  /** The same for answers alone: commands still arrive. */
  loseAnswers(): void
  /** New connections lead there; nothing passes any more on those that are open. */
  moveTo(targetUrl: string): void
  /** Lets out what was held back, and all that follows. */
  goOn(): void
}

/** A Redis that can be taken away: forwards to the store at `targetUrl`. */
export async function startRedisProxy(targetUrl: string): Promise<RedisProxy> {
  let target = new URL(targetUrl)
  const sockets = new Set<Socket>()
  const upstreams = new Set<Socket>()
  let scriptCalls = 0
  let hanging = false

  const server = createServer((client) => {
    const upstream = connect(Number(target.port || 6379), target.hostname)
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket)
      socket.on('error', () => other.destroy())
      socket.on('close', () => {
        sockets.delete(socket)
        other.destroy()
      })
    }
    client.on('data', (bytes) => {
      scriptCalls += bytes.toString('latin1').match(/\r\neval(sha)?\r\n/g)?.length ?? 0
      upstream.write(bytes)
    })
    upstream.on('data', (bytes) => client.write(bytes))
    upstreams.add(upstream)
    upstream.on('close', () => upstreams.delete(upstream))
    if (hanging) upstream.pause()
  })

  async function listen(port: number): Promise<number> {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
    return (server.address() as AddressInfo).port
  }

  async function goDown(): Promise<void> {
    if (!server.listening) return
    const closed = once(server, 'close')
    server.close()
    for (const socket of sockets) socket.destroy()
    await closed
  }

  function loseAnswers(): void {
    for (const upstream of upstreams) upstream.pause()
    // `goOn` does not reach them.
    upstreams.clear()
  }

  function loseOpen(): void {
    loseAnswers()
    for (const socket of sockets) socket.pause()
  }

  const port = await listen(0)
  const url = new URL(target)
  url.host = `127.0.0.1:${port}`
  return {
    url: url.href,
    scriptCalls: () => scriptCalls,
    goDown,
    comeBack: async () => {
      await listen(port)
    },
    hang: () => {
      hanging = true
      for (const upstream of upstreams) upstream.pause()
    },
    loseOpen,
    loseAnswers,
    moveTo(nextUrl) {
      target = new URL(nextUrl)
      loseOpen()
    },
    goOn: () => {
      hanging = false
      for (const upstream of upstreams) upstream.resume()
    },
    [Symbol.asyncDispose]: goDown,
  }
}
