import type { Logger } from 'pino'
import { createBoundedCache } from '../../core/limits/bounded-cache.ts'
import { createFairSlots } from '../../core/limits/fair-slots.ts'
import { type Clock, SECOND_MS } from '../../core/time.ts'
import type { BreakerState } from '../../domain/operations/provider-calls.ts'
import { LEASE_MS } from '../../domain/work/claim.ts'
import { createHttpPool, type HttpPool, readBounded } from '../http-pool.ts'
import { type OutboundProxy, proxyFor } from '../outbound/outbound-proxy.ts'
import { admit, type Breaker, type BreakerLimits, type Caller, CLOSED, record } from './breaker.ts'
import { outcomeOf, VendorFailure, type VendorFailureReason } from './vendor-failure.ts'

export type VendorLimits = {
  deadlineSeconds: number
  breakerFailures: number
  breakerWindowSeconds: number
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
  breaker: BreakerLimits
  proxy?: OutboundProxy | undefined
  clock: Clock
  watch: CallWatch
  logger: Logger
  /** Called when the breaker closes, with the time of the oldest failure that opened it. The call
   * that closed it waits. */
  onRecovery?: (since: Date) => Promise<void>
}

export type GuardedCall<Answer> = {
  operation: string
  /** Undefined for a call of our own, such as for prices. */
  caller?: Caller
  method: 'GET' | 'POST' | 'PUT'
  url: string
  headers: Record<string, string>
  body?: string
  /** Default `JSON.parse`. */
  parse?: (text: string) => unknown
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
/** Calls to a provider in one process. */
const CALLS = 32
/** So many of one tenant, so that its slow calls leave room for the others'. */
const CALLS_PER_TENANT = 16
/** Only for tenants that have no call under way, so that two with slow calls do not hold up the others. */
const CALLS_FOR_NEWCOMERS = 8
const MAX_FAILED_ITEMS = 10_000

export function toBreakerLimits(limits: VendorLimits): BreakerLimits {
  return {
    failures: limits.breakerFailures,
    windowMs: limits.breakerWindowSeconds * SECOND_MS,
    pauseMs: limits.breakerSeconds * SECOND_MS,
  }
}

export function createGuardedHttp(provider: string, options: GuardOptions): GuardedHttp {
  const { deadlineMs, watch } = options
  const pool = createHttpPool({ proxyOf: { https: (target) => proxyFor(target, options.proxy) } })
  const breaker = createBreaker(provider, options)
  // Later, another worker may hold the lease of what waits.
  const slots = createFairSlots({
    ...{ total: CALLS, perName: CALLS_PER_TENANT, reserve: CALLS_FOR_NEWCOMERS },
    waitMs: LEASE_MS,
  })
  return { send, close: () => pool.close() }

  // The deadline runs from when a call has a slot: waiting for one is not the provider's fault.
  async function send<Answer>(call: GuardedCall<Answer>): Promise<Answer> {
    const { operation, caller } = call
    const named = { provider, operation }
    let startedAt = performance.now()
    let outcome = 'answered'
    try {
      const release = await takeSlot(caller, named)
      startedAt = performance.now()
      try {
        return await breaker.run(named, caller, () => exchange(pool, provider, call, deadlineMs))
      } finally {
        release()
      }
    } catch (error) {
      const failure = toFailure(error, named)
      outcome = failure.reason
      throw failure
    } finally {
      const seconds = (performance.now() - startedAt) / 1_000
      watch.onCall(provider, operation, outcome, seconds)
    }
  }

  async function takeSlot(caller: Caller | undefined, named: Named): Promise<() => void> {
    try {
      return await slots.take(caller?.tenantId ?? '')
    } catch {
      throw new VendorFailure(named, 'busy')
    }
  }
}

type Named = { provider: string; operation: string }

/** Keeps the state; `breaker.ts` decides. */
function createBreaker(provider: string, options: GuardOptions) {
  const { breaker: limits, clock, watch, logger, onRecovery } = options
  const failed = createBoundedCache<string, true>(MAX_FAILED_ITEMS)
  let breaker: Breaker = CLOSED
  watch.onBreaker(provider, breaker.state)

  const become = (next: Breaker) => {
    const before = breaker
    breaker = next
    if (next.state !== before.state) watch.onBreaker(provider, next.state)
    if (next.held && next.held.from !== before.held?.from) {
      const { tenant } = next.held
      const tenantId = tenant === 'all' ? undefined : tenant.id
      logger.warn({ provider, tenantId }, 'provider breaker opened')
    }
    if (before.held && !next.held) logger.info({ provider }, 'provider breaker closed')
  }

  const learn = async (caller: Caller | undefined, failure: VendorFailure | undefined) => {
    const outcome = failure ? outcomeOf(failure) : 'answered'
    const item = itemOf(caller)
    if (outcome === 'faulty' || outcome === 'refused') failed.set(item, true)
    if (outcome === 'answered') failed.delete(item)
    const { held } = breaker
    become(record(breaker, { caller, outcome, now: clock() }, limits))
    if (!held || breaker.held) return
    await onRecovery?.(held.since).catch((error: unknown) => {
      logger.error({ provider, err: error }, 'work is not made due after an outage')
    })
  }

  return {
    async run<T>(named: Named, caller: Caller | undefined, call: () => Promise<T>): Promise<T> {
      // A call of our own follows from no input.
      const hasFailed = caller !== undefined && failed.has(itemOf(caller))
      const { operation } = named
      const admission = admit(breaker, { caller, operation, hasFailed, now: clock() }, limits)
      if (!admission.isAdmitted) throw new VendorFailure(named, 'breaker_open')
      become(admission.breaker)
      try {
        const answer = await call()
        await learn(caller, undefined)
        return answer
      } catch (error) {
        await learn(caller, toFailure(error, named))
        throw error
      }
    },
  }
}

const itemOf = (caller: Caller | undefined) => `${caller?.tenantId}/${caller?.subject}`

async function exchange<Answer>(
  pool: HttpPool,
  provider: string,
  call: GuardedCall<Answer>,
  deadlineMs: number,
): Promise<Answer> {
  const named = { provider, operation: call.operation }
  const { method, body } = call
  const signal = AbortSignal.timeout(deadlineMs)
  try {
    const url = new URL(call.url)
    const headers = {
      accept: 'application/json',
      'user-agent': 'lending-service/1',
      ...call.headers,
    }
    const answer = await pool.send({ url, method, headers, body, signal })
    const { statusCode: status = 0 } = answer
    const maxBytes = call.maxAnswerBytes ?? MAX_ANSWER_BYTES
    const bytes = await readBounded(answer, status === 200 ? maxBytes : MAX_ERROR_BYTES)
    if (status !== 200) throw new VendorFailure(named, statusReason(status), { status })
    if (!bytes) throw new VendorFailure(named, 'too_large')
    return readAnswer(named, bytes, call)
  } catch (error) {
    if (signal.aborted) throw new VendorFailure(named, 'timeout', { cause: error })
    throw toFailure(error, named)
  }
}

const decoder = new TextDecoder('utf-8', { fatal: true })

function readAnswer<Answer>(
  named: Named,
  bytes: Buffer,
  { parse = JSON.parse, read }: GuardedCall<Answer>,
): Answer {
  try {
    return read(parse(decoder.decode(bytes)))
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

function toFailure(error: unknown, named: Named): VendorFailure {
  if (error instanceof VendorFailure) return error
  return new VendorFailure(named, 'network', { cause: error })
}
