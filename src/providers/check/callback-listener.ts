import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { z } from 'zod'
import { type Clock, SECOND_MS } from '../../core/time.ts'
import { verifyVendorMessage } from '../../domain/callbacks/vendor-signature.ts'
import type { CallbackProvider } from '../../domain/callbacks/work-of-call.ts'
import { readBounded } from '../http-pool.ts'
import { type Rule, Wrong } from './rules.ts'

export type CallbackListener = AsyncDisposable & {
  port: number
  /** Faults of callbacks, each kind once. */
  faults: readonly Wrong[]
  /** Resolves to true when a verified callback has named the call, and to false after `ms`. */
  waitFor(callId: string, ms: number): Promise<boolean>
  /** Resolves to true when a callback that got 503 has come again, and to false after `ms` at the latest. */
  waitForRepeat(ms: number): Promise<boolean>
}

export type ListenerOptions = {
  provider: CallbackProvider
  secrets: readonly string[]
  tenantId: string
  /** 0 for any that is free. */
  port: number
  clock: Clock
}

const MAX_BYTES = 16 * 1024
const MOST_SKEW_MS = 300 * SECOND_MS
/** The status with which a live stack answers a fault; 422 for any other. */
const STATUS: Partial<Record<Rule, number>> = { signed: 401, callbackTime: 401 }

const content = z.object({ tenant_id: z.string(), call_id: z.string() })

/** Answers callbacks as a live stack does, but for the first: 503, so that the adapter repeats it. */
export async function startCallbackListener(options: ListenerOptions): Promise<CallbackListener> {
  const faults = new Map<string, Wrong>()
  const called = new Set<string>()
  const bodies = new Map<string, string>()
  const waiting = new Set<() => void>()
  let failed: string | undefined
  let hasRepeated = false

  const receive = async (request: IncomingMessage): Promise<number> => {
    const { id, callId, hash } = await readCallback(request, options)
    const before = bodies.get(id)
    if (before !== undefined && before !== hash) {
      throw new Wrong(`${id} came again with another body`, 'callbackOnce')
    }
    bodies.set(id, hash)
    called.add(callId)
    if (before !== undefined && id === failed) hasRepeated = true
    failed ??= id
    return id === failed && !hasRepeated ? 503 : 200
  }
  const answer = async (request: IncomingMessage): Promise<number> => {
    try {
      return await receive(request)
    } catch (error) {
      const fault = error instanceof Wrong ? error : new Wrong('broke off', 'callbackForm')
      faults.set(fault.message, fault)
      return STATUS[fault.rule] ?? 422
    }
  }
  const server = createServer((request, response) => {
    void answer(request).then((status) => {
      const outcome = status === 200 ? { outcome: 'accepted' } : { status }
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(JSON.stringify(outcome))
      for (const wake of waiting) wake()
    })
  })
  server.requestTimeout = 10 * SECOND_MS
  server.listen(options.port)
  await once(server, 'listening')

  const waitUntil = async (isThere: () => boolean, ms: number) => {
    const signal = AbortSignal.timeout(ms)
    while (!isThere() && !signal.aborted) {
      const { promise, resolve } = Promise.withResolvers<void>()
      waiting.add(resolve)
      signal.addEventListener('abort', () => resolve(), { once: true })
      await promise
      waiting.delete(resolve)
    }
    return isThere()
  }
  return {
    port: (server.address() as AddressInfo).port,
    get faults() {
      return [...faults.values()]
    },
    waitFor: (callId, ms) => waitUntil(() => called.has(callId), ms),
    waitForRepeat: (ms) => waitUntil(() => hasRepeated, failed === undefined ? 0 : ms),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** Throws `Wrong` for one that a live stack would not accept. */
async function readCallback(
  request: IncomingMessage,
  { provider, secrets, tenantId, clock }: ListenerOptions,
): Promise<{ id: string; callId: string; hash: string }> {
  const { method = '', url: target = '', headers } = request
  const wanted = `/callbacks/${provider}`
  if (method !== 'POST' || target !== wanted) {
    throw new Wrong(`came as ${method} ${target}, not as POST ${wanted}`, 'callbackForm')
  }
  const headerOf = (name: string) => String(headers[name] ?? '')
  const body = await readBounded(request, MAX_BYTES)
  if (!body) throw new Wrong('has more than 16 KiB', 'callbackForm')
  const id = headerOf('idempotency-key')
  if (!/^[\w.:-]{1,128}$/.test(id)) throw new Wrong('has no right Idempotency-Key', 'callbackForm')
  const timestamp = headerOf('x-svc-timestamp')
  const skewMs = Math.abs(clock().getTime() - Number(timestamp) * SECOND_MS)
  if (!/^\d{10}$/.test(timestamp) || skewMs > MOST_SKEW_MS) {
    throw new Wrong('has no X-SVC-Timestamp within 300 s', 'callbackTime')
  }
  const message = { timestamp, method, target, id, body }
  const signature = headerOf('x-svc-signature')
  if (!verifyVendorMessage(message, signature, secrets)) {
    throw new Wrong(signature ? 'is wrongly signed' : 'is not signed', 'signed')
  }
  if (!/^application\/json\s*(;|$)/i.test(headerOf('content-type'))) {
    throw new Wrong('is not application/json', 'callbackForm')
  }
  const given = content.safeParse(parseJson(body)).data
  if (!given) throw new Wrong('has no tenant_id or call_id in its body', 'callbackForm')
  if (given.tenant_id !== tenantId) {
    throw new Wrong(`names ${given.tenant_id}, which is not the tenant of the call`, 'callbackForm')
  }
  return { id, callId: given.call_id, hash: createHash('sha256').update(body).digest('hex') }
}

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString())
  } catch {
    return undefined
  }
}
