import { createHash, createHmac, randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { systemClock } from '../../../src/core/time.ts'
import { LIVE } from '../process/config.ts'
import { listen } from './misbehaving-server.ts'
import { answerTicker } from './tickers.ts'
import { type Body, decide, openBooks, type VendorBooks } from './vendor-books.ts'

/** How a call goes that does not go well. It is acted on all the same, but for the last four. */
export type Twist =
  | 'hang'
  | 'error'
  | 'busy'
  | 'garbage'
  | 'wrong shape'
  | 'truncated'
  | 'huge'
  | 'redirect'
  | 'reset'
  | 'empty'
  | 'denied'
  /** Pending for a second, or for an hour: then only a callback brings the answer in time. */
  | 'pending'
  | 'pending long'
  | 'refused'

type SignedVendor = 'kyc' | 'custodian' | 'payments'

export type VendorCallRecord = {
  /** Such as `custodian/floors`. */
  operation: string
  id: string
  body: Body
  headers: IncomingMessage['headers']
}

export type VendorServer = AsyncDisposable & {
  url: string
  /** The environment in which a live stack works with these vendors and exchanges. */
  environment: Record<string, string>
  books: VendorBooks
  /** Every call that came well signed, in order. */
  calls: VendorCallRecord[]
  /** Why calls were turned away; a right client has none. */
  complaints: string[]
  /** Consumed a call each, by operation; afterwards all goes well. */
  next: Map<string, Twist[]>
  /** Vendors that answer nothing. */
  down: Set<string>
  /** References of receipts that the treasury answers with 500. */
  badReferences: Set<string>
  /** Names of signers whose checks are answered with 500. */
  badNames: Set<string>
  /** Signs and posts a callback; gives the status and body of the answer. */
  callBack(
    baseUrl: string,
    vendor: SignedVendor,
    callback: { tenantId: string; callId: string; id?: string },
  ): Promise<{ status: number; body: Body }>
}

const secret = (vendor: string, kind: string) => `${kind}-of-${vendor}-for-tests`.padEnd(40, '.')

/** Vendors of every kind on one local server, which speak the contract and misbehave on demand. */
export async function startVendors(now: () => Date = systemClock): Promise<VendorServer> {
  const state = {
    books: openBooks(now),
    calls: [] as VendorCallRecord[],
    complaints: [] as string[],
    next: new Map<string, Twist[]>(),
    down: new Set<string>(),
    badReferences: new Set<string>(),
    badNames: new Set<string>(),
  }
  const server = await listen(
    createServer((request, response) => {
      answer(state, request, response).catch((error) => {
        state.complaints.push(String(error))
        response.destroy()
      })
    }),
  )
  const url = `http://127.0.0.1:${server.port}`
  return {
    ...state,
    url,
    environment: environmentOf(url),
    callBack: (baseUrl, vendor, callback) =>
      sendCallback(baseUrl, signCallback(now(), vendor, callback)),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}

function environmentOf(url: string): Record<string, string> {
  const settings = (['kyc', 'custodian', 'payments'] as const).flatMap((vendor) => {
    const name = vendor.toUpperCase()
    return [
      [`${name}_URL`, `${url}/${vendor}`],
      [`${name}_TOKEN`, secret(vendor, 'token')],
      [`${name}_SIGNING_SECRET`, secret(vendor, 'signing')],
      [`${name}_CALLBACK_SECRETS`, secret(vendor, 'callback')],
    ]
  })
  return {
    ...Object.fromEntries(settings),
    ...LIVE,
    COMPLIANCE_PROVIDER: 'http',
    AML_URL: `${url}/aml`,
    AML_API_KEY: secret('aml', 'key'),
    EXCHANGE_URLS: ['coinbase', 'kraken', 'bitstamp', 'bitfinex']
      .map((name) => `${name}=${url}/${name}`)
      .join(),
    PROVIDER_HTTP_HOSTS: '127.0.0.1',
  }
}

type State = Pick<
  VendorServer,
  'books' | 'calls' | 'complaints' | 'next' | 'down' | 'badReferences' | 'badNames'
>

async function answer(state: State, request: IncomingMessage, response: ServerResponse) {
  const target = request.url ?? ''
  const [, vendor = '', collection = '', ...rest] = new URL(target, 'http://vendor').pathname.split(
    '/',
  )
  const raw = await buffer(request)
  if (state.down.has(vendor)) return
  const ticker = answerTicker(state.books.prices, vendor, target, state.books.now())
  if (ticker !== undefined) {
    response.end(JSON.stringify(ticker))
    return
  }
  const operation = `${vendor}/${collection}`
  const id = rest.join('/')
  const complaint = vendor === 'aml' ? checkKey(request) : checkSigned(request, vendor, id, raw)
  if (complaint) {
    state.complaints.push(`${operation}: ${complaint}`)
    response.writeHead(401).end()
    return
  }
  const body = JSON.parse(raw.toString())
  state.calls.push({ operation, id, body, headers: request.headers })
  const isBad =
    state.badReferences.has(body.reference) || state.badNames.has(body.subject?.full_name)
  const twist = isBad ? 'error' : state.next.get(operation)?.shift()
  if (twist === 'denied') return void response.writeHead(403).end('{}')
  if (twist === 'pending' || twist === 'pending long') {
    const seconds = twist === 'pending' ? 1 : 3_600
    return void respond(response, { status: 'pending', retry_after_seconds: seconds })
  }
  if (twist === 'refused') {
    const refusal = { status: 'refused', code: 'test_refused', retryable: true }
    state.books.decided.set(`${operation}/${id}`, refusal)
  }
  const content =
    vendor === 'aml' ? match(state.books, body) : decide(state.books, operation, id, body)
  misbehave(request, response, JSON.stringify(content), twist)
}

function respond(response: ServerResponse, content: object): void {
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify(content))
}

function misbehave(
  request: IncomingMessage,
  response: ServerResponse,
  text: string,
  twist: Twist | undefined,
): void {
  switch (twist) {
    case 'hang':
      return
    case 'error':
      return void response.writeHead(500).end(text)
    case 'busy':
      return void response.writeHead(429, { 'retry-after': '1' }).end(text)
    case 'garbage':
      return void response.end('<html>We will be back soon</html>')
    case 'wrong shape':
      return void response.end(JSON.stringify({ status: 'done?', answer: text }))
    case 'truncated':
      response.setHeader('content-length', text.length + 10)
      response.write(text.slice(0, -5))
      return void setImmediate(() => request.socket.destroy())
    case 'huge':
      return void response.end(`${text.slice(0, -1)},"padding":"${'.'.repeat(1024 * 1024)}"}`)
    case 'redirect':
      return void response.writeHead(307, { location: '/elsewhere' }).end(text)
    case 'reset':
      return void request.socket.resetAndDestroy()
    case 'empty':
      return void response.writeHead(204).end()
    case 'denied':
    case 'pending':
    case 'pending long':
    case 'refused':
    case undefined:
      response.setHeader('content-type', 'application/json')
      response.end(text)
  }
}

function match({ listed, matched }: VendorBooks, { queries }: Body): object {
  const responses = Object.entries<Body>(queries).map(([query, { properties }]) => {
    const [name] = properties.name
    const score = listed.get(name)
    const hit = { id: 'NK-listed', caption: 'Listed Person', schema: 'Person', score }
    const results = score === undefined ? [] : [{ ...hit, match: matched.has(name) }]
    return [query, { status: 200, results, total: { value: results.length, relation: 'eq' } }]
  })
  return { responses: Object.fromEntries(responses), limit: 5 }
}

function checkKey({ headers, method, url }: IncomingMessage): string | undefined {
  if (headers.authorization !== `ApiKey ${secret('aml', 'key')}`) return 'wrong key'
  if (method !== 'POST' || !url?.startsWith('/aml/match/default?')) return 'wrong target'
  return undefined
}

/** The contract as a vendor would write it, from the documentation alone. */
function checkSigned(request: IncomingMessage, vendor: string, id: string, body: Buffer) {
  const { headers, method = '', url: target = '' } = request
  const timestamp = String(headers['x-svc-timestamp'])
  if (method !== 'PUT') return 'not a PUT'
  if (headers.authorization !== `Bearer ${secret(vendor, 'token')}`) return 'wrong token'
  if (headers['x-provider-contract'] !== '1') return 'another contract'
  if (headers['idempotency-key'] !== id) return 'another Idempotency-Key than id'
  if (!/^[a-z0-9_.]{1,200}$/.test(id)) return `odd id ${id}`
  if (!/^\d{10}$/.test(timestamp)) return 'no timestamp'
  const expected = sign(secret(vendor, 'signing'), { timestamp, method, target, id, body })
  return headers['x-svc-signature'] === expected ? undefined : 'wrong signature'
}

function sign(
  key: string,
  parts: { timestamp: string; method: string; target: string; id: string; body: Buffer | string },
): string {
  const { timestamp, method, target, id, body } = parts
  const bodyHash = createHash('sha256').update(body).digest('hex')
  const text = `SVC-HMAC-V1\n${timestamp}\n${method}\n${target}\n${id}\n${bodyHash}`
  return `sha256=${createHmac('sha256', key).update(text).digest('hex')}`
}

/** A callback as a vendor sends it; tests change parts of it. */
export function signCallback(
  now: Date,
  vendor: SignedVendor,
  callback: { tenantId: string; callId: string; id?: string } | { body: string },
): { target: string; body: string; headers: Record<string, string> } {
  const id = ('id' in callback && callback.id) || randomUUID()
  const target = `/callbacks/${vendor}`
  const body =
    'body' in callback
      ? callback.body
      : JSON.stringify({
          tenant_id: callback.tenantId,
          call_id: callback.callId,
          status: 'done',
        })
  const timestamp = String(Math.floor(now.getTime() / 1_000))
  const message = { timestamp, method: 'POST', target, id, body }
  const headers = {
    'content-type': 'application/json',
    'idempotency-key': id,
    'x-svc-timestamp': timestamp,
    'x-svc-signature': sign(secret(vendor, 'callback'), message),
  }
  return { target, body, headers }
}

async function sendCallback(
  baseUrl: string,
  { target, body, headers }: ReturnType<typeof signCallback>,
): Promise<{ status: number; body: Body }> {
  const response = await fetch(`${baseUrl}${target}`, { method: 'POST', body, headers })
  return { status: response.status, body: await response.json() }
}
