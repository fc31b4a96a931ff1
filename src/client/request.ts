import { ProblemError, readProblem, UnreachableError } from './problem-error.ts'
import { retryDelayMs } from './retry.ts'
import { waitFor } from './wait.ts'

type Query = Record<string, string | number | undefined>

export type RequestOptions = {
  body?: unknown
  /** A UUID. Created for every request but GET, and kept across retries. */
  idempotencyKey?: string
  query?: Query
  /** The answer is then given as text, as it came. */
  accept?: 'text/csv' | 'application/json'
  /** Also aborts waits and retries. */
  signal?: AbortSignal
}

export type TransportOptions = {
  /** For example `http://localhost:8080`, without `/v1`. */
  baseUrl: string
  fetch?: typeof fetch
  now?: () => Date
  wait?: (milliseconds: number, signal?: AbortSignal) => Promise<void>
  maxAttempts?: number
  timeoutSeconds?: number
}

export type SendRequest = (
  method: string,
  path: string,
  options?: RequestOptions,
) => Promise<unknown>

export type UnsignedRequest = {
  timestamp: string
  method: string
  /** Path and query exactly as sent. */
  target: string
  idempotencyKey: string | undefined
  body: string | undefined
}

/** Returns the headers that prove the sender, and `Idempotency-Key` where there is one. */
export type Authenticate = (request: UnsignedRequest) => Promise<Record<string, string>>

type PreparedRequest = {
  method: string
  url: URL
  idempotencyKey: string | undefined
  accept: string | undefined
  payload: string | undefined
  signal: AbortSignal | undefined
}

/** Retries keep the idempotency key. Corrects its clock once if the timestamp is refused. */
export function createSender(options: TransportOptions, authenticate: Authenticate): SendRequest {
  const { now = () => new Date(), wait = waitFor, maxAttempts = 5, timeoutSeconds = 30 } = options
  const fetchFrom = options.fetch ?? fetch
  const base = readBase(options.baseUrl)
  let clockOffsetMs = 0

  async function attempt(request: PreparedRequest): Promise<unknown> {
    const { method, url, idempotencyKey, accept, payload, signal } = request
    const headers = await authenticate({
      timestamp: Math.floor((now().getTime() + clockOffsetMs) / 1000).toString(),
      method,
      target: url.pathname + url.search,
      idempotencyKey,
      body: payload,
    })
    if (payload !== undefined) headers['Content-Type'] = 'application/json'
    const deadline = AbortSignal.timeout(timeoutSeconds * 1000)
    return exchange(fetchFrom, url, {
      method,
      headers: { ...headers, ...(accept !== undefined && { Accept: accept }) },
      // A redirected request would carry a signature for another target.
      redirect: 'manual',
      signal: signal ? AbortSignal.any([signal, deadline]) : deadline,
      ...(payload === undefined ? {} : { body: payload }),
    })
  }

  return async (method, path, { body, idempotencyKey, query, accept, signal } = {}) => {
    const request: PreparedRequest = {
      method,
      url: withQuery(new URL(base + path), query),
      idempotencyKey: idempotencyKey ?? (method === 'GET' ? undefined : crypto.randomUUID()),
      accept,
      payload: body === undefined ? undefined : JSON.stringify(body),
      signal,
    }
    let clockCorrected = false
    let failedAttempts = 0
    for (;;) {
      try {
        return await attempt(request)
      } catch (error) {
        signal?.throwIfAborted()
        const serverTime = clockCorrected ? undefined : readServerTime(error)
        if (serverTime !== undefined) {
          clockCorrected = true
          clockOffsetMs = serverTime - now().getTime()
          continue
        }
        failedAttempts += 1
        const delayMs = retryDelayMs(error, failedAttempts, Math.random())
        if (delayMs === undefined || failedAttempts >= maxAttempts) throw error
        await wait(delayMs, signal)
      }
    }
  }
}

async function exchange(
  fetchFrom: typeof fetch,
  url: URL,
  init: RequestInit & { headers: Record<string, string> },
): Promise<unknown> {
  try {
    const response = await fetchFrom(url, init)
    if (!response.ok) throw await readProblem(response)
    const text = await response.text()
    if (text === '') return undefined
    return 'Accept' in init.headers ? text : JSON.parse(text)
  } catch (error) {
    if (error instanceof ProblemError) throw error
    throw new UnreachableError(`No usable answer from ${url.origin}.`, { cause: reasonOf(error) })
  }
}

/** fetch wraps the reason in a TypeError. */
function reasonOf(error: unknown): unknown {
  return error instanceof TypeError && error.cause !== undefined ? error.cause : error
}

function readBase(baseUrl: string): string {
  if (/^https?:\/\//i.test(baseUrl) && URL.canParse(baseUrl)) return baseUrl.replace(/\/+$/, '')
  throw new TypeError(
    `baseUrl is not the address of a service, such as https://sandbox.example.com: "${baseUrl}".`,
  )
}

function withQuery(url: URL, query: Query = {}): URL {
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) url.searchParams.set(name, String(value))
  }
  return url
}

function readServerTime(error: unknown): number | undefined {
  if (!(error instanceof ProblemError) || !error.is('timestamp_out_of_range')) return undefined
  const milliseconds = Date.parse(error.members.server_time)
  return Number.isNaN(milliseconds) ? undefined : milliseconds
}
