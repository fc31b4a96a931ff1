import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'

const READY_FOR_QUERY = 'Z'.charCodeAt(0)

export type MessageCounter = AsyncDisposable & {
  /** Leads to the database, past the counter. */
  readonly url: string
  /** How many messages were answered while it ran. */
  count<T>(run: () => Promise<T>): Promise<{ result: T; messages: number }>
}

/** Counts what the server of a database answers: one a message of the client. */
export async function startMessageCounter(databaseUrl: string): Promise<MessageCounter> {
  const url = new URL(databaseUrl)
  const { port, hostname } = url
  let answers = 0
  const server = createServer((client) => {
    const upstream = connect(Number(port || 5432), hostname)
    client.pipe(upstream)
    let left = Buffer.alloc(0)
    upstream.on('data', (chunk: Buffer) => {
      left = Buffer.concat([left, chunk])
      while (left.length >= 5 && left.length > left.readInt32BE(1)) {
        if (left[0] === READY_FOR_QUERY) answers += 1
        left = left.subarray(1 + left.readInt32BE(1))
      }
      client.write(chunk)
    })
    upstream.on('close', () => client.destroy())
    client.on('close', () => upstream.destroy())
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url: url.href,
    async count(run) {
      const before = answers
      const result = await run()
      return { result, messages: answers - before }
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}
