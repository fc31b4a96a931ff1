import type { Inbox } from './inbox.ts'

/** The service's own deliveries are far below it. */
const MOST_BYTES = 1_048_576

/** The part of Node's IncomingMessage that is used. */
export type NodeRequest = AsyncIterable<Uint8Array> & {
  method?: string | undefined
  headers: Record<string, string | string[] | undefined>
}

/** The part of Node's ServerResponse that is used. */
export type NodeResponse = {
  writeHead(status: number, headers?: Record<string, string>): { end(): unknown }
}

/** The part of a Fastify instance that is used. */
export type FastifyLike = {
  addContentTypeParser(
    type: '*',
    options: { parseAs: 'buffer'; bodyLimit: number },
    parse: (
      request: unknown,
      body: Uint8Array,
      done: (error: null, body: Uint8Array) => void,
    ) => void,
  ): unknown
  removeAllContentTypeParsers(): unknown
  post(
    path: string,
    handle: (request: FastifyRequestLike, reply: FastifyReplyLike) => Promise<unknown>,
  ): unknown
}
export type FastifyRequestLike = { body: unknown; headers: NodeRequest['headers'] }
export type FastifyReplyLike = { code(status: number): { send(): unknown } }

type Receiving = Pick<Inbox, 'receive'>

/** A listener for Node's own HTTP server, or for a route that gets the body unread. */
export function nodeReceiver(
  inbox: Receiving,
): (request: NodeRequest, response: NodeResponse) => void {
  return (request, response) => {
    // It never rejects.
    void answerNode(inbox, request).then((status) => {
      const headers = status === 405 ? { Allow: 'POST' } : undefined
      response.writeHead(status, headers).end()
    })
  }
}

/** A Fastify plugin that takes deliveries at `path`. Other routes keep their parsers. */
export function fastifyReceiver(
  inbox: Receiving,
  path = '/',
): (fastify: FastifyLike) => Promise<void> {
  return async (fastify) => {
    fastify.removeAllContentTypeParsers()
    const options = { parseAs: 'buffer', bodyLimit: MOST_BYTES } as const
    fastify.addContentTypeParser('*', options, (_request, body, done) => done(null, body))
    fastify.post(path, async ({ body, headers }, reply) => {
      const rawBody = body instanceof Uint8Array ? body : new Uint8Array()
      return reply.code(await answer(inbox, rawBody, headers)).send()
    })
  }
}

async function answerNode(inbox: Receiving, request: NodeRequest): Promise<number> {
  if (request.method !== 'POST') return 405
  const chunks: Uint8Array[] = []
  let length = 0
  try {
    for await (const chunk of request) {
      length += chunk.length
      if (length > MOST_BYTES) return 413
      chunks.push(chunk)
    }
  } catch {
    return 400
  }
  const rawBody = new Uint8Array(length)
  let at = 0
  for (const chunk of chunks) {
    rawBody.set(chunk, at)
    at += chunk.length
  }
  return await answer(inbox, rawBody, request.headers)
}

/** 503 when the store cannot be used: the delivery comes again. */
async function answer(
  inbox: Receiving,
  rawBody: Uint8Array,
  headers: NodeRequest['headers'],
): Promise<number> {
  return await inbox.receive({ rawBody, headers }).catch(() => 503)
}
