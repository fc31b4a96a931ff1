import { createServer, type IncomingHttpHeaders } from 'node:http'
import { listen } from './misbehaving-server.ts'

export type ReceivedDelivery = { headers: IncomingHttpHeaders; rawBody: Buffer }

export type Receiver = AsyncDisposable & {
  url: string
  /** Every delivery so far, in the order of arrival. */
  received: ReceivedDelivery[]
  /** Holds answers back from now on; gives the function that sends them all. */
  hold(): () => void
}

/** A tenant's endpoint on this machine: keeps what arrives and answers 204. */
export async function startReceiver(): Promise<Receiver> {
  const received: ReceivedDelivery[] = []
  let released = Promise.resolve()
  const server = await listen(
    createServer((request, response) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', () => {
        received.push({ headers: request.headers, rawBody: Buffer.concat(chunks) })
        void released.then(() => response.writeHead(204).end())
      })
    }),
  )
  return {
    url: `http://127.0.0.1:${server.port}/hook`,
    received,
    hold() {
      const gate = Promise.withResolvers<void>()
      released = gate.promise
      return gate.resolve
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}
