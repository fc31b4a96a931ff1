import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import { listen, startCanary } from '../../support/servers/misbehaving-server.ts'

/** How an endpoint treats what is posted to it. */
export const BEHAVIOURS = [
  'ok',
  'refuse',
  'hang',
  'drip',
  'endless',
  'garbage',
  'bomb',
  'redirect',
  'reset',
] as const

export type Behaviour = (typeof BEHAVIOURS)[number]

/** One delivery that arrived in full. */
export type Received = {
  path: string
  eventId: string
  attempt: number
  timestamp: number
  signature: string | undefined
  body: string
  /** By real time, in milliseconds, and as an instant of `performance.now()`. */
  at: number
  instant: number
  /** Whether a 2xx was given in full. */
  acknowledged: boolean
}

export type Receivers = AsyncDisposable & {
  /** Where an endpoint of this path listens; it behaves well until set otherwise. */
  urlOf(path: string): string
  behave(path: string, behaviour: Behaviour): void
  /** Every endpoint opened so far. */
  paths(): string[]
  received: readonly Received[]
  /** Connections to the address that redirects lead to. */
  strays(): number
}

const BOMB = gzipSync(Buffer.alloc(20 * 1024 * 1024))

/** Endpoints of tenants, all on one port, each with its own manners; keeps a log of what arrived. */
export async function startReceivers(): Promise<Receivers> {
  const received: Received[] = []
  const manners = new Map<string, Behaviour>()
  const canary = await startCanary('127.0.0.1')
  const elsewhere = `http://127.0.0.1:${canary.port}/stolen`
  const server = await listen(
    createServer((request, response) => {
      const chunks: Buffer[] = []
      request.on('error', () => undefined)
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', () => {
        const entry = toReceived(request, Buffer.concat(chunks).toString())
        received.push(entry)
        answer(manners.get(entry.path) ?? 'ok', response, { entry, elsewhere })
      })
    }),
  )
  return {
    urlOf(path) {
      if (!manners.has(path)) manners.set(path, 'ok')
      return `http://127.0.0.1:${server.port}${path}`
    },
    behave: (path, behaviour) => void manners.set(path, behaviour),
    paths: () => [...manners.keys()],
    received,
    strays: () => canary.connections(),
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]()
      await canary[Symbol.asyncDispose]()
    },
  }
}

function toReceived({ headers, url = '' }: IncomingMessage, body: string): Received {
  const signature = headers['x-svc-webhook-signature']
  return {
    path: url,
    eventId: String(headers['x-svc-event-id']),
    attempt: Number(headers['x-svc-delivery-attempt']),
    timestamp: Number(headers['x-svc-webhook-timestamp']),
    signature: typeof signature === 'string' ? signature : undefined,
    body,
    at: Date.now(),
    instant: performance.now(),
    acknowledged: false,
  }
}

function answer(
  behaviour: Behaviour,
  response: ServerResponse,
  { entry, elsewhere }: { entry: Received; elsewhere: string },
): void {
  const acknowledge = () => {
    entry.acknowledged = true
  }
  response.on('error', () => undefined)
  switch (behaviour) {
    case 'ok':
      // Said before it is sent: what the worker then makes of it is its own affair.
      acknowledge()
      response.writeHead(204).end()
      return
    case 'refuse':
      response.writeHead(500).end('x'.repeat(5_000))
      return
    case 'hang':
      return
    case 'drip':
      // Success is the status line, whatever follows it.
      acknowledge()
      response.writeHead(200)
      keepWriting(response, '.', 20)
      return
    case 'endless':
      acknowledge()
      response.writeHead(200)
      keepWriting(response, '.'.repeat(4_096), 1)
      return
    case 'garbage':
      response.socket?.end('\u0000\u0001 not HTTP at all\r\n\r\n')
      return
    case 'bomb':
      // Small as sent and huge when unpacked: it is a 2xx, if only its beginning is read.
      acknowledge()
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(BOMB)
      return
    case 'redirect':
      response.writeHead(302, { location: elsewhere }).end()
      return
    case 'reset':
      response.socket?.resetAndDestroy()
      return
    default: {
      const unreachable: never = behaviour
      throw new Error(`no such behaviour: ${unreachable}`)
    }
  }
}

function keepWriting(response: ServerResponse, text: string, everyMs: number): void {
  const timer = setInterval(() => response.write(text), everyMs)
  response.on('close', () => clearInterval(timer))
}
