import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http'
import { json } from 'node:stream/consumers'
import { z } from 'zod'
import { listen } from './misbehaving-server.ts'

const attribute = z.object({
  key: z.string(),
  value: z.object({ stringValue: z.string().optional(), intValue: z.number().optional() }),
})
const spanSchema = z.object({
  traceId: z.string().regex(/^[0-9a-f]{32}$/),
  spanId: z.string().regex(/^[0-9a-f]{16}$/),
  parentSpanId: z.string().optional(),
  name: z.string(),
  attributes: z.array(attribute),
  status: z.object({ code: z.number().optional() }),
})
const exportSchema = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.object({ attributes: z.array(attribute) }),
      scopeSpans: z.array(z.object({ spans: z.array(spanSchema) })),
    }),
  ),
})

export type CollectedSpan = {
  service: string
  name: string
  traceId: string
  spanId: string
  parentSpanId: string | undefined
  failed: boolean
  attributes: Record<string, string | number | undefined>
}

export type Collector = AsyncDisposable & {
  url: string
  /** Every span so far, in the order of arrival. */
  spans: CollectedSpan[]
  /** Of the last request. */
  headers(): IncomingHttpHeaders
  /** Everything that was sent, as text. */
  text(): string
}

/** An OTLP/HTTP collector on this machine, as far as traces go. */
export async function startCollector(): Promise<Collector> {
  const spans: CollectedSpan[] = []
  const bodies: unknown[] = []
  let headers: IncomingHttpHeaders = {}
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await json(request)
    bodies.push(body)
    headers = request.headers
    if (request.url === '/v1/traces') spans.push(...readSpans(body))
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  }
  const server = await listen(createServer((request, response) => void answer(request, response)))
  return {
    url: `http://127.0.0.1:${server.port}`,
    spans,
    headers: () => headers,
    text: () => JSON.stringify(bodies),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}

function readSpans(body: unknown): CollectedSpan[] {
  return exportSchema.parse(body).resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans
      .flatMap(({ spans }) => spans)
      .map((span) => ({
        ...span,
        service: String(toRecord(resource.attributes)['service.name']),
        parentSpanId: span.parentSpanId || undefined,
        failed: span.status.code === 2,
        attributes: toRecord(span.attributes),
      })),
  )
}

function toRecord(attributes: z.output<typeof attribute>[]) {
  return Object.fromEntries(
    attributes.map(({ key, value }) => [key, value.stringValue ?? value.intValue]),
  )
}
