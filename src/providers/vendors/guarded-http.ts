import {
  BrokenCircuitError,
  type CircuitBreakerPolicy,
  CircuitState,
  ConsecutiveBreaker,
  circuitBreaker,
  handleWhen,
} from 'cockatiel'
import pLimit from 'p-limit'
import type { Logger } from 'pino'
import { Agent, errors, request } from 'undici'
import { SECOND_MS } from '../../core/time.ts'
import type { BreakerState } from '../../domain/operations/provider-calls.ts'
import { isUnwell, VendorFailure, type VendorFailureReason } from './vendor-failure.ts'

export type VendorLimits = {
  deadlineSeconds: number
  breakerFailures: number
  breakerSeconds: number
}

export type CallWatch = {
  /** `answered`, or the reason of the failure. */
  onCall(provider: string, operation: string, outcome: string, seconds: number): void
  /** Called at the start and at each change. */
  onBreaker(provider: string, state: BreakerState): void
}

export type GuardOptions = {
  /** From the connection to the last byte. */
  deadlineMs: number
  /** Opens after consecutive failures; after a pause one call tests whether to close. */
  breaker: { failures: number; halfOpenAfterMs: number }
  watch: CallWatch
  logger: Logger
}

export type GuardedCall<Answer> = {
  operation: string
  method: 'GET' | 'POST' | 'PUT'
  url: string
  headers: Record<string, string>
  body?: string
  /** A throw makes the answer `garbage`. */
  read: (answer: unknown) => Answer
  /** Default 256 KiB. */
  maxAnswerBytes?: number
}

export type GuardedHttp = {
  /** Throws `VendorFailure` for all but a 200. */
  send<Answer>(call: GuardedCall<Answer>): Promise<Answer>
  close(): Promise<void>
}

const MAX_ANSWER_BYTES = 256 * 1024
/** Of an answer that is discarded, so that its connection can be reused. */
const MAX_ERROR_BYTES = 16 * 1024
const CONNECTIONS = 16

const BREAKER_STATES = {
  [CircuitState.Closed]: 'closed',
  [CircuitState.HalfOpen]: 'half_open',
  [CircuitState.Open]: 'open',
  [CircuitState.Isolated]: 'open',
} as const

export function toBreakerLimits(limits: VendorLimits): GuardOptions['breaker'] {
  return {
    failures: limits.breakerFailures,
    halfOpenAfterMs: limits.breakerSeconds * SECOND_MS,
  }
}

export function createGuardedHttp(provider: string, options: GuardOptions): GuardedHttp {
  const { deadlineMs, watch } = options
  const agent = new Agent({
    allowH2: false,
    connections: CONNECTIONS,
    clientTtl: 60_000,
    connect: { timeout: deadlineMs },
  })
  const breaker = createBreaker(provider, options)
  // The deadline runs from when a call has a connection: waiting for one is not the provider's fault.
  const connections = pLimit(CONNECTIONS)
  return {
    send: (call) => connections(() => sendNow(call)),
    close: () => agent.close(),
  }

  async function sendNow<Answer>(call: GuardedCall<Answer>): Promise<Answer> {
    const { operation } = call
    const startedAt = performance.now()
    let outcome = 'answered'
    try {
      return await breaker.execute(() => exchange(agent, provider, call, deadlineMs))
    } catch (error) {
      const failure = toFailure(error, { provider, operation })
      outcome = failure.reason
      throw failure
    } finally {
      const seconds = (performance.now() - startedAt) / 1_000
      watch.onCall(provider, operation, outcome, seconds)
    }
  }
}

function createBreaker(provider: string, options: GuardOptions): CircuitBreakerPolicy {
  const { breaker: limits, watch, logger } = options
  const breaker = circuitBreaker(handleWhen(isUnwell), {
    halfOpenAfter: limits.halfOpenAfterMs,
    breaker: new ConsecutiveBreaker(limits.failures),
  })
  watch.onBreaker(provider, BREAKER_STATES[breaker.state])
  breaker.onStateChange((state) => {
    watch.onBreaker(provider, BREAKER_STATES[state])
    if (state === CircuitState.Open) logger.warn({ provider }, 'provider breaker opened')
    if (state === CircuitState.Closed) logger.info({ provider }, 'provider breaker closed')
  })
  return breaker
}

async function exchange<Answer>(
  agent: Agent,
  provider: string,
  call: GuardedCall<Answer>,
  deadlineMs: number,
): Promise<Answer> {
  const named = { provider, operation: call.operation }
  try {
    const { statusCode, body } = await request(call.url, {
      dispatcher: agent,
      method: call.method,
      headers: { accept: 'application/json', 'user-agent': 'lending-service/1', ...call.headers },
      body: call.body ?? null,
      signal: AbortSignal.timeout(deadlineMs),
    })
    const maxBytes = call.maxAnswerBytes ?? MAX_ANSWER_BYTES
    const bytes = await readBounded(body, statusCode === 200 ? maxBytes : MAX_ERROR_BYTES)
    if (statusCode !== 200) {
      throw new VendorFailure(named, statusReason(statusCode), { status: statusCode })
    }
    if (!bytes) throw new VendorFailure(named, 'too_large')
    return readAnswer(named, bytes, call.read)
  } catch (error) {
    throw toFailure(error, named)
  }
}

/** Undefined for a body above the limit; the rest is not read. */
async function readBounded(
  body: AsyncIterable<Buffer>,
  limit: number,
): Promise<Buffer | undefined> {
  const chunks: Buffer[] = []
  let received = 0
  // Leaving the loop early closes the connection.
  for await (const chunk of body) {
    received += chunk.length
    if (received > limit) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

const decoder = new TextDecoder('utf-8', { fatal: true })

function readAnswer<Answer>(
  named: { provider: string; operation: string },
  bytes: Buffer,
  read: (answer: unknown) => Answer,
): Answer {
  try {
    return read(JSON.parse(decoder.decode(bytes)))
  } catch {
    // Without the cause, because a parser's message quotes the body.
    throw new VendorFailure(named, 'garbage')
  }
}

function statusReason(status: number): VendorFailureReason {
  if (status === 429) return 'status_429'
  if (status < 300) return 'status_2xx'
  if (status < 400) return 'status_3xx'
  return status < 500 ? 'status_4xx' : 'status_5xx'
}

function toFailure(error: unknown, named: { provider: string; operation: string }): VendorFailure {
  if (error instanceof VendorFailure) return error
  if (error instanceof BrokenCircuitError) return new VendorFailure(named, 'breaker_open')
  return new VendorFailure(named, isTimeout(error) ? 'timeout' : 'network', { cause: error })
}

function isTimeout(error: unknown): boolean {
  return (
    error instanceof errors.ConnectTimeoutError ||
    (error instanceof Error && error.name === 'TimeoutError')
  )
}
