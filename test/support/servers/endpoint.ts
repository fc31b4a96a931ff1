import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import { listen } from './misbehaving-server.ts'

/** What a tenant's endpoint has seen of one attempt, and what it answered. */
export type SeenAttempt = {
  eventId: string
  attempt: number
  /** Undefined while, or because, no answer was given. */
  status: number | undefined
  rawBody: string
  headers: Record<string, string | string[] | undefined>
}

export type Endpoint = AsyncDisposable & {
  url: string
  /** Every attempt that arrived in full, in the order of arrival. */
  seen: SeenAttempt[]
}

/** Answers with this status, body and headers, or never. */
export type EndpointAnswer =
  | { status: number; body?: string; headers?: Record<string, string> }
  | 'hang'

/** A tenant's endpoint on this machine that answers each attempt as `answer` decides, and keeps a log. */
export async function startEndpoint(
  answer: (attempt: SeenAttempt) => EndpointAnswer | Promise<EndpointAnswer> = () => ({
    status: 204,
  }),
): Promise<Endpoint> {
  const seen: SeenAttempt[] = []
  // Runs beside this one may still deliver to an earlier endpoint of this port.
  const path = `/hook/${randomUUID()}`
  const server = await listen(
    createServer((request, response) => {
      if (!request.url?.startsWith(path)) {
        response.writeHead(404).end()
        return
      }
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      const respond = async () => {
        const attempt: SeenAttempt = {
          eventId: String(request.headers['x-svc-event-id']),
          attempt: Number(request.headers['x-svc-delivery-attempt']),
          status: undefined,
          rawBody: Buffer.concat(chunks).toString(),
          headers: request.headers,
        }
        seen.push(attempt)
        const given = await answer(attempt)
        if (given === 'hang') return
        attempt.status = given.status
        response.writeHead(given.status, given.headers).end(given.body)
      }
      request.on('end', () => void respond())
    }),
  )
  return {
    url: `http://127.0.0.1:${server.port}${path}`,
    seen,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}

export type Receiver = Endpoint & {
  /** Holds answers back from now on; gives the function that sends them all. */
  hold(): () => void
}

/** An endpoint that answers every attempt with 204. */
export async function startReceiver(): Promise<Receiver> {
  let released = Promise.resolve()
  const endpoint = await startEndpoint(async () => {
    await released
    return { status: 204 }
  })
  return {
    ...endpoint,
    hold() {
      const gate = Promise.withResolvers<void>()
      released = gate.promise
      return gate.resolve
    },
  }
}
