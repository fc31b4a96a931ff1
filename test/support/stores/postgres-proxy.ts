import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A statement by its text, or the end of the transaction that has sent it. */
export type Instant = {
  after: RegExp
  /** `sent`: PostgreSQL has it, its answer has not arrived. `commit_held`: COMMIT was sent by the
   * service and has not reached PostgreSQL. `committed`: the service does not know of it. */
  at: 'sent' | 'commit_held' | 'committed'
}

export type PostgresProxy = AsyncDisposable & {
  readonly url: string
  /** From that instant on nothing passes, in either direction. Resolves then. */
  freezeAt(instant: Instant): Promise<void>
  /** Lets new connections through again; the frozen ones stay so. */
  goOn(): void
}

const COMMIT = /\bcommit\0/i

/** Forwards to the server of a database, until the service is to be killed at a certain instant. */
export async function startPostgresProxy(databaseUrl: string): Promise<PostgresProxy> {
  const target = new URL(databaseUrl)
  const sockets = new Set<Socket>()
  let armed: { instant: Instant; reached: () => void } | undefined
  let isFrozen = false

  const server = createServer((client) => {
    const upstream = connect(Number(target.port || 5432), target.hostname)
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => socket.destroy())
      socket.on('close', () => sockets.delete(socket))
    }
    client.on('close', () => upstream.destroy())
    upstream.on('close', () => client.destroy())
    let isMarked = false
    let isLast = false
    const freeze = () => {
      isFrozen = true
      armed?.reached()
      armed = undefined
    }
    client.on('data', (bytes) => {
      if (isFrozen) return
      const text = bytes.toString('latin1')
      isMarked ||= armed?.instant.after.test(text) ?? false
      const isAtCommit = isMarked && COMMIT.test(text)
      if (armed?.instant.at === 'commit_held' && isAtCommit) return freeze()
      isLast = armed?.instant.at === 'sent' ? isMarked : isAtCommit
      upstream.write(bytes)
    })
    upstream.on('data', (bytes) => {
      if (isFrozen) return
      if (armed && isLast) return freeze()
      client.write(bytes)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = new URL(databaseUrl)
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url: url.href,
    freezeAt(instant) {
      const { promise, resolve } = Promise.withResolvers<void>()
      armed = { instant, reached: resolve }
      return promise
    },
    goOn() {
      isFrozen = false
    },
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close')
      server.close()
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}
